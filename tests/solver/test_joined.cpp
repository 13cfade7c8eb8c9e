// What touches a collider does not move alone.

#include "glue/pairs.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_glue;

/// The most that kinetic and potential energy together rise above their start, as a part of the fall.
double highest_gain(World& world, int frames)
{
    Solver solver;
    const auto energy = [&] {
        const Energy e = measure_energy(world);
        return e.kinetic + e.potential;
    };
    const double start = energy();
    double most = start, lowest = measure_energy(world).potential;
    const double height = lowest;
    for (int f = 0; f < frames; ++f) {
        EXPECT_EQ(solver.step(world).trouble.text, "");
        most = std::max(most, energy());
        lowest = std::min(lowest, measure_energy(world).potential);
    }
    return (most - start) / (height - lowest);
}

/// A heavy ball on a stick falls on the ground, stick first.
TEST(JoinedPoints, AHeavySoftBallOnAStickGainsNoEnergyWhenItLands)
{
    for (const double modulus : {1e8, 1e9}) {
        World world;
        add_collider(world, {.name = "ground", .friction = Real(0.5)});
        const SolidId candy = add_solid(world, fill_with_spacing(make_sphere(0.2, 2), 0.05), {}, "candy");
        place_solid(world, candy, {.position = {0, 1.2, 0}});
        Strand strand;
        for (int i = 0; i <= 10; ++i) strand.points.push_back({0, 0.4 + 0.06 * i, 0});
        const RodId stick =
            add_rod(world, {strand}, {.radius = Real(0.015), .youngs_modulus = static_cast<Real>(modulus)}, "stick");
        const Vec3d top{0, 1, 0};
        add_glue(world, anchor_on(world, stick, top, GlueKind::weld), anchor_on(world, candy, top, GlueKind::weld),
                 {.kind = GlueKind::weld}, "hold");
        EXPECT_LT(highest_gain(world, 60), 0.02) << modulus;
    }
}

}  // namespace
}  // namespace pliant
