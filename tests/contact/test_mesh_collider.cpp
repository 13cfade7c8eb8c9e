// Colliders with meshes: what falls on them, what starts inside, what they carry.

#include "contact/collider_kinds.h"
#include "messages.h"
#include "pliant/contact/colliders/colliders.h"
#include "pliant/geometry/mascot.h"
#include "pliant/geometry/shapes.h"
#include "pliant/geometry/sheets.h"
#include "rigid/bodies.h"
#include "same_bits.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_rigids;

Collider mesh_collider(const SurfaceMesh& surface, const Vec3d& position = {}, double voxel = 0)
{
    Collider c;
    c.name = "thing";
    c.shape = ColliderShape::mesh;
    c.mesh = make_collider_mesh(surface, voxel);
    c.position = position;
    return c;
}

double lowest_distance(const World& world)
{
    const Collider& c = world.colliders[0];
    double least = 1e9;
    for (const Vec3& x : world.particles->x)
        least = std::min(least, double(nearest_surface(c, pose_at(c, world.time, world.time), x).distance));
    return least;
}

TEST(MeshCollider, EightDistancesAreNeverTooLarge)
{
    const Collider c = mesh_collider(make_torus(1, 0.3, 16), {1, 2, 3});
    const ColliderPose pose = pose_at(c, 0, 0);
    std::mt19937 random(8);
    std::uniform_real_distribution<Real> u(-4, 4);
    int far = 0;
    for (int i = 0; i < 200; ++i) {
        std::array<Vec3, kLanes> x;
        for (Vec3& point : x) point = pose.position + Vec3{u(random), u(random), u(random)};
        const Lanes eight = distance_to(shape_of(c), pose, load_vectors(x.data()));
        for (int l = 0; l < kLanes; ++l) {
            EXPECT_LE(eight[l], nearest_surface(c, pose, x[l]).distance);
            far += eight[l] > 1 ? 1 : 0;
        }
    }
    EXPECT_GT(far, 800);  // half of them: it does tell what is far away
}

World cloth_over(const SurfaceMesh& surface, double height)
{
    World world;
    writable(world.settings).substeps = 10;
    place_cloth(
        world,
        add_cloth(world, make_sheet(1, 1, 20, 20, SheetPattern::alternating), {.thickness = Real(0.01), .damping = 2}),
        {.position = {0, height, 0}});
    add_collider(world, mesh_collider(surface));
    return world;
}

TEST(MeshCollider, HoldsACloth)
{
    World world = cloth_over(make_mascot(1, 48), 1.2);
    Collider rough = world.colliders[0];
    rough.friction = 1;
    set_collider(world, world.colliders.id_at(0), rough);
    Solver solver;
    for (int frame = 0; frame < 120; ++frame) ASSERT_EQ(solver.step(world).trouble.text, "");
    EXPECT_GT(lowest_distance(world), 0.005 - 1e-4) << "half of its thickness";
    EXPECT_GT(center_of_mass(world.particles, all_particles(world)).y, 0.2);
}

TEST(MeshCollider, GivesTheSameBitsForAnyNumberOfThreads)
{
    expect_same_bits([] { return cloth_over(make_torus(0.3, 0.1, 32), 0.2); }, 40);
}

TEST(MeshCollider, ABoxIsLikeTheBoxItself)
{
    for (const RigidForm& form :
         {box({0.4, 0.4, 0.4}), ball(0.2), cylinder(0.2, 0.4), capsule(0.1, 0.2), mesh(make_box({0.4, 0.4, 0.4}, 2))}) {
        World world = world_with(4);
        add_collider(world, mesh_collider(make_box({2, 1, 2}, 1), {0, -0.5, 0}));
        place_rigid(world, add_rigid(world, form), {.position = {0, 0.3, 0}});
        Solver solver;
        for (int frame = 0; frame < 120; ++frame) ASSERT_EQ(solver.step(world).trouble.text, "");
        EXPECT_NEAR(position(world, 0).y, 0.2, 1e-3) << name_of(form.kind);
        EXPECT_LT(double(world.rigid_bodies->v[0].norm()), 1e-3) << name_of(form.kind);
        EXPECT_LT(double(world.rigid_bodies->w[0].norm()), 1e-2) << name_of(form.kind);
    }
}

TEST(MeshCollider, ABoxRestsOnABumpThatNoCornerOfItTouches)
{
    SurfaceMesh spike = make_box({1, 1, 1}, 1);  // its top in one point
    for (Vec3d& p : spike.vertices) p = p.y > 0 ? Vec3d{0.1 * p.x, p.y, 0.1 * p.z} : p;
    World world = world_with(4);
    add_collider(world, mesh_collider(spike));
    place_rigid(world, add_rigid(world, box({0.6, 0.2, 0.6})), {.position = {0, 0.65, 0}});
    Solver solver;
    for (int frame = 0; frame < 60; ++frame) ASSERT_EQ(solver.step(world).trouble.text, "");
    EXPECT_NEAR(position(world, 0).y, 0.6, 2e-3);
}

TEST(MeshCollider, WhatStartsInsideComesOutWithoutSpeed)
{
    World world = cloth_over(make_mascot(1, 48), 0.5);
    Solver solver;
    for (int frame = 0; frame < 30; ++frame) {
        ASSERT_EQ(solver.step(world).trouble.text, "");
        for (const Vec3& v : world.particles->v) ASSERT_LT(double(v.norm()), 15) << frame;
    }
    EXPECT_GT(lowest_distance(world), 0.005 - 1e-3);

    for (const RigidForm& form : {box({0.1, 0.1, 0.1}), ball(0.1), mesh(make_mascot(0.3, 24))}) {
        World rigid = world_with(4);
        writable(rigid.forces).gravity = {};
        add_collider(rigid, mesh_collider(make_torus(0.5, 0.3, 48)));
        place_rigid(rigid, add_rigid(rigid, form), {.position = {0.5, 0.02, 0}});
        Solver steps;
        for (int frame = 0; frame < 30; ++frame) {
            ASSERT_EQ(steps.step(rigid).trouble.text, "");
            EXPECT_LT(double(rigid.rigid_bodies->v[0].norm()), 0.1) << name_of(form.kind) << " in frame " << frame;
        }
        Touches touches;
        const Collider& c = rigid.colliders[0];
        find_touches(rigid.rigid_bodies->shape[0], rigid.rigid_bodies->pose[0], c, 0, touches);
        for (const Touch& touch : touches) EXPECT_LT(double(touch.depth), 2e-3) << name_of(form.kind);
    }
}

TEST(MeshCollider, ARingAroundAPostIsNotInsideIt)
{
    World world = world_with(4);
    writable(world.forces).gravity = {};
    add_collider(world, mesh_collider(make_box({0.1, 0.1, 0.1}, 1)));
    add_rigid(world, mesh(make_torus(0.5, 0.1, 24)));
    Solver solver;
    for (int frame = 0; frame < 5; ++frame) solver.step(world);
    EXPECT_LT(double(world.rigid_bodies->pose[0].x.norm()), 1e-6) << "its centre is inside, but no part of it";
}

TEST(MeshCollider, CarriesAlongWhatLiesOnIt)
{
    World world = world_with(4);
    Collider belt = mesh_collider(make_box({4, 1, 2}, 1), {0, -0.5, 0}, 0.1);
    belt.friction = 1;
    belt.motion.keys = {{0, {}, 0}, {2, {1, 0, 0}, 0}};
    add_collider(world, belt);
    place_rigid(world, add_rigid(world, box({0.4, 0.4, 0.4})), {.position = {0, 0.2, 0}});
    writable(world.particles).append(1);
    writable(world.particles).x[0] = writable(world.particles).x_prev[0] = {-1, Real(0.05), 0};
    writable(world.particles).radius[0] = Real(0.05);
    Solver solver;
    for (int frame = 0; frame < 60; ++frame) solver.step(world);
    EXPECT_NEAR(double(world.rigid_bodies->v[0].x), 0.5, 0.01);
    EXPECT_NEAR(double(world.particles->x[0].x), -0.5, 0.02);
}

TEST(MeshCollider, NeedsItsMesh)
{
    World world;
    Collider c;
    c.shape = ColliderShape::mesh;
    EXPECT_PRED2(says, message_of([&] { add_collider(world, c); }), "has no mesh");
}

}  // namespace
}  // namespace pliant
