#include "solids/bodies.h"

#include "pliant/solver/solver.h"
#include "pliant/world/queries.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_bodies;

/// A sheet above a floor, falling at a speed.
World falling_sheet(Real speed, int cells = 20)
{
    World world;
    const ClothId sheet = add_cloth(world, make_sheet(1, 1, cells, cells, SheetPattern::uniform), {}, "sheet");
    place_cloth(world, sheet, {.position = {0, 5, 0}, .velocity = {0, -static_cast<double>(speed), 0}});
    add_collider(world, {});
    return world;
}

Effort effort_of(const World& world) { return Solver().find_effort(world); }

TEST(Effort, WhatTheSettingsSayCounts)
{
    World world = falling_sheet(20);
    set_settings(world, {.substeps = 3, .iterations = 4});
    const StepReport report = Solver().step(world);
    EXPECT_EQ(report.substeps, 3);
    EXPECT_EQ(report.effort.iterations, 4);
    EXPECT_FALSE(report.effort.chosen);
    EXPECT_FALSE(report.effort.body);
}

TEST(Effort, OneIterationUnlessSaid)
{
    World world = falling_sheet(0);
    EXPECT_EQ(effort_of(world).iterations, 1);
    set_settings(world, {.iterations = 0});
    EXPECT_EQ(effort_of(world).iterations, 0);
}

TEST(Effort, NamesTheBodyThatAskedForMost)
{
    World world = falling_sheet(0);
    const SolidId solid = add_solid(world, cube(4), {.youngs_modulus = Real(1e9)}, "stiff");
    place_solid(world, solid, {.position = {5, 5, 5}});
    const Effort effort = effort_of(world);
    ASSERT_TRUE(effort.body);
    EXPECT_EQ(name_of(world, *effort.body), "stiff");
    EXPECT_STREQ(effort.why, "stiffness");
}

TEST(Effort, OfClothGrowsWithTheRootOfItsFibresOverTheirEdges)
{
    // n = dt sqrt(g N / (K l)): twice the cells are twice the edges of half the length.
    const int coarse = effort_of(falling_sheet(0, 20)).substeps, fine = effort_of(falling_sheet(0, 40)).substeps;
    EXPECT_NEAR(fine, 2 * coarse, 2);
    World floating = falling_sheet(0);
    writable(floating.forces).gravity = {};
    EXPECT_EQ(effort_of(floating).substeps, 1) << "nothing pulls at it";
}

TEST(Effort, OfClothThatIsFreeGrowsWithItsSpin)
{
    const auto spinning = [](double spin) {
        World world = falling_sheet(0);
        writable(world.forces).gravity = {};
        place_cloth(world, world.cloths.id_at(0), {.angular_velocity = {0, spin, 0}});
        return effort_of(world).substeps;
    };
    EXPECT_NEAR(spinning(20), 2 * spinning(10), 2);
    EXPECT_GT(spinning(10), 2);
}

TEST(Effort, OfClothGrowsWithItsSpeedWhereThereIsSomethingToHit)
{
    const int slow = effort_of(falling_sheet(10)).substeps, fast = effort_of(falling_sheet(20)).substeps;
    EXPECT_NEAR(fast, 2 * slow, 2);
    EXPECT_GT(slow, effort_of(falling_sheet(0)).substeps);
    World free = falling_sheet(20);
    remove_collider(free, free.colliders.id_at(0));
    EXPECT_EQ(effort_of(free).substeps, effort_of(falling_sheet(0)).substeps);
}

TEST(Effort, CountsWhatMayHitAClothInTheFrame)
{
    const auto with_ball = [](double distance) {
        World world = falling_sheet(0);
        change_contact(world, [](ContactParams& params) { params.on = true; });
        const RigidId ball = add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.1});
        place_rigid(world, ball, {.position = {0, 5 + distance, 0}, .velocity = {0, -30, 0}});
        return effort_of(world).substeps;
    };
    EXPECT_GT(with_ball(0.3), 2 * with_ball(3)) << "30 m/s are half a metre in a frame";
}

TEST(Effort, ClothThatIsHeldWantsMoreForWhatItCarries)
{
    const auto with_ball = [](Real mass, bool held) {
        World world = falling_sheet(0);
        change_contact(world, [](ContactParams& params) { params.on = true; });
        if (held) pin_particles(world, std::vector{0, 20});
        const RigidId ball = add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.1}, {.mass = mass});
        place_rigid(world, ball, {.position = {0, 5.09, 0}});
        return effort_of(world).substeps;
    };
    EXPECT_GT(with_ball(2, true), 2 * with_ball(Real(0.001), true));
    EXPECT_EQ(with_ball(2, false), with_ball(Real(0.001), false));
}

TEST(Effort, OfRodsGrowsWhereTheyTouch)
{
    const auto rod = [](bool floor, Real height, Real modulus) {
        World world;
        const Real y = height;
        const double weight = 500 * 1000 * 9.81 * 0.02;  // of the default material
        add_rod(world, {{.points = {{0, y, 0}, {0.01, y, 0}, {0.02, y, 0}}}},
                {.youngs_modulus = modulus * static_cast<Real>(weight)});
        if (floor) add_collider(world, {});
        return effort_of(world).substeps;
    };
    EXPECT_EQ(rod(false, Real(0.01), 1), 1);
    EXPECT_EQ(rod(true, 1, 1), 1);
    EXPECT_NEAR(rod(true, Real(0.01), 1), 20, 1);
    EXPECT_NEAR(rod(true, Real(0.01), 64), 40, 1);
    EXPECT_EQ(rod(true, Real(0.01), 1e6), 40);
}

TEST(Effort, OfStrandsGrowsWhereTheyMayTouchEachOther)
{
    const auto strands = [](int count, bool turned) {
        World world;
        change_contact(world, [](ContactParams& params) { params.on = true; });
        std::vector<Strand> all;
        for (double z = 0; z < count; ++z) all.push_back({.points = {{0, 1, z}, {0.1, 1, z}, {0.2, 1, z}}});
        if (turned) all[0].points.insert(all[0].points.end(), {{0.2, 1.1, 0}, {0.1, 1.1, 0}});
        add_rod(world, all, {});
        return effort_of(world).substeps;
    };
    EXPECT_EQ(strands(1, false), 1);
    EXPECT_NEAR(strands(1, true), 20, 1);
    EXPECT_NEAR(strands(2, false), 20, 1);
}

TEST(Effort, OfClothKnowsOfTheAir)
{
    const auto sheet = [](Real wind, bool held) {
        World world = falling_sheet(0);
        set_cloth(world, world.cloths.id_at(0), {.areal_density = Real(0.2), .air_drag = 1});
        writable(world.forces).wind = {0, wind, 0};
        if (held) pin_particles(world, std::vector{0, 20});
        return effort_of(world).substeps;
    };
    EXPECT_EQ(sheet(10, false), sheet(0, false));  // it is carried along
    EXPECT_GT(sheet(10, true), 2 * sheet(0, true));
    EXPECT_NEAR(sheet(30, true), 3 * sheet(10, true), 6);
    const auto balloon = [](Real pressure) {
        World world;
        add_cloth(world, make_sphere(0.5, 10), {.areal_density = Real(0.2), .pressure = pressure});
        return effort_of(world).substeps;
    };
    EXPECT_GT(balloon(500), 3 * balloon(0));
    EXPECT_EQ(balloon(-500), balloon(500));
}

TEST(Effort, CollidersInMotionCountToo)
{
    World world = falling_sheet(0);
    const int still = effort_of(world).substeps;
    Collider bat{.shape = ColliderShape::sphere, .position = {-1, 5, 0}, .radius = Real(0.2)};
    bat.motion.keys = {{.time = 0}, {.time = 0.1, .translation = {5, 0, 0}}};
    add_collider(world, bat);
    EXPECT_GT(effort_of(world).substeps, 2 * still);
}

TEST(Effort, QualityScalesWhatTheEngineChooses)
{
    World world = falling_sheet(0);
    const double normal = effort_of(world).substeps;
    set_settings(world, {.quality = Quality::draft});
    EXPECT_NEAR(effort_of(world).substeps, normal / 2, 1);
    set_settings(world, {.quality = Quality::fine});
    EXPECT_NEAR(effort_of(world).substeps, normal * 2, 1);
    set_settings(world, {.substeps = 5, .quality = Quality::fine});
    EXPECT_EQ(effort_of(world).substeps, 5);
}

TEST(Effort, HasACapButForWhatWouldNotBeStable)
{
    EXPECT_EQ(effort_of(falling_sheet(1000)).substeps, kMostSubsteps);
    World stiff;
    add_solid(stiff, cube(8), {.youngs_modulus = Real(1e11)}, "steel");
    const int needed = stable_substeps(make_system(stiff.solids[0]), stiff.settings->dt);
    ASSERT_GT(needed, kMostSubsteps);
    EXPECT_EQ(effort_of(stiff).substeps, needed);
}

TEST(Effort, FallsByAnEighthAFrame)
{
    World world = falling_sheet(40);
    Solver solver;
    int last = solver.step(world).substeps;
    for (Vec3& v : writable(world.particles).v) v = {};
    const int calm = solver.find_effort(world).substeps;
    for (int frame = 0; frame < 60; ++frame) {
        const int substeps = solver.step(world).substeps;
        EXPECT_GE(substeps, last - std::max(1, last / 8));
        last = substeps;
    }
    EXPECT_LT(last, calm);
}

TEST(Effort, IsTheSameAfterACopy)
{
    World world = falling_sheet(20);
    Solver solver;
    for (int frame = 0; frame < 5; ++frame) solver.step(world);
    World copy = world;
    Solver fresh;
    for (int frame = 0; frame < 20; ++frame) EXPECT_EQ(solver.step(world).substeps, fresh.step(copy).substeps);
    EXPECT_EQ(hash_state(world), hash_state(copy));
}

TEST(Effort, OfSweptRodsKeepsThemShort)
{
    World world;
    Strand strand;
    for (int i = 0; i <= 40; ++i) strand.points.push_back({0, -0.05 * i, 0});
    add_rod(world, {strand}, {.bend = Real(0.5)});
    pin_particles(world, std::vector{0});
    Solver solver;
    for (int frame = 0; frame < 120; ++frame) solver.step(world);
    EXPECT_LT(measure_strain(world, world.rods[0]).p99, 0.03);
    EXPECT_GT(*world.substeps, 10);
}

}  // namespace
}  // namespace pliant
