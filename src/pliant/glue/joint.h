#pragma once
// The constraints that glues are made of, eight at a time. A joint is one C = phi(x) - psi(y): a point glue has one, a
// weld three. Those of one colour share no particle and no rigid body; a few that hang together are solved as one system
// (block.h), and a particle that is bound hard follows the other side exactly (bound.h).
//
//   A = sum im_p J_p J_p^T                                            of both sides: mobility, mobility_from_start
//   dlambda = -((s + b) A + c)^-1 (s C + b (C - C_start) + c lambda)  s = k h^2, b = damping h, c = 1;  hard: 1, 0, 0
//   dx_p = im_p J_p^T dlambda                                         passed_on, move_from_start
//
// This is XPBD [MMC16] with compliance 1/k, multiplied through by k h^2: a stiffness of zero is a glue that does nothing
// and a glue that is off, and a ramp may start there.

#include "pliant/glue/binding.h"
#include "pliant/glue/glue.h"
#include "pliant/shape/points.h"

#include <span>

namespace pliant {

/// One parent of each of eight joints.
struct ParentRow {
    IndexLanes point;  // into the points of all joints
    Lanes weight;
    Vector3<Lanes> rest;  // v_i [m]
};

/// One end of eight joints. A lane that is no cloud has no weights, no v_b and no fit.
struct JointSide {
    int first_row = 0, rows = 0;
    bool fits = false;            // some lane has an orientation to fit
    bool rigid = false;           // some lane is on a rigid body
    Lanes alone = 1;              // 1 where there is nothing to fit, otherwise 0
    Vector3<Lanes> point;         // v_b, or the point of a rigid body [m]
    Lanes keyed = 0;              // 1 for a motion, otherwise 0
    Vector3<Lanes> place;         // of a motion, at the end of the substep [m]
    IndexLanes body{};            // -1 for none
    CloudInertia<Lanes> inertia;  // of the parents, as they are pinned or free now
    Matrix3<Lanes> rotation;      // R of the last fit
};

struct JointGroup {
    IndexLanes glue{};    // -1 for a padding lane
    IndexLanes corner{};  // of a weld
    JointSide side[2];
    Lanes stiff = 0, damp = 0, soft = 1;  // s [kg], b [kg], c
    Lanes along = 0;                      // 1 for the scalar form
    Vector3<Lanes> target;                // C wanted at the end of the substep: what is left of a gap [m]
    Vector3<Lanes> closing;               // how fast that changes [m/s]
    Vector3<Lanes> lambda;                // [kg m]
    Vector3<Lanes> at[2];                 // the two points at the start of the substep [m]
    Lanes work = 0;                       // of the last substep [J]
    Lanes tolerance = Lanes(1);           // one linear step may close as much [m]
    bool active = false;

    IndexLanes bound{};       // point of the particle that is bound hard to the other side, or -1
    Lanes bound_first = 0;    // 1 where that is side 0
    IndexLanes bound_rank{};  // 1 for one bound to free particles, 2 for one bound to those, ...
    IndexLanes follows{};     // the same while it is bound, otherwise 0

    Vector3<Lanes> start() const { return at[0] - at[1]; }  // C at the start of the substep
};

/// One particle or rigid body of a block, and the ends of joints that hold it.
struct BlockNode {
    struct End {
        int joint, side;
        int row;  // of the rows of all joints; -1 for a rigid body
    };
    int point = -1, body = -1;
    std::vector<End> ends;
};

/// A few joints that hang together, in groups of their own.
struct JointBlock {
    int first_group = 0;
    int joints = 0;  // number j is in group first_group + j / 8, lane j % 8
    std::vector<BlockNode> nodes;

    int groups() const { return (joints + kLanes - 1) / kLanes; }
};

struct Joints {
    std::vector<JointGroup> groups;  // those in colours, then those of the blocks
    std::vector<int> first_group;    // per colour, and one past the end
    std::vector<JointBlock> blocks;
    std::vector<int> first_block;  // likewise
    std::vector<ParentRow> rows;
    std::vector<int> particles;  // per point: of the world
    std::vector<int> holders;    // per point: glues that bind it hard now
    int ranks = 0;               // of bound particles; 0 if there are none
};

struct GlueScratch {
    std::vector<Point> points;      // of the joints, and one for the empty lanes of each group
    std::vector<Point> velocities;  // the same, with velocities in the place of positions [m/s]

    /// At the start of a frame: what were points of other joints must not stay in the padding lanes.
    void clear()
    {
        points.clear();
        velocities.clear();
    }
};

inline constexpr int kGroupGrain = 8;  // groups a thread takes at least

Joints make_joints(std::span<const Glue> glues);

/// The particles of the joints, side by side, and back.
void load_glue_points(const Joints& joints, const Particles& particles, GlueScratch& scratch);
void store_glue_points(const Joints& joints, const GlueScratch& scratch, Particles& particles);

/// Finds where both sides of a group are and how its parents give way.
void measure_group(const Joints& joints, const RigidBodies& bodies, const GlueScratch& scratch, JointGroup& group);

/// Projects eight joints that share nothing.
void project_group(const Joints& joints, Point* points, RigidBodies& bodies, JointGroup& group);

/// One pass over all joints. Each is a linear step; where a gap is so wide that turning counts, a few of them.
void project_glue(Joints& joints, Particles& particles, RigidBodies& bodies, GlueScratch& scratch);

/// From the point of an anchor to a corner of the glue, in the anchor's frame [m]; that of a point glue is the point.
Vec3d corner_of(const Glue& glue, const Anchor& anchor, int corner);
inline int corners_of(const Glue& glue) { return glue.params.kind == GlueKind::weld ? 3 : 1; }

/// Takes over, at the start of a frame, what the glues know of the last substep, and gives it back at its end: joints may
/// be made anew, or serve another copy of the world, in between.
void load_joints(std::span<const Glue> glues, Joints& joints);
void save_joints(const Joints& joints, std::span<Glue> glues);

}  // namespace pliant
