#pragma once
// The constraints that glues are made of, eight at a time. A joint is one C = phi(x) - psi(y): a point glue has one, a
// weld three. Those of one colour share no particle and no rigid body.
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
    Vector3<Lanes> place;         // of a motion, at the end of the substep [m]
    IndexLanes body{};            // -1 for none
    CloudInertia<Lanes> inertia;  // of the parents, as they are pinned or free now
    Matrix3<Lanes> rotation;      // R of the last fit
};

struct JointGroup {
    IndexLanes glue{};    // -1 for nobody
    IndexLanes corner{};  // of a weld
    JointSide side[2];
    Lanes stiff = 0, damp = 0, soft = 1;  // s [kg], b [kg], c
    Lanes along = 0;                      // 1 for the scalar form
    Vector3<Lanes> target;                // C wanted at the end of the substep: what is left of a gap [m]
    Vector3<Lanes> lambda;                // [kg m]
    Vector3<Lanes> at[2];                 // the two points at the start of the substep [m]
    Lanes work = 0;                       // of the last substep [J]
    Lanes tolerance = Lanes(1);           // one linear step may close as much [m]
    bool active = false;

    Vector3<Lanes> start() const { return at[0] - at[1]; }  // C at the start of the substep
};

struct Joints {
    std::vector<JointGroup> groups;
    std::vector<int> first_group;  // per colour, and one past the end
    std::vector<ParentRow> rows;
    std::vector<int> particles;  // per point: of the world
    bool stale = false;          // the glues have changed since
};

struct GlueScratch {
    std::vector<Point> points;  // of the joints, and one for the empty lanes of each group
};

inline constexpr int kGroupGrain = 8;  // groups a thread takes at least

Joints make_joints(std::span<const Glue> glues);

/// The particles of the joints, side by side.
void load_glue_points(const Joints& joints, const Particles& particles, GlueScratch& scratch);

/// Finds where both sides of a group are and how its parents give way.
void measure_group(const Joints& joints, const RigidBodies& bodies, const GlueScratch& scratch, JointGroup& group);

/// One pass over all joints. Each is a linear step; where a gap is so wide that turning counts, a few of them.
void project_glue(Joints& joints, Particles& particles, RigidBodies& bodies, GlueScratch& scratch);

/// From the point of an anchor to a corner of the glue, in the anchor's frame [m]; that of a point glue is the point.
Vec3d corner_of(const Glue& glue, const Anchor& anchor, int corner);
inline int corners_of(const Glue& glue) { return glue.params.kind == GlueKind::weld ? 3 : 1; }

/// Keeps the orientations of the last fits with the anchors: joints are made anew from them.
void save_rotations(const Joints& joints, std::span<Glue> glues);

}  // namespace pliant
