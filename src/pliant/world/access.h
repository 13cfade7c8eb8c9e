#pragma once
// Access to bodies by id, for programs that embed the engine: read their state, place them, push them. Ids of removed
// bodies throw InputError.

#include "pliant/world/bodies.h"

#include <span>
#include <string>
#include <vector>

namespace pliant {

inline const Solid& solid(const World& world, SolidId id) { return get(world, id); }
inline const Cloth& cloth(const World& world, ClothId id) { return get(world, id); }
inline const Rod& rod(const World& world, RodId id) { return get(world, id); }
inline const Rigid& rigid(const World& world, RigidId id) { return get(world, id); }
inline const Glue& glue(const World& world, GlueId id) { return get(world, id); }
inline const Collider& collider(const World& world, ColliderId id) { return get(world, id); }
inline const Grab& grab(const World& world, GrabId id) { return get(world, id); }

/// Kinds of bodies that are made of particles: all but rigid bodies.
template <class Body>
concept HasParticles = requires(const Body& body) { body.particles; };

/// Positions [m] and velocities [m/s] of the particles of a body, the ghosts of a rod included (Particles::is_ghost).
template <HasParticles Body>
std::span<const Vec3> positions(const World& world, Id<Body> id)
{
    return get(world, id).particles.of(world.particles->x);
}
template <HasParticles Body>
std::span<const Vec3> velocities(const World& world, Id<Body> id)
{
    return get(world, id).particles.of(world.particles->v);
}
/// Vertex normals of a cloth, unit length.
std::vector<Vec3> normals(const World& world, ClothId id);

const Pose& pose(const World& world, RigidId id);
Vec3 velocity(const World& world, RigidId id);          // of its centre [m/s]
Vec3 angular_velocity(const World& world, RigidId id);  // [rad/s]

namespace detail {
/// The index in the world of a particle of a body. Throws InputError, prefixed with `what`.
int particle_of(const std::string& body, Range range, int particle, const char* what);
void set_position(World& world, int particle, const Vec3& x);
void set_velocity(World& world, int particle, const Vec3& v);
void add_impulse(World& world, Range range, const Vec3& impulse);
void add_force(World& world, Range range, const Vec3& force);

template <HasParticles Body>
int particle_of(const World& world, Id<Body> id, int particle, const char* what)
{
    const Body& body = list_of(world, id)[index_of(world, id, what)];
    return particle_of(body.name, body.particles, particle, what);
}
}  // namespace detail

/// Moves a particle of a body at once: it may then intersect something.
template <HasParticles Body>
void set_position(World& world, Id<Body> id, int particle, const Vec3& x)
{
    detail::set_position(world, detail::particle_of(world, id, particle, "set_position"), x);
}
/// Pinned particles keep their velocity.
template <HasParticles Body>
void set_velocity(World& world, Id<Body> id, int particle, const Vec3& v)
{
    detail::set_velocity(world, detail::particle_of(world, id, particle, "set_velocity"), v);
}
void set_position(World& world, RigidId id, const Vec3& center);
void set_velocity(World& world, RigidId id, const Vec3& v, const Vec3& w);

/// Changes velocities at once, by an impulse [kg m/s] on one particle, on a body as a whole, or on a rigid body at a
/// point. Pinned particles and held bodies are not affected.
template <HasParticles Body>
void add_impulse(World& world, Id<Body> id, int particle, const Vec3& impulse)
{
    detail::add_impulse(world, {detail::particle_of(world, id, particle, "add_impulse"), 1}, impulse);
}
template <HasParticles Body>
void add_impulse(World& world, Id<Body> id, const Vec3& impulse)
{
    detail::add_impulse(world, list_of(world, id)[index_of(world, id, "add_impulse")].particles, impulse);
}
void add_impulse(World& world, RigidId id, const Vec3& impulse, const Vec3& at);

/// A force that acts during the next step only [N].
template <HasParticles Body>
void add_force(World& world, Id<Body> id, const Vec3& force)
{
    detail::add_force(world, list_of(world, id)[index_of(world, id, "add_force")].particles, force);
}
void add_force(World& world, RigidId id, const Vec3& force, const Vec3& at);

/// Moves a collider, or a rigid body that is held from then on, from its current pose to a target,
/// within a time [s], at constant velocities, which friction and contact take into account. Then it stays there.
void move_collider(World& world, ColliderId id, const Vec3d& position, const Mat3d& rotation, double within);
void move_rigid(World& world, RigidId id, const Vec3d& center, const Mat3d& rotation, double within);

}  // namespace pliant
