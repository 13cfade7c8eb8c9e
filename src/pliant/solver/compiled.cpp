#include "pliant/solver/compiled.h"

#include "pliant/world/contact_surface.h"

#include <algorithm>

namespace pliant {

namespace {

/// Makes the systems of bodies that have changed. Those of bodies before one that was removed stay, and so do those that
/// have only moved up.
template <class Body, class System>
void compile_bodies(const BodyList<Body>& bodies, SystemList<System>& list)
{
    const auto unchanged = [&](std::size_t i) {
        return i < list.systems.size() && list.made_from[i] == bodies[i].revision;
    };
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (unchanged(i)) continue;
        const auto found = std::ranges::find(list.made_from, bodies[i].revision);
        if (found != list.made_from.end()) {
            const auto from = static_cast<std::size_t>(found - list.made_from.begin());
            std::swap(list.systems[i], list.systems[from]);
            std::swap(list.made_from[i], list.made_from[from]);
            continue;
        }
        if (i < list.systems.size()) {
            list.systems[i] = make_system(bodies[i]);
            list.made_from[i] = bodies[i].revision;
        } else {
            list.systems.push_back(make_system(bodies[i]));
            list.made_from.push_back(bodies[i].revision);
        }
    }
    list.systems.resize(bodies.size());
    list.made_from.resize(bodies.size());
}

/// Rigid bodies need no system: they are solved as they are.
template <class Body>
void compile_kind(const BodyList<Body>& bodies, Compiled& compiled)
{
    if constexpr (requires(const Body& body) { make_system(body); }) {
        using System = decltype(make_system(bodies[0]));
        compile_bodies(bodies, std::get<SystemList<System>>(compiled.systems));
    }
}

bool same(const World::Revisions& a, const World::Revisions& b)
{
    return a.bodies == b.bodies && a.glues == b.glues && a.contact == b.contact;
}

}  // namespace

void compile_surface(const World& world, Compiled& compiled)
{
    if (compiled.surface_from && same(*compiled.surface_from, *world.revisions)) return;
    compiled.surface = make_contact_surface(world);
    compiled.surface_from = *world.revisions;
}

void compile(const World& world, Compiled& compiled)
{
    std::apply([&](auto... kind) { (compile_kind(world.*kind, compiled), ...); }, kBodyKinds);
    for (std::size_t c = 0; c < world.cloths.size(); ++c)
        update_pins(world.cloths[c], world.cloths[c].particles.of(world.particles->inv_mass),
                    compiled.all<ClothSystem>()[c]);
    if (compiled.joints_from != world.revisions->glues) {
        compiled.joints = make_joints(world.glues);
        compiled.joints_from = world.revisions->glues;
    }
    if (world.contact->on) compile_surface(world, compiled);
}

}  // namespace pliant
