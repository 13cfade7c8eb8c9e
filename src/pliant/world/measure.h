#pragma once
// Numbers about a state, in double: for statistics, tests and `expect` blocks. Not part of the step.

#include "pliant/world/world.h"

namespace pliant {

struct Energy {
    double kinetic = 0;    // [J]
    double potential = 0;  // of gravity, zero at the origin, and of the springs to the goals [J]
};

Energy measure_energy(const World& world);

/// Of a rigid body.
Vec3d linear_momentum(const RigidBodies& bodies, int body);                       // [kg m/s]
Vec3d angular_momentum(const RigidBodies& bodies, int body, const Vec3d& about);  // [kg m^2/s]
/// Of all there is.
Vec3d linear_momentum(const World& world);                       // [kg m/s]
Vec3d angular_momentum(const World& world, const Vec3d& about);  // [kg m^2/s]
Vec3d center_of_mass(const World& world);                        // [m]

/// The 64-bit fingerprint of all particles and rigid bodies.
std::uint64_t hash_state(const World& world);

Vec3d linear_momentum(const Particles& particles, Range range);                       // [kg m/s]
Vec3d angular_momentum(const Particles& particles, Range range, const Vec3d& about);  // [kg m^2/s]
Vec3d center_of_mass(const Particles& particles, Range range);                        // [m]
/// The same without the ghosts of rods: where it is seen to be.
Vec3d center_of_points(const Particles& particles, Range range);  // [m]
Range all_particles(const World& world);

/// How far members are from the rigid fit of their cluster, as a part of the cluster's radius (beta).
struct Strain {
    double max = 0;
    double p99 = 0;
};
Strain measure_strain(const Solid& solid, const Particles& particles);

/// Relative elongation of the edges.
Strain measure_strain(const Cloth& cloth, const Particles& particles);

/// Relative change of the lengths of the edges, longer or shorter.
Strain measure_strain(const Rod& rod, const Particles& particles);

}  // namespace pliant
