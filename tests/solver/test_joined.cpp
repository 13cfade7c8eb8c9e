// What touches a collider does not move alone, and a gap that closes makes no spin.

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

TEST(Closing, AWideGapThatClosesMakesNoSpin)
{
    for (const Kind a : {Kind::cloth, Kind::solid, Kind::rigid}) {
        for (const Kind b : {Kind::cloth, Kind::rigid}) {
            World world;
            writable(world.forces).gravity = {};
            const Anchor first = add_part(world, a, -1, 1);
            for (Vec3& x : writable(world.particles).x) x += Vec3{0, Real(0.3), Real(0.1)};
            writable(world.particles).x_prev = world.particles->x;
            if (a == Kind::rigid) place_rigid(world, world.rigids.id_at(0), {.position = {-kSize / 2, 0.3, 0.1}});
            const Anchor second = add_part(world, b, 1, 1);
            add_glue(world, first, second, {.on = false, .keys = {{.time = 0.05, .on = true}}}, "close");
            Solver solver;
            double spin = 0, kinetic = 0;
            for (int f = 0; f < 20; ++f) {
                solver.step(world);
                spin = std::max(spin, angular_momentum(world, {}).norm());
                kinetic = std::max(kinetic, measure_energy(world).kinetic);
            }
            // m v r with the reduced mass of two bodies of 1 kg
            EXPECT_LT(spin, 1e-2 * std::sqrt(2 * 0.5 * kinetic) * 0.316) << int(a) << " " << int(b);
        }
    }
}

}  // namespace
}  // namespace pliant
