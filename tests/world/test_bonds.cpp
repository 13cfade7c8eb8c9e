// What overlaps where glue joins two bodies does not touch, as long as they are glued.

#include "edit_world.h"
#include "pliant/solver/solver.h"
#include "pliant/world/bonds.h"
#include "pliant/world/contact_surface.h"
#include "pliant/world/measure.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

World still_world()
{
    World world;
    writable(world.forces).gravity = {};
    change_contact(world, [](ContactParams& p) { p.on = true; });
    return world;
}

/// Four edges, of which the last two are inside the ball.
RodId add_bonded_stick(World& world)
{
    Strand strand;
    for (int i = 0; i <= 4; ++i) strand.points.push_back({0.05 * (i - 4), 0, 0});
    return add_rod(world, {strand}, {.radius = Real(0.004)}, "stick");
}

RigidId add_bonded_ball(World& world, const Vec3d& at)
{
    const RigidId ball = add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.12}, {.mass = Real(0.3)}, "ball");
    place_rigid(world, ball, {.position = at});
    return ball;
}

GlueId weld_stick(World& world, RodId rod, RigidId ball, const GlueParams& params)
{
    const Vec3d at{0, 0, 0};
    return add_glue(world, anchor_on(world, rod, at, params.kind), anchor_on(world, ball, at), params, "weld");
}

void run_bonded(World& world, int frames)
{
    Solver solver;
    for (int f = 0; f < frames; ++f) ASSERT_EQ(solver.step(world).trouble.text, "");
}

TEST(Bonds, ARodThatEndsInsideABallIsAtRest)
{
    World world = still_world();
    weld_stick(world, add_bonded_stick(world), add_bonded_ball(world, {0, 0, 0}), {.kind = GlueKind::weld});
    run_bonded(world, 60);
    EXPECT_FALSE(world.bonds->empty());
    EXPECT_LT(measure_energy(world).kinetic, 1e-9);
    EXPECT_EQ(find_crossings(world).size(), 0U);
}

TEST(Bonds, WhatDoesNotOverlapStillTouches)
{
    World world = still_world();
    weld_stick(world, add_bonded_stick(world), add_bonded_ball(world, {0, 0, 0}), {.kind = GlueKind::point});
    run_bonded(world, 1);
    ASSERT_FALSE(world.bonds->empty());
    for (const Bond& bond : *world.bonds)
        for (const auto& [p, q] : bond.points) EXPECT_GT(p, 0) << "the far end is outside";
}

TEST(Bonds, EndWithTheLastGlue)
{
    World world = still_world();
    const RodId stick = add_bonded_stick(world);
    const GlueId glue = weld_stick(world, stick, add_bonded_ball(world, {0, 0, 0}), {.kind = GlueKind::weld});
    run_bonded(world, 2);
    ASSERT_FALSE(world.bonds->empty());
    remove_glue(world, glue);
    EXPECT_TRUE(world.bonds->empty());
    run_bonded(world, 10);  // they separate in their own time
    EXPECT_LT(measure_energy(world).kinetic, 1e-6);
}

TEST(Bonds, FollowKeysAndAreFoundAgain)
{
    World world = still_world();
    const GlueParams keyed{.kind = GlueKind::weld, .keys = {{.time = 0.099, .on = false}, {.time = 0.199, .on = true}}};
    weld_stick(world, add_bonded_stick(world), add_bonded_ball(world, {0, 0, 0}), keyed);
    run_bonded(world, 4);
    EXPECT_FALSE(world.bonds->empty());
    run_bonded(world, 5);
    EXPECT_TRUE(world.bonds->empty());
    run_bonded(world, 8);
    EXPECT_FALSE(world.bonds->empty());
    EXPECT_LT(measure_energy(world).kinetic, 1e-6);
}

TEST(Bonds, AreNotMadeWithoutContactOrOverlap)
{
    World without = still_world();
    change_contact(without, [](ContactParams& p) { p.on = false; });
    weld_stick(without, add_bonded_stick(without), add_bonded_ball(without, {0, 0, 0}), {.kind = GlueKind::weld});
    run_bonded(without, 2);
    EXPECT_TRUE(without.bonds->empty());

    World apart = still_world();
    weld_stick(apart, add_bonded_stick(apart), add_bonded_ball(apart, {0.2, 0, 0}), {.kind = GlueKind::weld});
    run_bonded(apart, 2);
    EXPECT_TRUE(apart.bonds->empty());
}

}  // namespace
}  // namespace pliant
