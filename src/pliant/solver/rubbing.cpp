#include "pliant/solver/rubbing.h"

#include "pliant/state/writable.h"

#include <algorithm>

namespace pliant {

namespace {

/// Calls look_at(points, weights) for every pair of features that push each other.
template <class LookAt>
void for_each_push(const Compiled& compiled, const LookAt& look_at)
{
    if (!compiled.surface.touching || !compiled.feature_contacts.measured) return;
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

/// Calls touch(particle) for every particle that a held rigid body has pushed.
template <class Touch>
void for_each_pushed_by_held(const World& world, const Compiled& compiled, const Touch& touch)
{
    const ContactSurface& surface = compiled.surface;
    const auto is_held = [&](int point) {
        return surface.is_carried(point) && world.rigid_bodies->inv_mass[surface.carrier(point).body] == 0;
    };
    for_each_push(compiled, [&](const int point[4], const Real w[4]) {
        bool held = false;
        for (int k = 0; k < 4; ++k) held = held || (w[k] != 0 && is_held(point[k]));
        for (int k = 0; held && k < 4; ++k)
            if (w[k] != 0 && !surface.is_carried(point[k])) touch(point[k]);
    });
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

void mark_touched_strands(World& world, Compiled& compiled)
{
    if (world.rods.empty()) return;
    std::vector<char>& pushed = compiled.pushed;
    pushed.assign(static_cast<std::size_t>(world.particles->size()), 0);
    for (std::size_t i = 0; i < compiled.particle_contacts.of.size(); ++i)
        if (compiled.particle_contacts.of[i].push > 0) pushed[i] = 1;
    for_each_push(compiled, [&](const int point[4], const Real w[4]) {
        for (int k = 0; k < 4; ++k)
            if (w[k] != 0 && !compiled.surface.is_carried(point[k])) pushed[point[k]] = 1;
    });
    for (Rod& rod : writable(world.rods))
        for (int strand = 0; strand < rod.strands(); ++strand) {
            const Range points = rod.points_of(strand);
            const auto first = pushed.begin() + rod.particles.first + points.first;
            rod.touched[strand] = std::find(first, first + points.count, 1) != first + points.count ? 1 : 0;
        }
}

}  // namespace pliant
