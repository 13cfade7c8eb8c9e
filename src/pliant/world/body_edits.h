#pragma once
// Edits that all kinds of bodies with particles share. A new kind needs no others.

#include "pliant/world/edits.h"
#include "pliant/world/internal.h"

#include <string>
#include <utility>

namespace pliant {

/// Adds the particles of a body to the world, and the body to the list of its kind. `start` are positions [m].
template <class Body>
Id<Body> add_body(World& world, Body body, std::span<const Vec3d> start, Real contact_radius, std::string name)
{
    check_positions(start, title(Body::kKind, name));
    body.name = std::move(name);
    body.particles = writable(world.particles).append(start, body.mass, contact_radius);
    bodies_changed(world);
    return Writable::append(list_of(world, Id<Body>{}), std::move(body));
}

/// Removes particles from the world with the pins, grabs, forces and glue on them; later particles move up.
void erase_particles(World& world, Range gone);

/// Does nothing if the body has been removed already.
template <class Body>
void remove_body(World& world, Id<Body> id)
{
    const Body* body = list_of(world, id).find(id);
    if (body == nullptr) return;
    const Range gone = body->particles;
    Writable::erase(list_of(world, id), id);
    erase_particles(world, gone);
}

void place_particles(World& world, Range range, const Placement& placement, const char* what);

/// `what` is the prefix of the message if the body has been removed.
template <class Body>
void place_body(World& world, Id<Body> id, const Placement& placement, const char* what)
{
    place_particles(world, list_of(world, id)[index_of(world, id, what)].particles, placement, what);
}

/// New masses [kg] and a new contact radius [m] for the particles of a body. Ghosts stay ghosts and pins stay pinned.
void update_particles(World& world, Range range, std::span<const double> mass, Real contact_radius);

}  // namespace pliant
