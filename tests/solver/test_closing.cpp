// A gap that closes late gives free bodies neither momentum, and what lets go keeps what it has.

#include "glue/pairs.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_glue;

/// Two parts of kinds a and b, the first 0.316 m off, glued by a key at 0.05 s.
World closing(Kind a, Kind b, GlueKind kind)
{
    World world;
    writable(world.forces).gravity = {};
    writable(world.contact).on = false;  // bodies that have closed overlap: let go, they would push each other apart
    const Anchor first = add_part(world, a, -1, 1, kind);
    for (Vec3& x : writable(world.particles).x) x += Vec3{0, Real(0.3), Real(0.1)};
    writable(world.particles).x_prev = world.particles->x;
    if (a == Kind::rigid) place_rigid(world, world.rigids.id_at(0), {.position = {-kSize / 2, 0.3, 0.1}});
    const Anchor second = add_part(world, b, 1, 1, kind);
    add_glue(world, first, second,
             {.kind = kind, .on = false, .keys = {{.time = 0.05, .on = true}, {.time = 0.25, .on = false}}}, "close");
    return world;
}

TEST(Closing, AWideGapThatClosesMakesNeitherMomentum)
{
    for (const GlueKind kind : {GlueKind::point, GlueKind::weld})
        for (const Kind a : {Kind::cloth, Kind::solid, Kind::rod, Kind::rigid})
            for (const Kind b : {Kind::cloth, Kind::solid, Kind::rod, Kind::rigid}) {
                World world = closing(a, b, kind);
                Solver solver;
                double spin = 0, push = 0, kinetic = 0;
                for (int f = 0; f < 20; ++f) {
                    ASSERT_EQ(solver.step(world).trouble.text, "");
                    spin = std::max(spin, angular_momentum(world, {}).norm());
                    push = std::max(push, linear_momentum(world).norm());
                    kinetic = std::max(kinetic, measure_energy(world).kinetic);
                }
                // of m v r with the reduced mass of two bodies of 1 kg
                const double closing = std::sqrt(2 * 0.5 * kinetic);
                EXPECT_LT(spin, 1e-3 * closing * 0.316) << name_of(a) << " " << name_of(b) << " " << name_of(kind);
                EXPECT_LT(push, 1e-3 * closing) << name_of(a) << " " << name_of(b) << " " << name_of(kind);
            }
}

TEST(Closing, WhatOverlapsWhenItIsLetGoComesApartByItself)
{
    World world = closing(Kind::rigid, Kind::cloth, GlueKind::point);
    writable(world.contact).on.reset();
    Solver solver;
    const auto run = [&](int frames) {
        for (int f = 0; f < frames; ++f) ASSERT_EQ(solver.step(world).trouble.text, "");
    };
    run(15);
    const double kinetic = measure_energy(world).kinetic;
    run(10);
    EXPECT_FALSE(world.glues[0].on);
    EXPECT_LT(linear_momentum(world).norm(), 1e-3);
    EXPECT_LT(measure_energy(world).kinetic, 2 * kinetic);
}

}  // namespace
}  // namespace pliant
