// Stiffness in N/m against closed forms.

#include "cloth/sheets.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_cloth;

constexpr double kStripLength = 1, kStripWidth = 0.3;  // [m]

/// A strip along y that hangs by its top, after it has come to rest. `end_mass` is spread over its lower side.
World hanging_strip(double warp_stiffness, double end_mass)
{
    ClothParams params;
    params.warp_stiffness = static_cast<Real>(warp_stiffness);
    params.shear_stiffness = params.weft_stiffness = static_cast<Real>(1e-4 * warp_stiffness);  // next to nothing
    params.damping = 4;
    World world = make_world(make_sheet(kStripLength, kStripWidth, 10, 3, SheetPattern::uniform), params);
    place_cloth(world, world.cloths.id_at(0), {.linear = rotation_of({0, 0, -90})});
    writable(world.settings).substeps = 10;
    writable(world.settings).iterations = 4;
    writable(world.forces).drag = 4;
    const Range all = all_particles(world);
    pin_particles(world, find_particles(world, all, {-1, 0.499, -1}, {1, 1, 1}));
    // The corners carry half as much as the others, as half as wide a strip pulls on them.
    for (const int i : find_particles(world, all, {-1, -1, -1}, {1, -0.499, 1})) {
        const double share = std::abs(double(world.particles->x[i].z)) > 0.49 * kStripWidth ? 0.5 : 1;
        writable(world.particles).mass[i] += static_cast<Real>(end_mass * share / 3);
        writable(world.particles).inv_mass[i] = 1 / world.particles->mass[i];
    }
    Solver solver;
    for (int frame = 0; frame < 240; ++frame) solver.step(world);
    return world;
}

double elongation(const World& world)
{
    double sum = 0;
    for (int i = 0; i < world.particles->size(); ++i)
        if (world.cloths[0].rest.vertices[i].x > 0.499 * kStripLength) sum += double(world.particles->x[i].y) / 4;
    return -0.5 * kStripLength - sum;
}

TEST(ClothStretch, AStripUnderALoadStretchesByForceOverStiffness)
{
    // F L / (k w) for the load at the end, and half as much for the strip's own weight.
    for (const double stiffness : {30.0, 100.0}) {
        const double load = 0.1, own = 0.2 * kStripLength * kStripWidth;  // [kg]
        const double expected = 9.81 * (load + own / 2) * kStripLength / (stiffness * kStripWidth);
        EXPECT_NEAR(elongation(hanging_strip(stiffness, load)), expected, 0.03 * expected) << stiffness;
    }
}

}  // namespace
}  // namespace pliant
