// Rigid bodies on colliders.

#include "contact/collider_kinds.h"
#include "pi.h"
#include "pliant/contact/rigid/rigid_contacts.h"
#include "pliant/geometry/mascot.h"
#include "pliant/geometry/shapes.h"
#include "rigid/bodies.h"
#include "same_bits.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

using namespace testing_rigids;

struct Slide {
    double drift;  // largest distance from the start [m]
    double speed;  // down the slope at the end [m/s]
};

/// A body that stands on the slope, its centre at a height.
Slide slide(const RigidForm& form, double height, const Collider& c, double degrees, int substeps, double seconds)
{
    World world = world_with(substeps);
    add_collider(world, c);
    const Mat3d rotation = rotation_about({0, 0, 1}, -degrees);
    place_rigid(world, add_rigid(world, form), {.linear = rotation, .position = height * rotation.c[1]});
    const Vec3d start = position(world, 0);
    Solver solver;
    Slide result{};
    for (int frame = 0; frame < static_cast<int>(60 * seconds); ++frame) {
        solver.step(world);
        result.drift = std::max(result.drift, (position(world, 0) - start).norm());
    }
    result.speed = world.rigid_bodies->v[0].cast<double>().dot(rotation.c[0]);
    return result;
}

TEST(RigidContact, ABlockHoldsWithinTheConeOfFriction)
{
    for (const ColliderShape shape : {ColliderShape::plane, ColliderShape::box}) {
        for (const int substeps : {1, 20}) {
            EXPECT_LT(slide(box({1, 1, 1}), 0.5, slope(26.565, 0.51, shape), 26.565, substeps, 5).drift, 1e-4)
                << substeps << " on a " << name_of(shape);
            EXPECT_LT(slide(box({1, 0.4, 1}), 0.2, slope(15, 0.26795 / 0.98, shape), 15, substeps, 5).drift, 1e-4)
                << substeps << " on a " << name_of(shape);
        }
    }
}

TEST(RigidContact, ABlockSlidesBeyondTheConeAsItShould)
{
    struct Case {
        double degrees, friction;
    };
    for (const Case& c : {Case{26.565, 0.2}, {26.565, 0.49}, {15, 0.2}, {45, 0.2}}) {
        const double angle = c.degrees * kPi / 180;
        const double a = 9.81 * (std::sin(angle) - c.friction * std::cos(angle));
        for (const int substeps : {1, 20})
            EXPECT_NEAR(slide(box({1, 0.5, 1}), 0.25, slope(c.degrees, c.friction), c.degrees, substeps, 2).speed,
                        2 * a, 0.01 * 2 * a)
                << c.degrees << " " << c.friction;
    }
}

TEST(RigidContact, ABallRollsDown)
{
    const double a = 5.0 / 7 * 9.81 * 0.5;
    for (const int substeps : {1, 20}) {
        EXPECT_NEAR(slide(ball(0.5), 0.5, slope(30, 0.5), 30, substeps, 2).speed, 2 * a, 0.01 * a);
        EXPECT_NEAR(slide(ball(0.5), 0.5, slope(30, 0.17), 30, substeps, 2).speed, 2 * a, 0.01 * a) << "just enough";
    }
    const double sliding = 9.81 * (0.5 - 0.1 * std::cos(kPi / 6));
    EXPECT_NEAR(slide(ball(0.5), 0.5, slope(30, 0.1), 30, 20, 2).speed, 2 * sliding, 0.01 * sliding);
    // A can lies across the slope: its axis along z.
    World world = world_with(20);
    add_collider(world, slope(30, 0.5));
    const Mat3d rotation = rotation_about({0, 0, 1}, -30);
    place_rigid(world, add_rigid(world, cylinder(0.5, 1)),
                {.linear = rotation * rotation_about({1, 0, 0}, 90), .position = 0.5 * rotation.c[1]});
    Solver solver;
    for (int frame = 0; frame < 60; ++frame) solver.step(world);
    const double can = 2.0 / 3 * 9.81 * 0.5;
    EXPECT_NEAR(world.rigid_bodies->v[0].cast<double>().dot(rotation.c[0]), can, 0.01 * can);
}

TEST(RigidContact, ATallBoxTipsBeforeItSlides)
{
    const double degrees = 30;  // a box half as wide as high tips beyond 26.6 degrees
    World world = world_with(10);
    add_collider(world, slope(degrees, 2));
    const Mat3d rotation = rotation_about({0, 0, 1}, -degrees);
    place_rigid(world, add_rigid(world, box({0.5, 1, 0.5})), {.linear = rotation, .position = 0.5 * rotation.c[1]});
    Solver solver;
    for (int frame = 0; frame < 60; ++frame) solver.step(world);
    EXPECT_LT(double(world.rigid_bodies->pose[0].rotation().c[1].y), 0.7);
    EXPECT_LT(slide(box({0.7, 1, 0.7}), 0.5, slope(degrees, 2), degrees, 10, 2).drift, 1e-3) << "a wider one stands";
}

TEST(RigidContact, WhatLiesStillStaysStill)
{
    struct Case {
        const char* name;
        RigidForm form;
        double height, smallest;  // extents [m]
    };
    constexpr double kGap = 0.1 * 5e-4;  // that the guard leaves, of the smallest extent
    for (const Case& c : {Case{"box", box({1, 0.4, 0.6}), 0.2, 0.4},
                          {"ball", ball(0.3), 0.3, 0.6},
                          {"capsule", capsule(0.2, 0.6), 0.5, 0.4},
                          {"cylinder", cylinder(0.3, 0.8), 0.4, 0.6},
                          {"mesh", mesh(make_cylinder(0.3, 0.8, 48)), 0.4, 0.6}}) {
        for (const ColliderShape shape : {ColliderShape::plane, ColliderShape::box}) {
            for (const int substeps : {1, 20}) {
                World world = world_with(substeps);
                add_collider(world, slope(0, 0.5, shape));
                place_rigid(world, add_rigid(world, c.form), {.position = {0.3, c.height, 0.2}});
                const Vec3d start = position(world, 0);
                Solver solver;
                double drift = 0, rise = 0, speed = 0;
                for (int frame = 0; frame < 300; ++frame) {
                    solver.step(world);
                    const auto moved = position(world, 0) - start;
                    drift = std::max(drift, std::hypot(double(moved.x), double(moved.z)));
                    rise = std::max(rise, std::abs(double(moved.y)));
                    speed = std::max(speed, double(world.rigid_bodies->v[0].norm()));
                }
                EXPECT_LT(drift, 5e-6) << c.name << " on a " << name_of(shape) << ", " << substeps;
                EXPECT_LT(rise, 1.05 * kGap * c.smallest) << c.name << ", " << substeps << ": to its resting gap, once";
                EXPECT_LT(speed, 1e-3) << c.name << " on a " << name_of(shape) << ", " << substeps;
            }
        }
    }
}

TEST(RigidContact, RestitutionGivesBackThatPartOfTheSpeed)
{
    for (const double e : {0.5, 1.0}) {
        for (const RigidForm& form : {ball(0.1), box({0.4, 0.2, 0.4})}) {
            World world = world_with(20);
            Collider floor;
            floor.restitution = static_cast<Real>(e);
            add_collider(world, floor);
            place_rigid(world, add_rigid(world, form), {.position = {0, 1.1, 0}});
            Solver solver;
            double highest = 0;
            for (int frame = 0; frame < 70; ++frame) {
                solver.step(world);
                if (world.rigid_bodies->v[0].y > 0 || highest > 0)
                    highest = std::max(highest, position(world, 0).y - 0.1);
            }
            EXPECT_NEAR(highest, e * e, 0.01) << e;
            EXPECT_LT(double(world.rigid_bodies->w[0].norm()), 1e-3);
        }
    }
}

TEST(RigidContact, TheBodysOwnCoefficientsCount)
{
    World world = world_with(20);
    add_collider(world, slope(20, 0));
    const Mat3d rotation = rotation_about({0, 0, 1}, -20);
    const RigidId id = add_rigid(world, box({1, 1, 1}), {.friction = Real(0.4)});
    place_rigid(world, id, {.linear = rotation, .position = 0.5 * rotation.c[1]});
    const Vec3d start = position(world, 0);
    Solver solver;
    for (int frame = 0; frame < 60; ++frame) solver.step(world);
    EXPECT_LT((position(world, 0) - start).norm(), 1e-4);
}

TEST(RigidContact, WhatStartsInsideComesOutWithoutSpeed)
{
    World world = world_with(1);
    add_collider(world, {});
    place_rigid(world, add_rigid(world, box({1, 1, 1})), {.position = {0, -0.2, 0}});
    Solver().step(world);
    EXPECT_NEAR(position(world, 0).y, 0.5, 1e-5);
    EXPECT_LT(double(world.rigid_bodies->v[0].norm()), 1e-3);
}

TEST(RigidContact, AMovingColliderCarriesAlongWhatLiesOnIt)
{
    for (const RigidForm& form : {box({0.4, 0.4, 0.4}), capsule(0.2, 0.3)}) {  // the capsule lies along the belt
        World world = world_with(4);
        Collider belt;
        belt.friction = 1;
        belt.motion.keys = {{0, {}, 0}, {2, {1, 0, 0}, 0}};
        add_collider(world, belt);
        place_rigid(world, add_rigid(world, form), {.linear = rotation_about({0, 0, 1}, 90), .position = {0, 0.2, 0}});
        Solver solver;
        for (int frame = 0; frame < 60; ++frame) solver.step(world);
        EXPECT_NEAR(double(world.rigid_bodies->v[0].x), 0.5, 0.01);
        EXPECT_NEAR(position(world, 0).x, 0.5, 0.02);
    }
}

TEST(RigidContact, ALiftRaisesABody)
{
    World world = world_with(4);
    Collider lift;
    lift.shape = ColliderShape::box;
    lift.size = {2, 1, 2};
    lift.position = {0, -0.5, 0};
    lift.motion.keys = {{0, {}, 0}, {1, {0, 1, 0}, 0}};
    add_collider(world, lift);
    place_rigid(world, add_rigid(world, box({0.4, 0.4, 0.4})), {.position = {0, 0.2, 0}});
    Solver solver;
    for (int frame = 0; frame < 30; ++frame) solver.step(world);
    EXPECT_NEAR(position(world, 0).y, 0.7, 1e-3);
    EXPECT_NEAR(double(world.rigid_bodies->v[0].y), 1, 1e-2);
}

/// Everything falls on everything.
World heap()
{
    World world = world_with(4, 2);
    Collider post, block, dome;
    post.shape = ColliderShape::capsule;
    post.position = {0, 0.3, 0};
    post.radius = Real(0.2);
    block.shape = ColliderShape::box;
    block.position = {2, 0.2, 0};
    block.rotation = {0, 30, 0};
    block.size = {1, Real(0.8), 1};
    dome.shape = ColliderShape::sphere;
    dome.position = {4, 0.1, 0};
    dome.restitution = Real(0.4);
    for (const Collider& c : {Collider{}, post, block, dome}) add_collider(world, c);
    const RigidForm forms[] = {box({0.4, 0.3, 0.2}), ball(0.2), capsule(0.1, 0.3), cylinder(0.15, 0.3),
                               mesh(make_mascot(0.5, 24))};
    for (int i = 0; i < 40; ++i) {
        const double x = 0.15 * i - 1;
        place_rigid(world, add_rigid(world, forms[i % 5]),
                    {.linear = rotation_of({11.0 * i, 7.0 * i, 5.0 * i}),
                     .position = {x, 1.5, 0.3 * ((i * 7) % 5) - 0.6},
                     .angular_velocity = {0.1 * i, 1, 0}});
    }
    return world;
}

TEST(RigidContact, NothingEndsUpInsideACollider)
{
    World world = heap();
    Solver solver;
    for (int frame = 0; frame < 240; ++frame) ASSERT_EQ(solver.step(world).trouble.text, "");
    const RigidBodies& b = world.rigid_bodies;
    for (int i = 0; i < b.size(); ++i) {
        for (const Collider& c : world.colliders) {
            Touches touches;
            find_touches(b.shape[i], b.pose[i], c, 0, touches);
            for (const Touch& touch : touches) EXPECT_LT(touch.depth, 1e-3) << i << " in a " << name_of(c.shape);
        }
        EXPECT_LT(double(b.v[i].norm()), 3) << i;
    }
}

TEST(RigidContact, GivesTheSameBitsForAnyNumberOfThreads) { expect_same_bits(heap, 60); }

}  // namespace
}  // namespace pliant
