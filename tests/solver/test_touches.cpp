#include "pliant/geometry/shapes.h"
#include "pliant/solver/solver.h"
#include "pliant/world/access.h"
#include "pliant/world/measure.h"
#include "pliant/world/queries.h"

#include <gtest/gtest.h>

namespace pliant {

namespace {

Real impulse_between(const StepReport& report, const BodyRef& a, const BodyRef& b)
{
    Real sum = 0;
    for (const ContactEvent& touch : report.touches)
        if ((touch.a == a && touch.b == b) || (touch.a == b && touch.b == a)) sum += touch.impulse;
    return sum;
}

}  // namespace

TEST(Touches, WhatRestsPushesWithItsWeight)
{
    World world;
    set_settings(world, {.sleeping = false});  // what sleeps is not in the report
    const ColliderId ground = add_collider(world, {.name = "ground"});
    const RigidId box = add_rigid(world, {.size = {0.4, 0.4, 0.4}}, {.mass = Real(5)}, "box");
    place_rigid(world, box, {.position = {0, 0.2, 0}});
    const ClothId sheet = add_cloth(world, make_grid(1, 1, 6, 6), {.areal_density = 2}, "sheet");
    place_cloth(world, sheet, {.position = {3, 0.001, 0}});
    Solver solver;
    for (int frame = 0; frame < 60; ++frame) EXPECT_TRUE(solver.step(world).touches.empty()) << "nobody asked";
    solver.report_contacts = true;
    const StepReport report = solver.step(world);
    const double g = 9.81 / 60;
    EXPECT_NEAR(double(impulse_between(report, box, ground)), 5 * g, 0.05 * 5 * g);
    EXPECT_NEAR(double(impulse_between(report, sheet, ground)), 2 * g, 0.1 * 2 * g);
    for (const ContactEvent& touch : report.touches) {
        EXPECT_NEAR(double(touch.normal.y), 1, 1e-5) << "from the ground up";
        EXPECT_NEAR(double(touch.point.y), 0, 1e-2);
    }
}

TEST(Touches, BodiesThatMeetTellTheirImpulse)
{
    World world;
    set_forces(world, {.gravity = {}});
    set_contact(world, {.on = true, .friction = 0});
    set_settings(world, {.substeps = 4, .iterations = 1});
    const RigidId left = add_rigid(world, {.size = {0.2, 0.2, 0.2}}, {.mass = Real(1)}, "left");
    const RigidId right = add_rigid(world, {.size = {0.3, 0.3, 0.3}}, {.mass = Real(2)}, "right");
    place_rigid(world, left, {.position = {-0.3, 0, 0}, .velocity = {2, 0, 0}});
    Solver solver;
    solver.report_contacts = true;
    double impulse = 0;
    for (int frame = 0; frame < 30; ++frame) impulse += double(impulse_between(solver.step(world), left, right));
    const double gained = 2 * double(velocity(world, right).x);
    EXPECT_GT(gained, 1);
    EXPECT_NEAR(impulse, gained, 0.1 * gained);
}

TEST(Touches, ClothThatIsHitNamesTheBall)
{
    World world;
    set_contact(world, {.on = true});
    const ClothId sheet = add_cloth(world, make_grid(1, 1, 8, 8), {.areal_density = 1}, "sheet");
    pin_particles(world, std::vector{0, 8, 72, 80});
    const RigidId ball = add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.15}, {.mass = Real(1)}, "ball");
    place_rigid(world, ball, {.position = {0.05, 0.3, 0.02}});
    Solver solver;
    solver.report_contacts = true;
    Real most = 0;
    for (int frame = 0; frame < 40; ++frame) most = std::max(most, impulse_between(solver.step(world), sheet, ball));
    EXPECT_GT(most, Real(0.1));
    EXPECT_GT(pose(world, ball).x.y, Real(-0.6));
}

}  // namespace pliant
