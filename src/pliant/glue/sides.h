#pragma once
// The two ends of eight joints at an instant; for the passes over joints.

#include "pliant/glue/joint.h"

namespace pliant {

/// Where an end is.
struct SideState {
    BoundFrame<Lanes> frame;
    Vector3<Lanes> point;
};

SideState find_side(const Joints& joints, const Point* points, const RigidBodies& bodies, JointSide& side);

/// The arm of a rigid body: of the start of the substep where positions are corrected (state/mobility.h), of now where
/// velocities are.
enum class Arm { start, now };

/// Where a body that has not turned far in the substep is pushed; beyond a radian no push there may close a gap, and the
/// arm is that of now.
Arm arm_of_push(const RigidBodies& bodies, int body, const Vec3& local);

/// How an end gives way.
Matrix3<Lanes> mobility_of(const JointSide& side, const SideState& state, const RigidBodies& bodies, Arm arm);

/// Pushes the parents of one end by p: their positions [kg m], or their velocities [kg m/s].
void push_parents(const Joints& joints, const JointSide& side, const SideState& state, const Vector3<Lanes>& p,
                  Point* points);

/// How fast the ends move apart by themselves: those that are motions, less what a gap closes by.
inline Vector3<Lanes> given_speed(Real h, const JointGroup& g)
{
    const auto way = [&](int s) { return g.side[s].keyed * (g.side[s].place - g.at[s]); };
    return Lanes(1 / h) * (way(0) - way(1)) - g.closing;
}

}  // namespace pliant
