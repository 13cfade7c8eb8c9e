#pragma once
// Measurements of a state, in double, for statistics, tests and `expect` blocks. Not part of the step.

#include "pliant/solids/measure_solid.h"
#include "pliant/world/bodies.h"

namespace pliant {

struct Energy {
    double kinetic = 0;    // [J]
    double potential = 0;  // of gravity, zero at the origin, and elastic energy of solids [J]
    double elastic = 0;    // of solids, stiff cloth and rods, and soft glue [J]
    double beside = 0;     // the part of it that is not in potential: all but solids [J]

    double total() const { return kinetic + potential + beside; }
};

/// At the time of the world. Gravity kicks before a substep, so that a velocity is as of the middle of the fall: half of the
/// work of gravity in a substep is still to come. Springs are solved implicitly; theirs is done.
Energy measure_energy(const World& world);

/// Of a rigid body.
Vec3d linear_momentum(const RigidBodies& bodies, int body);                       // [kg m/s]
Vec3d angular_momentum(const RigidBodies& bodies, int body, const Vec3d& about);  // [kg m^2/s]
/// Of everything in the world.
Vec3d linear_momentum(const World& world);                       // [kg m/s]
Vec3d angular_momentum(const World& world, const Vec3d& about);  // [kg m^2/s]
Vec3d center_of_mass(const World& world);                        // [m]

/// A 64-bit hash of the state of all particles and rigid bodies.
std::uint64_t hash_state(const World& world);

Vec3d linear_momentum(const Particles& particles, Range range);                       // [kg m/s]
Vec3d angular_momentum(const Particles& particles, Range range, const Vec3d& about);  // [kg m^2/s]
Vec3d center_of_mass(const Particles& particles, Range range);                        // [m]
/// The same without the ghosts of rods, which are not visible.
Vec3d center_of_points(const Particles& particles, Range range);  // [m]
Range all_particles(const World& world);

/// Error of a hard glue, apart from an initial gap that is still closing [m]; zero for glue that is soft or off.
double glue_gap(const World& world, const Glue& glue);
double largest_glue_gap(const World& world);

/// How far a body is from its rest shape; the measure depends on its kind (solids/measure_solid.h, cloth/cloth.h,
/// rods/rod.h). Zero for a rigid body.
template <class Body>
Strain measure_strain(const World& world, const Body& body)
{
    return measure_strain(body, particles_of(body).of(world.particles->x));
}

}  // namespace pliant
