#include "allocations.h"
#include "pliant/geometry/mascot.h"
#include "pliant/geometry/ray.h"
#include "pliant/geometry/shapes.h"
#include "pliant/solver/solver.h"
#include "pliant/world/access.h"
#include "pliant/world/contact_surface.h"
#include "pliant/world/current_surface.h"
#include "pliant/world/debug_lines.h"
#include "pliant/world/queries.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
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

/// The first of some triangles that a ray meets.
double first_of_all(const Ray& ray, const std::vector<std::array<Vec3d, 3>>& triangles)
{
    double first = kNoHit;
    for (const auto& [a, b, c] : triangles) first = std::min(first, distance_to_triangle(ray, a, b, c));
    return first;
}

/// Casts rays from a ball of radius 3 around `center` to near it, and compares each with a look at all triangles.
void compare_rays(const World& world, const std::vector<std::array<Vec3d, 3>>& triangles, const Vec3d& center)
{
    std::mt19937 generator(3);
    std::normal_distribution<double> normal;
    const auto random = [&] { return Vec3d{normal(generator), normal(generator), normal(generator)}; };
    int hits = 0, misses = 0;
    for (int i = 0; i < 400; ++i) {
        const Vec3 from = (center + 3 * random().normalized()).cast<Real>(),
                   to = (center + 0.4 * random()).cast<Real>();
        const Ray ray{from.cast<double>(), (to - from).cast<double>().normalized(), kNoHit};
        const double expected = first_of_all(ray, triangles);
        const auto hit = raycast(world, from, to - from);
        ASSERT_EQ(hit.has_value(), expected < kNoHit) << "ray " << i;
        if (hit) { ASSERT_NEAR(static_cast<double>(hit->distance), expected, 2e-5) << "ray " << i; }
        (hit ? hits : misses) += 1;
    }
    EXPECT_GT(hits, 40);
    EXPECT_GT(misses, 40);
}

TEST(Raycast, MeetsAMeshColliderAtItsTriangles)
{
    World world;
    const SurfaceMesh rabbit = make_mascot(1);
    add_collider(world, {.shape = ColliderShape::mesh,
                         .position = {1, 2, 3},
                         .rotation = {20, 30, 40},
                         .mesh = make_collider_mesh(rabbit)});
    const Mat3d rotation = rotation_of({20, 30, 40});
    const auto placed = [&](int i) { return rotation * rabbit.vertices[i] + Vec3d{1, 2, 3}; };
    std::vector<std::array<Vec3d, 3>> triangles;
    for (const auto& [a, b, c] : rabbit.triangles) triangles.push_back({placed(a), placed(b), placed(c)});
    compare_rays(world, triangles, {1, 2, 3});
}

TEST(Raycast, BoxesAroundBodiesHideNothing)
{
    World world = queried();
    SolidShape skinned = fill_with_count(make_sphere(0.5, 6), 60);
    add_skin(skinned, 300);
    add_solid(world, skinned, {});
    place_cloth(world, add_cloth(world, make_grid(1, 1, 4, 4), {}), {.linear = rotation_of({50, 20, 10})});
    place_rigid(world, add_rigid(world, {.size = {1.2, 0.2, 0.3}}), {.linear = rotation_of({10, 20, 70})});
    Solver solver;
    add_grab(world, positions(world, world.solids.id_at(0))[0], Real(0.01));
    move_grab(world, world.grabs.id_at(0), {1, 1, 0});
    for (int frame = 0; frame < 3; ++frame) solver.step(world);  // the solid is pulled out of shape
    std::vector<std::array<Vec3d, 3>> triangles;
    for_each_body(world, [&](const auto& body) {
        const CurrentSurface surface = current_surface(world, body);
        for (const auto& triangle : surface.triangles) triangles.push_back(surface.corners(triangle));
    });
    compare_rays(world, triangles, {});
}

TEST(Raycast, AMissCostsNoCopyOfTheBody)
{
    World world = queried();
    add_cloth(world, make_grid(1, 1, 60, 60), {});
    add_rod(world, {{.points = {{9, 1, 0}, {10, 1, 0}, {11, 1, 0}}}}, {}, "rod");
    const auto bytes_of = [&](const Vec3& origin) {
        const std::size_t before = allocated_bytes;
        raycast(world, origin, kDown);
        return allocated_bytes - before;
    };
    EXPECT_EQ(bytes_of({3, 5, 0}), 0U);
    EXPECT_EQ(bytes_of({0, -1, 0}), 0U) << "below it, away from it";
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    EXPECT_GT(bytes_of({0, 5, 0}), 0U) << "the counter works";
#endif
}

TEST(Raycast, MeetsTubesAmongMany)
{
    World world = queried();
    std::vector<Strand> strands;
    for (int i = 0; i < 20; ++i) strands.push_back({.points = {{0.1 * i, 0, -1}, {0.1 * i, 0, 0}, {0.1 * i, 0, 1}}});
    add_rod(world, strands, {.radius = Real(0.01)});
    for (int i = 0; i < 20; ++i) {
        const auto hit = raycast(world, {Real(0.1) * static_cast<Real>(i), 2, Real(0.3)}, kDown);
        ASSERT_TRUE(hit.has_value()) << i;
        EXPECT_NEAR(double(hit->distance), 1.99, 1e-4);
        EXPECT_FALSE(raycast(world, {Real(0.1) * static_cast<Real>(i) + Real(0.05), 2, Real(0.3)}, kDown).has_value());
    }
}

TEST(Raycast, RefusesWhatIsNotFinite)
{
    World world = queried();
    const Real nan = std::numeric_limits<Real>::quiet_NaN();
    EXPECT_THROW(raycast(world, {nan, 0, 0}, kDown), InputError);
    EXPECT_THROW(raycast(world, {}, {nan, 0, 0}), InputError);
    EXPECT_THROW(raycast(world, {}, kDown, nan), InputError);
    EXPECT_THROW(raycast(world, {}, kDown, -1), InputError);
    EXPECT_THROW(overlap(world, {nan, 0, 0}, 1), InputError);
    EXPECT_THROW(overlap(world, {}, nan), InputError);
    EXPECT_THROW(overlap(world, {}, -1), InputError);
}

TEST(Overlap, CountsAPointInsideABody)
{
    World world = queried();
    const RigidId box = add_rigid(world, {.size = {2, 2, 2}});
    SolidShape shape = fill_with_count(make_box({2, 2, 2}, 3), 100);
    add_skin(shape, 300);
    const SolidId solid = add_solid(world, shape, {});
    place_solid(world, solid, {.position = {5, 0, 0}});
    const ColliderId crate =
        add_collider(world, {.shape = ColliderShape::box, .position = {10, 0, 0}, .size = {2, 2, 2}});
    const ColliderId mesh = add_collider(
        world,
        {.shape = ColliderShape::mesh, .position = {15, 0, 0}, .mesh = make_collider_mesh(make_box({2, 2, 2}, 1))});
    const auto at = [&](Real x) { return overlap(world, {x, Real(0.1), Real(0.2)}, Real(0.05)); };
    EXPECT_EQ(at(Real(0.1)), (std::vector<BodyRef>{box}));
    EXPECT_EQ(at(Real(5.1)), (std::vector<BodyRef>{solid}));
    EXPECT_EQ(at(Real(10.1)), (std::vector<BodyRef>{crate}));
    EXPECT_EQ(at(Real(15.1)), (std::vector<BodyRef>{mesh}));
    EXPECT_TRUE(at(Real(1.1)).empty());
    EXPECT_TRUE(at(Real(13.9)).empty());
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
