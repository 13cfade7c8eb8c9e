#pragma once
// Damping of deformation; rigid motion is not damped.

#include "pliant/state/particles.h"

#include <vector>

namespace pliant {

/// Sums over particles from which their rigid motion is found.
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

/// The rigid motion that has the same momenta as the particles summed.
RigidVelocity rigid_motion(const MotionSum& sum);

/// Sizes the scratch of a body: one sum for every few thousand particles.
void resize_motion(Range body, std::vector<MotionSum>& motion);

/// Moves velocities towards the rigid motion that has the body's linear and angular momentum, at `rate` [1/s],
/// implicitly [MHHR07, section 3.5]:
///
///   v += s (V + omega x (x - t) - v),   s = h d / (1 + h d)
///
/// Both momenta are conserved, and a body that only translates and rotates is not damped. All modes of deformation
/// decay at the same rate; damping piece by piece would hardly damp slow swaying.
void damp_deformation(Real h, Real rate, Range body, Particles& particles, std::vector<MotionSum>& motion);

}  // namespace pliant
