#pragma once
// The joints that glues are made of, as blocks of sparse systems (shape/constraint_system.h): one block of three rows
// holds two points together, a second one two orientations. Everything that hangs together is one system, of any size.
//
//   C = phi(x) - psi(y)                    [m]    J_i of binding.h; of a rigid body 1 and -[r]x
//   C = arm * turn(Q_a Q_b^T)              [m]    arm w_i K^-1 [arm_i]x;         arm
//
// Both sides are pushed at one point, the middle of the gap, so that angular momentum stays whatever the gap.
//
// A substep is solved in up to three passes, see project_joints:
//
//   first    J of the start of the substep, C extrapolated from there    linear, always bounded
//   second   the same factor, C as it is                                 kept if it makes the gaps smaller
//   third    J and C of now                                              only while a gap is wide
//
// Pushes along J of the start make the step symplectic, as in SHAKE [RCB77]: with J of now the geometric stiffness of the
// joint is taken implicitly, and where that is negative energy grows without bound. The third pass costs a little energy.
//
// A body that its joints pull apart is turned back by them with a stiffness K. Where h^2 K is large against its inertia an
// explicit step would blow up: a light link under a heavy load. It then resists corrections, not motion, with an added
// inertia of about h^2 K / 2, which is Newmark's rule of the mean acceleration: stable at any stiffness, and without
// damping. K comes from the multipliers of the last substep.

#include "pliant/glue/glue.h"
#include "pliant/shape/constraint_system.h"

#include <span>
#include <vector>

namespace pliant {

/// Where one end of a joint is.
struct EndPlace {
    Vec3d at;         // phi [m]
    Vec3d center;     // of the cloud or the body
    Mat3d rotation;   // R
    Mat3d k_inverse;  // of a cloud [1/m^2]
};

struct JointEnd {
    AnchorKind kind = AnchorKind::motion;
    bool oriented = true;
    int first_parent = 0, parents = 0;  // of Joints::parents
    int body = -1;                      // of the world
    Vec3d point;                        // in its own frame [m]
    Mat3d axes;
    EndPlace start, now;  // at the start of the substep, and where it was measured last
    EndPlace keyed;       // of a motion: at the time of the measurement
};

struct JointParent {
    int point;  // of the system
    double weight;
    Vec3d rest;  // v_i [m]
};

/// A row that is free between limits, or driven.
struct DrivenRow {
    int block = -1, row = 0;
    double low = 0, high = 0;  // of C [m]
    bool motor = false;
    double goal = 0;  // C that a motor or friction wants at the end of the substep [m]
    double most = 0;  // of its lambda [kg m]
};

struct Joint {
    int glue = 0;
    GlueKind kind = GlueKind::point;
    int system = 0;
    int position = 0;  // block of the system
    int turn = -1;     // the same, or -1
    JointEnd end[2];
    bool on = false, acted = false;  // in this substep, and in the last one
    double work = 0;                 // of the last one [J]
    bool scalar = false;
    double arm = 0;        // [m]
    double tolerance = 0;  // a gap that one linear step may close [m]
    Vec3d closing;         // how fast the target of the position changes [m/s]
    Quatd turn_target;     // Q_a Q_b^T wanted at the end of the substep
    Vec3d axis, across;  // of a hinge, slider or ball, and a direction across it, in the world where the glue was made
    double angle = 0;    // of a hinge at the start of the substep, whole turns included [rad]
    double length = 0;   // of a distance [m]
    std::array<DrivenRow, 2> driven;

    Vec3d turn_give;      // of a weld at the end of a rod, about d1, d2, d3 [rad/(N m)]
    int giving_end = -1;  // the end that carries these, or -1
    Mat3d giving_axes;    // they, as columns, in its own frame

    int bound = -1;      // point of the system that is bound hard to the other side, or -1
    int bound_side = 0;  // its end
    int bound_rank = 0;  // 1 for one bound to free particles, 2 for one bound to those, ...
    bool follows = false;
};

/// The motion of a rigid body before the forces of a substep act on it.
struct BodyMotion {
    Vec3d v, w, spin;
};

struct Joints {
    std::vector<Joint> joints;     // system by system
    std::vector<int> first_joint;  // per system, and one past the end
    std::vector<JointParent> parents;
    std::vector<ConstraintSystem> systems;
    std::vector<int> joint_blocks;   // per system: blocks that are joints'; those of others come after them
    std::vector<BlockPlace> others;  // per block that was given beside the glues
    std::vector<BodyMotion> before;  // per rigid body of the world
    int ranks = 0;                   // of bound particles; 0 if there are none

    std::span<Joint> of(int system)
    {
        return std::span(joints).subspan(first_joint[system], first_joint[system + 1] - first_joint[system]);
    }
};

/// `others` are blocks of constraints beside the glues that are to be solved with them.
Joints make_joints(std::span<const Glue> glues, int particles, int bodies, std::span<const BlockNodes> others = {});

/// Takes over, at the start of a frame, what the glues know of the last substep, and gives it back at its end: joints may
/// be made anew, or serve another copy of the world, in between.
void load_joints(std::span<const Glue> glues, Joints& joints);
void save_joints(const Joints& joints, std::span<Glue> glues);

/// Where both ends of a joint are, of the points of its system as they are now.
void measure_joint(const Joints& joints, const ConstraintSystem& system, const RigidBodies& bodies, Joint& joint);

/// C of its blocks where it was measured: see joint_rows.h.
void set_values(const Joint& joint, ConstraintSystem& system);

/// J of its blocks, at the start of the substep or where it was measured.
void linearise_joint(const Joints& joints, Instant instant, const Joint& joint, ConstraintSystem& system);

/// How wide the gaps of a system are, as a part of what one linear step may close.
double widest_gap(std::span<const Joint> joints, const ConstraintSystem& system);

/// Lets the scalar form close |C| along C as it was measured.
void set_direction(const Joint& joint, ConstraintSystem& system);

/// Added inertia of all bodies of a system, from the multipliers in its blocks, which are of the last substep.
void add_inertia(std::span<const Joint> joints, const RigidBodies& bodies, ConstraintSystem& system);

inline constexpr int kSystemGrain = 4;  // systems a thread takes at least

}  // namespace pliant
