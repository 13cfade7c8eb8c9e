#pragma once
// Joints that hold do no work, but the pushes that solve them do: pushes along J of the start give a little energy, or take it,
// wherever links turn by a large angle in a substep, and those along J of now take much. Chains that whip lost half of their
// energy in seconds. What all joints of a system of rigid bodies have given is known exactly,
//
//   W = K(v, w) - K(v0, w0) - sum (m dv . (v0 + v) / 2 + dS . (w0 + w) / 2)
//
// with v0, w0 before the forces of the substep, v, w after all of it, and dv, dS what the forces and contact have added to
// velocity and angular momentum. It is taken back from the motion of the bodies relative to the rigid motion of them all:
//
//   v = V + s (v - V),   w = Omega + s (w - Omega),   s^2 = 1 - W / K_relative
//
// Neither momentum changes, velocities that the joints allow stay allowed, and K + potential energy stays as it is to
// rounding. Where something is held, V and Omega are zero.

#include "pliant/glue/joint.h"

namespace pliant {

/// Keeps the velocities of rigid bodies, before the forces of a substep change them.
void keep_joint_velocities(const RigidBodies& bodies, Joints& joints);

/// Takes back what joints have given in the substep, in systems of rigid bodies alone whose joints only hold: no spring, motor
/// or limit acts, and nothing is driven. Those that are `touching` get back little: the guard may have undone what joints have moved,
/// and their work with it. Comes after the velocities are known and before restitution.
void conserve_joint_energy(Real h, std::span<const int> touching, Joints& joints, RigidBodies& bodies);

}  // namespace pliant
