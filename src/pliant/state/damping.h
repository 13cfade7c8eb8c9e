#pragma once
// Damping of what is not rigid motion.

#include "pliant/state/particles.h"

#include <vector>

namespace pliant {

/// What the rigid motion of many particles is made of.
struct MotionSum {
    double mass = 0;
    Vec3d moment;    // sum m x
    Vec3d momentum;  // sum m v
    Vec3d angular;   // sum m x cross v
    Mat3d second;    // sum m x x^T
};

/// Adds a particle at x, relative to some origin.
void add_motion(double mass, const Vec3d& x, const Vec3d& v, MotionSum& sum);

void add(const MotionSum& part, MotionSum& sum);

/// Velocities base + spin x (x - origin).
struct RigidVelocity {
    Vec3d base;  // [m/s]
    Vec3d spin;  // [rad/s]
};

/// The rigid motion that has the momenta of the sum.
RigidVelocity rigid_motion(const MotionSum& sum);

/// Scratch for a body's damping: a sum for every few thousand particles.
void resize_motion(Range body, std::vector<MotionSum>& motion);

/// Moves velocities towards the rigid motion that has the body's own linear and angular momentum, at `rate` [1/s] and
/// implicitly [MHHR07, section 3.5]:
///
///   v += s (V + omega x (x - t) - v),   s = h d / (1 + h d)
///
/// Both momenta stay as they are, and so does a body that only moves, turns or spins. All modes of deformation
/// die out at the same rate; damping piece by piece would leave slow swaying alone.
void damp_deformation(Real h, Real rate, Range body, Particles& particles, std::vector<MotionSum>& motion);

}  // namespace pliant
