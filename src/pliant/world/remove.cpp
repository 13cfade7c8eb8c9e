#include "pliant/world/body_edits.h"

#include <algorithm>
#include <vector>

namespace pliant {

namespace {

/// The new index of a particle after a range is removed; -1 for a particle of that range.
int moved_up(int i, Range gone) { return gone.contains(i) ? -1 : (i >= gone.end() ? i - gone.count : i); }

void update_pins(Range gone, Drivers& drivers)
{
    for (PinnedSet& set : drivers.pins) {
        std::size_t kept = 0;
        for (std::size_t k = 0; k < set.particles.size(); ++k) {
            const int i = moved_up(set.particles[k], gone);
            if (i < 0) continue;
            set.particles[kept] = i;
            set.rest[kept++] = set.rest[k];
        }
        set.particles.resize(kept);
        set.rest.resize(kept);
    }
    std::erase_if(drivers.pins, [](const PinnedSet& set) { return set.particles.empty(); });
}

void update_grabs(Range gone, World& world)
{
    std::vector<GrabId> lost;
    for (int g = 0; g < static_cast<int>(world.grabs.size()); ++g) {
        Grab& grab = writable(world.grabs)[g];
        if (grab.rigid >= 0) continue;
        grab.particle = moved_up(grab.particle, gone);
        if (grab.particle < 0) lost.push_back(world.grabs.id_at(g));
    }
    for (const GrabId id : lost) Writable::erase(world.grabs, id);
}

void release_grabs_of_rigid(int gone, World& world)
{
    for (int g = static_cast<int>(world.grabs.size()) - 1; g >= 0; --g) {
        Grab& grab = writable(world.grabs)[g];
        if (grab.rigid == gone) Writable::erase(world.grabs, world.grabs.id_at(g));
        else if (grab.rigid > gone) --grab.rigid;
    }
}

void update_forces(Range gone, std::vector<AppliedForce>& forces)
{
    std::erase_if(forces, [&](const AppliedForce& f) { return f.rigid < 0 && gone.contains(f.particles.first); });
    for (AppliedForce& f : forces)
        if (f.rigid < 0) f.particles.first = moved_up(f.particles.first, gone);
}

}  // namespace

void erase_particles(World& world, Range gone)
{
    update_pins(gone, writable(world.drivers));
    update_grabs(gone, world);
    update_forces(gone, writable(world.applied_forces));
    release_from_particles(world, gone);
    writable(world.particles).erase(gone);
    const auto move_up = [&](auto& list) {
        for (auto& body : writable(list))
            if constexpr (requires { body.particles; })
                if (body.particles.first >= gone.end()) body.particles.first -= gone.count;
    };
    std::apply([&](auto... kind) { (move_up(world.*kind), ...); }, kBodyKinds);
    bodies_changed(world);
}

void remove_solid(World& world, SolidId id) { remove_body(world, id); }
void remove_cloth(World& world, ClothId id) { remove_body(world, id); }
void remove_rod(World& world, RodId id) { remove_body(world, id); }

void remove_rigid(World& world, RigidId id)
{
    const int gone = world.rigids.index(id);
    if (gone < 0) return;
    wake_around(world, gone);
    Drivers& drivers = writable(world.drivers);
    std::erase_if(drivers.held, [&](const HeldRigid& held) { return held.body == gone; });
    for (HeldRigid& held : drivers.held) held.body -= held.body > gone ? 1 : 0;
    std::vector<AppliedForce>& forces = writable(world.applied_forces);
    std::erase_if(forces, [&](const AppliedForce& f) { return f.rigid == gone; });
    for (AppliedForce& f : forces) f.rigid -= f.rigid > gone ? 1 : 0;
    release_grabs_of_rigid(gone, world);
    release_from_rigid(world, gone);
    writable(world.rigid_bodies).erase(gone);
    forget_pushes(world);
    Writable::erase(world.rigids, id);
    bodies_changed(world);
}

void remove_collider(World& world, ColliderId id)
{
    if (const Collider* collider = world.colliders.find(id)) wake_at(world, *collider);
    Writable::erase(world.colliders, id);
    forget_pushes(world);
}

}  // namespace pliant
