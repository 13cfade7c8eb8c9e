#include "pliant/base/check.h"
#include "pliant/solver/solver.h"
#include "pliant/world/contact_surface.h"
#include "solids/bodies.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_bodies;

std::string refusal_of(const SolidShape& shape, const SolidParams& params)
{
    World world;
    try {
        add_solid(world, shape, params);
    } catch (const InputError& e) {
        return e.what();
    }
    return "accepted";
}

TEST(Edits, RefuseUnusableBodies)
{
    SolidShape shape = cube(3);
    EXPECT_EQ(refusal_of(shape, {}), "accepted");
    SolidParams tiny;
    tiny.cluster_radius = Real(0.01);
    EXPECT_NE(refusal_of(shape, tiny).find("cluster_radius"), std::string::npos);
    shape.mass.assign(27, 1.0);
    shape.mass[5] = -1;
    EXPECT_NE(refusal_of(shape, {}).find("mass of point 5"), std::string::npos);
    shape.mass[5] = 1;
    shape.points[7].x = NAN;
    EXPECT_NE(refusal_of(shape, {}).find("point 7"), std::string::npos);
    EXPECT_NE(refusal_of({}, {}).find("no particles"), std::string::npos);
    EXPECT_THROW(shape_of_points({{1, 1, 1}, {1, 1, 1}}), InputError);
}

TEST(Edits, RemovingABodyLeavesTheOthersAlone)
{
    const auto build = [](bool with_middle) {
        World world;
        std::vector<SolidId> ids;
        for (int k = 0; k < 3; ++k) {
            if (k == 1 && !with_middle) continue;
            ids.push_back(add_solid(world, cube(3), {}, "cube" + std::to_string(k)));
            place_solid(world, ids.back(),
                        {.linear = Mat3d::identity(),
                         .position = {2.0 * k, 1, 0},
                         .velocity = {},
                         .angular_velocity = {0, 0, 1.0 * k}});
            pin_particles(world, std::vector<int>{world.solids.back().particles.first});
        }
        if (with_middle) remove_solid(world, ids[1]);
        return world;
    };
    World removed = build(true), never = build(false);
    ASSERT_EQ(removed.solids.size(), 2U);
    EXPECT_EQ(removed.solids[1].name, "cube2");
    EXPECT_EQ(removed.drivers->pins.size(), 2U);
    Solver a, b;
    for (int i = 0; i < 10; ++i) {
        a.step(removed);
        b.step(never);
    }
    EXPECT_EQ(hash_state(removed.particles), hash_state(never.particles));
}

TEST(Edits, TetrahedraGiveTheirMassAndSkin)
{
    TetMesh tets;
    tets.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
    tets.tetrahedra = {{0, 1, 2, 3}, {1, 4, 2, 3}};
    const SolidShape shape = shape_of_tetrahedra(tets, 600);
    double mass = 0;
    for (const double m : shape.mass) mass += m;
    EXPECT_NEAR(mass, 600 * (1.0 / 6 + 1.0 / 3), 1e-9);
    EXPECT_EQ(shape.surface.triangles.size(), 6U);
}

TEST(Edits, ASkinTakesThePlaceOfTheOuterLayer)
{
    SolidShape shape = fill_with_count(make_sphere(0.5, 6), 200);
    const std::size_t before = shape.points.size(), vertices = shape.surface.vertices.size();
    shape.surface.vertices.push_back(shape.surface.vertices[7]);  // as files have it where textures meet
    for (std::array<int, 3>& t : shape.surface.triangles)
        if (t[0] == 7) t[0] = static_cast<int>(vertices);
    add_skin(shape, 1000);
    ASSERT_GT(shape.points.size(), vertices);
    ASSERT_LT(shape.points.size(), vertices + before / 2) << "the outer layer is gone";
    EXPECT_EQ(shape.surface_points[7], shape.surface_points[vertices]) << "one place, one particle";
    double mass = 0, inertia = 0;
    for (std::size_t i = 0; i < shape.points.size(); ++i) {
        EXPECT_GT(shape.mass[i], 0);
        mass += shape.mass[i];
        inertia += shape.mass[i] * (shape.points[i].x * shape.points[i].x + shape.points[i].y * shape.points[i].y);
    }
    EXPECT_NEAR(mass, 1000 * shape.volume, 1e-6);
    EXPECT_NEAR(inertia, 0.4 * mass * 0.25, 0.08 * inertia) << "still that of a ball";

    World world;
    add_solid(world, shape, {});
    const ContactSurface surface = make_contact_surface(world);
    EXPECT_EQ(surface.vertices.size(), vertices);
    EXPECT_EQ(surface.triangles.size(), shape.surface.triangles.size());
    EXPECT_EQ(surface.edges.size(), 3 * surface.triangles.size() / 2) << "closed";
}

TEST(Edits, TheSkinFollowsAffineMotionExactly)
{
    World world;
    SolidParams params;
    params.cluster_radius = Real(0.5);
    SolidShape shape = cube(6);
    shape.surface = make_box({1, 1, 1}, 4);
    const SolidId id = add_solid(world, shape, params);
    const Mat3d linear = rotation_about({1, 2, 0}, 70) * Mat3d::diagonal({1.5, 0.8, 1.1});
    place_solid(world, id, {.linear = linear, .position = {3, 4, 5}});
    std::vector<Vec3> vertices;
    update_skin(world.solids[0], world.particles->x, vertices);
    ASSERT_EQ(vertices.size(), shape.surface.vertices.size());
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        EXPECT_LT((vertices[i].cast<double>() - (linear * shape.surface.vertices[i] + Vec3d{3, 4, 5})).norm(),
                  100 * kEps);
    }
}

}  // namespace
}  // namespace pliant
