#pragma once
// Contact of rigid bodies with each other and with colliders. Bodies that touch form islands, and each island is solved
// directly: by Newton's method on an augmented Lagrangian of the velocities, with a sparse factor of 6 x 6 blocks. Sweeps
// over contacts carry load on by one body each, and a contact of finite stiffness lets a column buckle; a direct solution
// holds stacks of twenty boxes, and a mass of 1024 on one of 1, in four iterations a substep.
//
//   u                velocities of an island; u* those that the bodies would have without contact
//   s                gap of a point less the distance to keep
//   b                s / h if s > 0;  0 in the dead zone;  push-out below it
//   l = max(0, l0 - rho (n . v + b)),  t = clip(t0 - rho v_t, mu l)      v = J u, the relative velocity of a point
//   r = M (u* - u) + J^T (l n + t)
//   A = M + rho sum J^T (n n^T + c (1 - n n^T)) J                        over points that press; c: how much t was clipped
//                                                                        joints add theirs, see island_joints.h
//   u += A^-1 r      three times, then l0 = l, t0 = t
//
// The multipliers l0, t0 are kept from substep to substep and frame to frame (warm start), so that their error falls by
// rho / m in each. Bodies then move by h u. What pushed them out of each other must not stay in their velocities: a last
// solution without push-out follows after they have moved (relax). It makes bodies bounce, too.
//
// The dead zone keeps all four points of a face pressed: without it, they chatter.

#include "pliant/contact/pairs/surface.h"
#include "pliant/contact/rigid/island_joints.h"
#include "pliant/contact/rigid/manifolds.h"
#include "pliant/math/block_cholesky.h"
#include "pliant/state/rigid_bodies.h"

#include <span>
#include <vector>

namespace pliant {

struct Island {
    std::vector<int> bodies;                 // rigid bodies, in order
    std::vector<std::pair<int, int>> meets;  // pairs of them that touch, as places in `bodies`
    std::vector<int> manifolds;
    std::vector<int> joints;  // of Islands::joints
    double rho = 0;           // [kg]
    double heaviest = 0;      // of the bodies [kg]
    BlockPattern pattern;
    std::vector<Block6> factor;
    std::vector<Vec6d> x, r;  // scratch: step and residual
    bool factored = false;
    bool large = false;  // swept over: a factor would cost too much
};

/// A point in sweeps (island_sweep.h).
struct SweepPoint {
    double inverse = 0;             // of the mobility along n [kg]
    Vec3d u, v;                     // across n
    double uu = 0, uv = 0, vv = 0;  // inverse mobility across n, along u and v [kg]
};

/// What the guard does with the velocity of a body that it has moved: leaves it, or lets it follow, as with joints and what is driven.
enum class AfterGuard : char { no, moved, joined };

struct Twist {
    Vec3d v, w;  // [m/s], [rad/s]
};

/// Scratch of a Solver.
struct Islands {
    Manifolds manifolds;
    std::vector<Island> list, before;  // `count` of them
    int count = 0;
    std::vector<IslandJoint> joints;
    std::vector<int> joint_systems;   // those with joints in islands
    std::vector<char> apart;          // per rigid body: not in any island, but solved by its features
    std::vector<Twist> v_before;      // per rigid body: before the forces of the substep
    std::vector<Twist> u, free;       // per rigid body: velocities, and those without contact
    std::vector<Twist> mean;          // per rigid body: that leads from the start of the substep to its end
    std::vector<Mat3d> inertia;       // per rigid body: in the world's frame
    std::vector<Mat3d> inverse;       // per rigid body: its inverse
    std::vector<SweepPoint> sweep;    // per point of the manifolds
    std::vector<int> root, place;     // per rigid body
    std::vector<int> number;          // per rigid body that is a root: its island
    std::vector<char> gained;         // per rigid body: one of its points has come to press
    std::vector<RigidPush> pushes;    // of the last frame, per unit of time
    std::vector<double> factors;      // per rigid body: see rigid_guard.cpp
    std::vector<int> moved_in;        // per rigid body: see rigid_guard.cpp
    std::vector<AfterGuard> guarded;  // per rigid body
    std::vector<int> carriers;        // per rigid body: what carries it along (rigid_guard.h), or -1
    std::vector<Pose> homes;          // per rigid body that is its own carrier: where that ends
    std::vector<Pose> kept;           // per rigid body: before a guard
    bool first = true;                // substep of the frame
    bool solved = false;              // in this substep
};

/// What islands know of the world.
struct RigidScene {
    const ContactSurface* surface;  // null if bodies do not touch each other
    std::span<const PlacedCollider> colliders;
    std::span<const ConstraintSystem> joints;  // solved before contact
    RigidBodies& bodies;
    std::vector<Pose>& predicted;
    Real h;
    Real slow;     // slower impacts do not bounce [m/s]
    Vec3 gravity;  // [m/s^2]
};

/// At the start of a frame, with the forces that the last one has left.
void begin_island_frame(std::span<const RigidPush> pushes, std::size_t bodies, Islands& islands);
/// Before forces act.
void begin_islands(const RigidBodies& bodies, Islands& islands);

/// Moves the bodies so that they do not enter each other or a collider, and changes their velocities accordingly.
void project_islands(const RigidScene& scene, Islands& islands);
/// After the velocities of the substep are known.
void relax_islands(const RigidScene& scene, Islands& islands);

/// The forces of all points that press, for the next frame.
void save_pushes(Real h, const RigidBodies& bodies, const Islands& islands, std::vector<RigidPush>& pushes);
int count_pushes(std::span<const RigidPush> pushes);

}  // namespace pliant
