#pragma once
// The table of body kinds. What holds for every kind is written once, over this table:
//
//   for_each_body(world, [&](const auto& body) { ... measure_strain(body, ...), body.name, Body::kKind ... });
//
// A kind is a struct with a name, `kKind`, parameters and a revision, a list of the World, and functions of its room:
//
//   particles_of        its particles; none for a rigid body        here
//   add_to_surface      what of it touches                          world/contact_surface.cpp
//   measure_strain      how far it is from its rest shape           its room
//   make_system         what the solver compiles from it            its room
//   update_layer        what is shown of it                         render/frame.cpp
//   anchor_on           what glue holds on to                       world/anchors.cpp

#include "pliant/base/check.h"
#include "pliant/world/world.h"

#include <string>
#include <tuple>

namespace pliant {

inline constexpr std::tuple kBodyKinds{&World::solids, &World::cloths, &World::rods, &World::rigids};

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

// The list of a kind.
inline const BodyList<Solid>& list_of(const World& world, SolidId) { return world.solids; }
inline const BodyList<Cloth>& list_of(const World& world, ClothId) { return world.cloths; }
inline const BodyList<Rod>& list_of(const World& world, RodId) { return world.rods; }
inline const BodyList<Rigid>& list_of(const World& world, RigidId) { return world.rigids; }
inline const BodyList<Glue>& list_of(const World& world, GlueId) { return world.glues; }
inline const BodyList<Collider>& list_of(const World& world, ColliderId) { return world.colliders; }
inline const BodyList<Grab>& list_of(const World& world, GrabId) { return world.grabs; }

template <class Body>
BodyList<Body>& list_of(World& world, Id<Body> id)
{
    return const_cast<BodyList<Body>&>(list_of(static_cast<const World&>(world), id));
}

/// The place of a body in the list of its kind. Throws InputError that says `what` was asked of a body that is gone.
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
