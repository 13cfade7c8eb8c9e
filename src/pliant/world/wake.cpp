// What edits wake: see solver/sleeping.h.

#include "pliant/contact/colliders/colliders.h"
#include "pliant/geometry/convex.h"
#include "pliant/world/internal.h"

namespace pliant {

namespace {

Box3 box_of(const RigidBodies& bodies, int i)
{
    return box_around({&bodies.shape[i], exact_rotation(bodies.pose[i]), exact_position(bodies.pose[i])});
}

}  // namespace

void wake_all(World& world)
{
    RigidBodies& bodies = writable(world.rigid_bodies);
    for (int i = 0; i < bodies.size(); ++i) bodies.wake(i);
}

void wake_within(World& world, const Box3& box)
{
    constexpr double kMargin = 0.02;  // of the size of a body
    RigidBodies& bodies = writable(world.rigid_bodies);
    for (int i = 0; i < bodies.size(); ++i) {
        if (!bodies.is_asleep(i)) continue;
        const Box3 other = box_of(bodies, i);
        const double margin = kMargin * (static_cast<double>(bodies.shape[i].extent) + box.extent().norm());
        bool apart = false;
        for (int k = 0; k < 3; ++k)
            apart = apart || other.low[k] > box.high[k] + margin || box.low[k] > other.high[k] + margin;
        if (!apart) bodies.wake(i);
    }
}

void wake_at(World& world, const Collider& collider)
{
    const PlacedCollider placed = place_collider(collider, world.time, world.time);
    if (placed.shape.kind == Shape::Kind::plane || placed.shape.kind == Shape::Kind::mesh) return wake_all(world);
    wake_within(world,
                box_around({&placed.shape, placed.pose.rotation.cast<double>(), placed.pose.position.cast<double>()}));
}

void wake_around(World& world, int rigid)
{
    RigidBodies& bodies = writable(world.rigid_bodies);
    if (bodies.inv_mass[rigid] > 0) return;  // what is near something awake is awake, or will be in the next step
    if (bodies.is_asleep(rigid)) return bodies.wake(rigid);
    wake_within(world, box_of(world.rigid_bodies, rigid));
}

}  // namespace pliant
