#pragma once
// Code for all kinds of bodies is written once, over the table of kinds at the end of world.h:
//
//   for_each_body(world, [&](const auto& body) { ... body.name, body.kKind, measure_strain(body, x) ... });
//
// A kind is a struct with a name, `kKind`, particles, parameters, a revision, rest data and state, and functions of its
// room: rest_surface (for contact, rays and display), measure_strain, make_system (what the solver
// compiles from it) and its passes.

#include "pliant/base/check.h"
#include "pliant/world/world.h"

#include <string>
#include <tuple>

namespace pliant {

/// Calls visit(body) for all bodies of all kinds.
template <class Visit>
void for_each_body(const World& world, Visit&& visit)
{
    const auto visit_all = [&](const auto& list) {
        for (const auto& body : list) visit(body);
    };
    std::apply([&](auto... kind) { (visit_all(world.*kind), ...); }, kBodyKinds);
}

/// The particles of a body, of the world.
template <class Body>
Range particles_of(const Body& body)
{
    return body.particles;
}
inline Range particles_of(const Rigid&) { return {}; }

/// The list that an id refers to.
template <class Body>
const BodyList<Body>& list_of(const World& world, Id<Body>)
{
    return world.*std::get<BodyList<Body> World::*>(kLists);
}
template <class Body>
BodyList<Body>& list_of(World& world, Id<Body>)
{
    return world.*std::get<BodyList<Body> World::*>(kLists);
}

/// The index of a body in the list of its kind. Throws InputError, prefixed with `what`, if it has been removed.
template <class Body>
int index_of(const World& world, Id<Body> id, const char* what)
{
    const int index = list_of(world, id).index(id);
    if (index < 0) throw InputError(std::string(what) + ": this " + Body::kKind + " has been removed");
    return index;
}

/// The body of an id. Throws InputError if it has been removed; `world.solids.find(id)` does not.
template <class Body>
const Body& get(const World& world, Id<Body> id)
{
    return list_of(world, id)[index_of(world, id, "get")];
}

}  // namespace pliant
