#pragma once
// The solution of one island: see islands.h.

#include "pliant/contact/rigid/islands.h"

namespace pliant {

enum class SolveStage {
    first,  // of a substep
    again,  // after something else has moved the bodies in the same substep
    relax,  // after they have moved: without push-out, and with bounces
};

inline constexpr double kMaxPushOut = 0.5;  // [m/s]

/// The velocity of a's point seen from b's.
Vec3d relative_velocity(const std::vector<Twist>& u, const Manifold& manifold, const ManifoldPoint& p,
                        const Islands& islands);
/// J u of a joint [m/s].
Vec3d speed_of(const IslandJoint& joint, const std::vector<Twist>& u);
/// What n . v + aim >= 0 asks for, by the gap [m/s].
double aim_of(double h, SolveStage stage, const Manifold& manifold, const ManifoldPoint& p, const Islands& islands);

/// From islands.free, the velocities of its bodies without what is solved for here, to islands.u.
void solve_island(double h, SolveStage stage, const RigidBodies& bodies, Island& island, Islands& islands);

}  // namespace pliant
