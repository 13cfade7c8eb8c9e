#include "pliant/geometry/shapes.h"
#include "pliant/math/rotation.h"
#include "pliant/solver/solver.h"
#include "pliant/state/mobility.h"
#include "pliant/world/access.h"
#include "pliant/world/measure.h"

#include "messages.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {

namespace {

World weightless()
{
    World world;
    set_forces(world, {.gravity = {}});
    return world;
}

SolidId add_cube(World& world) { return add_solid(world, fill_with_spacing(make_box({1, 1, 1}, 1), 0.25), {}, "cube"); }

}  // namespace

TEST(Access, BodiesByTheirIds)
{
    World world;
    const SolidId first = add_cube(world);
    const ClothId sheet = add_cloth(world, make_grid(1, 1, 4, 4), {}, "sheet");
    const RigidId ball = add_rigid(world, {.kind = RigidKind::sphere}, {}, "ball");
    EXPECT_EQ(solid(world, first).name, "cube");
    EXPECT_EQ(positions(world, sheet).size(), 25U);
    EXPECT_EQ(&positions(world, sheet)[0], &world.particles->x[cloth(world, sheet).particles.first]);
    EXPECT_EQ(pose(world, ball).x, Vec3{});
    EXPECT_NEAR(double(normals(world, sheet)[12].y), 1, 1e-6);

    remove_solid(world, first);
    EXPECT_EQ(&positions(world, sheet)[0], &world.particles->x[0]) << "it has moved up";
    EXPECT_NE(message_of([&] { solid(world, first); }).find("has been removed"), std::string::npos);
    EXPECT_THROW(set_position(world, sheet, 25, {}), InputError);
    EXPECT_THROW(set_position(world, sheet, 0, {std::numeric_limits<Real>::quiet_NaN(), 0, 0}), InputError);
}

TEST(Access, PutsAndThrowsThings)
{
    World world = weightless();
    const ClothId sheet = add_cloth(world, make_grid(1, 1, 4, 4), {});
    pin_particles(world, std::vector{0});
    set_position(world, sheet, 3, {0, 5, 0});
    EXPECT_EQ(world.particles->x[3], (Vec3{0, 5, 0}));
    set_velocity(world, sheet, 3, {1, 2, 3});
    set_velocity(world, sheet, 0, {1, 2, 3});
    EXPECT_EQ(velocities(world, sheet)[3], (Vec3{1, 2, 3}));
    EXPECT_EQ(velocities(world, sheet)[0], Vec3{}) << "it is pinned";

    const RigidId box = add_rigid(world, {}, {});
    set_position(world, box, {3, 0, 0});
    set_velocity(world, box, {0, 1, 0}, {0, 0, 2});
    Solver().step(world, Real(0.5));
    EXPECT_NEAR(double((pose(world, box).x - Vec3{3, Real(0.5), 0}).norm()), 0, 1e-5);
    EXPECT_NEAR(double(angular_velocity(world, box).z), 2, 1e-4);
}

TEST(Access, ImpulsesChangeTheMomentumByThemselves)
{
    World world = weightless();
    const SolidId cube = add_cube(world);
    add_impulse(world, cube, {100, 0, 0});
    add_impulse(world, cube, 7, {0, 0, 2});
    EXPECT_LT((linear_momentum(world) - Vec3d{100, 0, 2}).norm(), 1e-3);

    World other = weightless();
    const RigidId ball = add_rigid(other, {.kind = RigidKind::sphere, .radius = 1}, {.mass = Real(2)});
    add_impulse(other, ball, {0, 3, 0}, {1, 0, 0});
    EXPECT_LT((linear_momentum(other) - Vec3d{0, 3, 0}).norm(), 1e-6);
    EXPECT_LT((angular_momentum(other, {}) - Vec3d{0, 0, 3}).norm(), 1e-5);
}

TEST(Access, ForcesActForOneStepHoweverManySubsteps)
{
    for (const int substeps : {1, 7}) {
        World world = weightless();
        writable(world.settings).substeps = substeps;
        const SolidId cube = add_cube(world);
        const RigidId ball = add_rigid(world, {.kind = RigidKind::sphere, .radius = 1}, {.mass = Real(2)});
        place_rigid(world, ball, {.position = {9, 0, 0}});
        Solver solver;
        add_force(world, cube, {600, 0, 0});
        add_force(world, ball, {0, 60, 0}, {9, 0, 0});
        solver.step(world, Real(1) / 60);
        EXPECT_LT((linear_momentum(world) - Vec3d{10, 1, 0}).norm(), 0.05) << substeps;  // rounding of 1000 kg
        solver.step(world, Real(1) / 60);
        EXPECT_LT((linear_momentum(world) - Vec3d{10, 1, 0}).norm(), 0.05) << "it is forgotten";
        EXPECT_TRUE(world.applied_forces->empty());
    }
}

TEST(Access, ForcesGoWithTheirBodies)
{
    World world = weightless();
    const SolidId gone = add_cube(world), stays = add_cube(world);
    add_force(world, gone, {600, 0, 0});
    add_force(world, stays, {0, 600, 0});
    remove_solid(world, gone);
    Solver().step(world, Real(1) / 60);
    EXPECT_LT((linear_momentum(world) - Vec3d{0, 10, 0}).norm(), 1e-3);
}

TEST(Access, ColliderMovedByHandHasItsVelocity)
{
    World world = weightless();
    const ColliderId paddle = add_collider(
        world, {.name = "paddle", .shape = ColliderShape::box, .position = {-1, 0, 0}, .size = {Real(0.2), 1, 1}});
    const RigidId ball = add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.1}, {});
    Solver solver;
    const Real dt = world.settings->dt;
    for (int frame = 1; frame <= 60; ++frame) {
        move_collider(world, paddle, {-1 + 2 * frame * double(dt), 0, 0}, Mat3d::identity(), double(dt));
        solver.step(world);
    }
    EXPECT_NEAR(double(velocity(world, ball).x), 2, 0.02);
    solver.step(world);
    EXPECT_GT(pose(world, ball).x.x, Real(1)) << "it flies ahead, the paddle stays";
    EXPECT_THROW(move_collider(world, paddle, {}, Mat3d::identity(), 0), InputError);
    EXPECT_THROW(move_collider(world, paddle, {}, 2 * Mat3d::identity(), 1), InputError);
}

TEST(Access, RigidBodyMovedByHandArrives)
{
    World world = weightless();
    const RigidId box = add_rigid(world, {}, {});
    for (const double degrees : {0.0, 30.0, 180.0}) {
        const Mat3d wanted = rotation_about({1, 2, 3}, degrees);
        move_rigid(world, box, {degrees / 100, 1, 0}, wanted, 0.25);
        Solver solver;
        for (int i = 0; i < 20; ++i) solver.step(world, Real(1) / 60);
        EXPECT_LT((pose(world, box).x.cast<double>() - Vec3d{degrees / 100, 1, 0}).norm(), 1e-5);
        const Mat3d apart = pose(world, box).rotation().cast<double>() - wanted;
        EXPECT_LT(apart.c[0].norm() + apart.c[1].norm() + apart.c[2].norm(), 1e-4) << degrees;
    }
}

TEST(Rotation, AxisAndAngleLeadBack)
{
    std::mt19937 random(3);
    std::uniform_real_distribution<double> u(-1, 1);
    for (int i = 0; i < 200; ++i) {
        const Vec3d axis = Vec3d{u(random), u(random), u(random)}.normalized();
        const double degrees = i % 4 == 0 ? 180 : i % 4 == 1 ? 1e-3 : 180 * std::abs(u(random));
        const Mat3d r = rotation_about(axis, degrees), back = rotation_of(axis_angle_of(r).vector());
        for (int c = 0; c < 3; ++c) EXPECT_LT((back.c[c] - r.c[c]).norm(), 1e-7) << degrees;
    }
}

}  // namespace pliant
