#include "pliant/solver/rubbing.h"

#include "pliant/state/writable.h"

namespace pliant {

namespace {

/// Calls touch(particle) for every particle that a held rigid body has pushed.
template <class Touch>
void for_each_pushed_by_held(const World& world, const Compiled& compiled, const Touch& touch)
{
    if (!compiled.surface.touching || !compiled.feature_contacts.measured) return;
    const ContactSurface& surface = compiled.surface;
    const auto is_held = [&](int point) {
        return surface.is_carried(point) && world.rigid_bodies->inv_mass[surface.carrier(point).body] == 0;
    };
    const auto look_at = [&](const int point[4], const Real w[4]) {
        bool held = false;
        for (int k = 0; k < 4; ++k) held = held || (w[k] != 0 && is_held(point[k]));
        for (int k = 0; held && k < 4; ++k)
            if (w[k] != 0 && !surface.is_carried(point[k])) touch(point[k]);
    };
    for (const PairContact& block : compiled.feature_contacts.contacts.blocks)
        for (int l = 0; l < kLanes; ++l) {
            if (!(block.lambda[l] > 0)) continue;
            const int point[4] = {block.point[0][l], block.point[1][l], block.point[2][l], block.point[3][l]};
            const Real w[4] = {block.w[0][l], block.w[1][l], block.w[2][l], block.w[3][l]};
            look_at(point, w);
        }
    for (const MixedContact& c : compiled.feature_contacts.contacts.mixed)
        if (c.lambda > 0) look_at(c.point, c.w);
}

}  // namespace

void mark_rubbing_rods(World& world, const Compiled& compiled)
{
    if (world.glues.empty() || world.rods.empty()) return;
    for (Rod& rod : writable(world.rods)) rod.rubs = false;
    for_each_pushed_by_held(world, compiled, [&](int particle) {
        for (Rod& rod : writable(world.rods))
            if (compiled.in_glued_net[particle] != 0 && rod.particles.contains(particle)) rod.rubs = true;
    });
}

}  // namespace pliant
