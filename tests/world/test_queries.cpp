#include "pliant/geometry/shapes.h"
#include "pliant/solver/solver.h"
#include "pliant/world/access.h"
#include "pliant/world/contact_surface.h"
#include "pliant/world/debug_lines.h"
#include "pliant/world/queries.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {

namespace {

constexpr Vec3 kDown{0, -1, 0};

World queried()
{
    World world;
    writable(world.forces).gravity = {};
    return world;
}

}  // namespace

TEST(Raycast, MeetsEveryKindWhereItIs)
{
    World world = queried();
    const SolidId cube = add_solid(world, fill_with_spacing(make_box({1, 1, 1}, 1), 0.25), {}, "cube");
    const ClothId sheet = add_cloth(world, make_grid(1, 1, 4, 4), {}, "sheet");
    place_cloth(world, sheet, {.position = {5, 1, 0}});
    const RodId rod = add_rod(world, {{.points = {{9, 1, 0}, {10, 1, 0}, {11, 1, 0}}}}, {.radius = Real(0.1)}, "rod");
    const RigidId box = add_rigid(world, {}, {}, "box");
    place_rigid(world, box, {.position = {15, 0, 0}});
    const auto down_at = [&](Real x) { return raycast(world, {x, 5, Real(0.01)}, kDown); };

    EXPECT_EQ(down_at(Real(0.1))->body, BodyRef(cube));
    EXPECT_NEAR(double(down_at(Real(0.1))->distance), 4.5, 1e-4);
    EXPECT_GE(down_at(Real(0.1))->particle, 0);
    EXPECT_EQ(down_at(Real(5.1))->body, BodyRef(sheet));
    EXPECT_NEAR(double(down_at(Real(5.1))->distance), 4, 1e-5);
    EXPECT_EQ(down_at(Real(9.6))->body, BodyRef(rod));
    EXPECT_NEAR(double(down_at(Real(9.6))->distance), 3.9, 1e-3);
    EXPECT_EQ(down_at(15)->body, BodyRef(box));
    EXPECT_NEAR(double(down_at(15)->distance), 4.5, 1e-5);
    EXPECT_EQ(down_at(15)->particle, -1);
    EXPECT_NEAR(double(down_at(15)->normal.y), 1, 1e-6);
    EXPECT_FALSE(down_at(20).has_value());
    EXPECT_FALSE(raycast(world, {15, 5, 0}, kDown, 4).has_value()) << "out of reach";
    EXPECT_THROW(raycast(world, {}, {}), InputError);
}

TEST(Raycast, MeetsClothFromBothSides)
{
    World world = queried();
    add_cloth(world, make_grid(1, 1, 4, 4), {});
    EXPECT_GT(raycast(world, {0.1F, 1, 0.2F}, {0, -1, 0})->normal.y, 0);
    EXPECT_LT(raycast(world, {0.1F, -1, 0.2F}, {0, 1, 0})->normal.y, 0);
}

TEST(Raycast, MeetsCollidersOfAllShapesAsFormulasSay)
{
    World world;
    add_collider(world, {.name = "ground", .position = {0, -2, 0}});
    add_collider(world, {.name = "ball", .shape = ColliderShape::sphere, .radius = 1});
    add_collider(world, {.name = "crate", .shape = ColliderShape::box, .position = {5, 0, 0}, .size = {2, 2, 2}});
    add_collider(
        world,
        {.name = "post", .shape = ColliderShape::capsule, .position = {10, 0, 0}, .radius = Real(0.5), .height = 2});
    const auto at = [&](Real x) { return *raycast(world, {x, 9, 0}, kDown); };
    EXPECT_NEAR(double(at(Real(0.6)).distance), 9 - 0.8, 1e-3);
    EXPECT_NEAR(double(at(Real(5.3)).distance), 8, 1e-3);
    EXPECT_NEAR(double(at(10).distance), 7.5, 1e-3);
    EXPECT_NEAR(double(at(20).distance), 11, 1e-3);
    EXPECT_EQ(name_of(world, at(20).body), "ground");
}

TEST(Overlap, FindsWhatComesNear)
{
    World world = queried();
    const ColliderId ground = add_collider(world, {.name = "ground"});
    const ClothId sheet = add_cloth(world, make_grid(1, 1, 4, 4), {});
    place_cloth(world, sheet, {.position = {0, 1, 0}});
    EXPECT_EQ(overlap(world, {0.1F, 1.2F, 0.1F}, Real(0.25)), (std::vector<BodyRef>{sheet}));
    EXPECT_EQ(overlap(world, {0.1F, 0.5F, 0.1F}, Real(0.55)), (std::vector<BodyRef>{sheet, ground}));
    EXPECT_TRUE(overlap(world, {0.1F, 0.5F, 0.1F}, Real(0.4)).empty());
}

TEST(DebugLines, ShowEveryEdgeOnce)
{
    World world = queried();
    add_cloth(world, make_grid(1, 1, 2, 2), {});
    pin_particles(world, std::vector{0});
    int edges = 0, pins = 0;
    for (const DebugLine& line : debug_lines(world)) {
        edges += line.kind == LineKind::edge ? 1 : 0;
        pins += line.kind == LineKind::pin ? 1 : 0;
    }
    EXPECT_EQ(edges, 16);  // 12 of the cells and 4 diagonals
    EXPECT_EQ(pins, 3);
}

TEST(ContactFilter, SwitchesPairsOffAndOnByTheirIds)
{
    for (const bool touch : {true, false}) {
        World world;
        set_contact(world, {.on = true});
        const ClothId held = add_cloth(world, make_grid(1, 1, 6, 6), {}, "held");
        pin_particles(world, std::vector{0, 6, 42, 48});
        const RigidId ball = add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.2}, {.density = 50}, "ball");
        place_rigid(world, ball, {.position = {0, 0.4, 0}});
        set_contact_filter(world, held, ball, false);
        if (touch) set_contact_filter(world, ball, held, true);
        Solver solver;
        for (int frame = 0; frame < 60; ++frame) solver.step(world);
        if (touch) EXPECT_GT(pose(world, ball).x.y, Real(-0.5));
        else EXPECT_LT(pose(world, ball).x.y, Real(-2)) << "it falls through";
    }
}

}  // namespace pliant
