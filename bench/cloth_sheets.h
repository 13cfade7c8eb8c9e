#pragma once
// Sheets that several benchmarks hang up, as our cloth and as the mass-spring one.

#include "bench/baselines/mass_spring.h"
#include "pliant/geometry/sheets.h"
#include "pliant/state/writable.h"
#include "pliant/world/edits.h"

#include <array>
#include <random>

namespace pliant {

/// Uniform in [-1, 1].
inline double random_share(std::mt19937_64& generator)
{
    return 2 * static_cast<double>(generator() >> 11) / 9007199254740992.0 - 1;
}

enum class Start { level, upright };

/// A sheet of 1 x 1 m, held by both corners of one side, without noise there; every other vertex is up to `noise`
/// edges out of the plane.
inline World hang_sheet(int cells, const ClothParams& params, Start start, double noise)
{
    World world;
    writable(world.settings).iterations = 1;
    const ClothId id = add_cloth(world, make_sheet(1, 1, cells, cells, SheetPattern::uniform), params);
    std::mt19937_64 generator(1);
    for (int i = 0; i < world.particles->size(); ++i) {
        const double y = noise / cells * random_share(generator);
        if (i != 0 && i != cells) writable(world.particles).x[i].y += static_cast<Real>(y);
    }
    if (start == Start::upright) place_cloth(world, id, {.linear = {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}}});
    pin_particles(world, std::array{0, cells});
    return world;
}

/// The first cloth of a world in the same state.
inline MassSpring spring_sheet(const World& world, MassSpringParams params)
{
    params.areal_density = world.cloths[0].params.areal_density;
    params.gravity = world.forces->gravity;
    params.drag = world.forces->drag;
    MassSpring springs = make_mass_spring(world.cloths[0].rest, params);
    springs.x = world.particles->x;
    springs.v = world.particles->v;
    for (std::size_t i = 0; i < springs.x.size(); ++i)
        if (world.particles->inv_mass[i] == 0) springs.inv_mass[i] = 0;
    update_accelerations(springs);
    return springs;
}

}  // namespace pliant
