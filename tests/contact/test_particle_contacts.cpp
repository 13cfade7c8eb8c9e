#include "pliant/contact/colliders/particle_contacts.h"

#include "contact/collider_kinds.h"
#include "pliant/solver/solver.h"
#include "solids/bodies.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_bodies;

TEST(Colliders, TheDistanceIsThatToTheNearestSurfacePoint)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<Real> u(-2, 2);
    for (const ColliderShape shape : {ColliderShape::plane, ColliderShape::sphere, ColliderShape::box,
                                      ColliderShape::capsule, ColliderShape::cylinder}) {
        const Collider c = collider_of(shape);
        const ColliderPose pose = pose_at(c, 0, 0);
        for (int i = 0; i < 300; ++i) {
            const Vec3 x = pose.position + Vec3{u(random), u(random), u(random)};
            const SurfacePoint s = nearest_surface(c, pose, x);
            EXPECT_NEAR(double(s.normal.norm()), 1, 1e-5);
            // Going back by the distance lands on the surface ...
            EXPECT_NEAR(double(nearest_surface(c, pose, x - s.distance * s.normal).distance), 0, 2e-6);
            // ... and no nearby step gains more than its length.
            const Vec3 step = Real(0.01) * Vec3{u(random), u(random), u(random)};
            EXPECT_LE(std::abs(nearest_surface(c, pose, x + step).distance - s.distance), step.norm() + Real(2e-6));
        }
    }
}

TEST(Colliders, EightDistancesHaveTheBitsOfOne)
{
    std::mt19937 random(6);
    std::uniform_real_distribution<Real> u(-2, 2);
    for (const ColliderShape shape : {ColliderShape::plane, ColliderShape::sphere, ColliderShape::box,
                                      ColliderShape::capsule, ColliderShape::cylinder}) {
        const Collider c = collider_of(shape);
        const ColliderPose pose = pose_at(c, 0, 0);
        for (int i = 0; i < 100; ++i) {
            std::array<Vec3, kLanes> x;
            for (Vec3& point : x) point = pose.position + Vec3{u(random), u(random), u(random)};
            const Lanes eight = distance_to(shape_of(c), pose, load_vectors(x.data()));
            for (int l = 0; l < kLanes; ++l) {
                const Real one = nearest_surface(c, pose, x[l]).distance;
                if (one < 0) {
                    EXPECT_LT(eight[l], 0);
                } else {
                    EXPECT_EQ(eight[l], one);
                }
            }
        }
    }
}

/// One free particle of radius 0.1 m.
World one_particle(const Vec3& x, const Vec3& v)
{
    World world;
    writable(world.settings).iterations = 1;
    writable(world.particles).append(1);
    writable(world.particles).x[0] = writable(world.particles).x_prev[0] = x;
    writable(world.particles).v[0] = v;
    writable(world.particles).radius[0] = Real(0.1);
    return world;
}

TEST(Contact, AParticleOnASlopeHoldsWithinTheFrictionConeAndSlidesBeyondIt)
{
    for (const double degrees : {15.0, 30.0, 45.0}) {
        const double angle = degrees * 3.14159265358979 / 180;
        const Vec3 normal{static_cast<Real>(std::sin(angle)), static_cast<Real>(std::cos(angle)), 0};
        const Vec3 down{static_cast<Real>(std::cos(angle)), static_cast<Real>(-std::sin(angle)), 0};
        World holds = one_particle(Real(0.1) * normal, {});
        add_collider(holds, slope(degrees, static_cast<Real>(std::tan(angle) / 0.98)));
        World slides = one_particle(Real(0.1) * normal, {});
        const double mu = 0.5 * std::tan(angle);
        add_collider(slides, slope(degrees, static_cast<Real>(mu)));
        Solver solver;
        const int frames = 60;
        for (int i = 0; i < frames; ++i) {
            solver.step(holds);
            solver.step(slides);
        }
        EXPECT_LT((holds.particles->x[0] - Real(0.1) * normal).norm(), 1e-5);
        const double speed = 9.81 * (std::sin(angle) - mu * std::cos(angle)) * frames / 60.0;
        EXPECT_NEAR(double(slides.particles->v[0].dot(down)), speed, 0.01 * speed);
    }
}

TEST(Contact, RestitutionGivesBackThatPartOfTheSpeed)
{
    World world = one_particle({0, 1, 0}, {});
    Collider floor;
    floor.restitution = Real(0.5);
    add_collider(world, floor);
    Solver solver;
    double highest = 0;
    bool touched = false;
    for (int i = 0; i < 60; ++i) {
        const bool contact = solver.step(world).contacts > 0;
        touched = touched || contact;
        if (touched) highest = std::max(highest, double(world.particles->x[0].y));
    }
    EXPECT_NEAR(highest - 0.1, 0.25 * 0.9, 0.04);  // a quarter of the height, half the speed
}

TEST(Contact, WhatStartsInsideComesOutWithoutSpeed)
{
    World world = one_particle({0, Real(-0.5), 0}, {});
    add_collider(world, {});
    Solver().step(world);
    EXPECT_NEAR(double(world.particles->x[0].y), 0.1, 1e-6);
    EXPECT_LT(double(world.particles->v[0].norm()), 0.01);
}

TEST(Contact, AMovingColliderCarriesAlongWhatLiesOnIt)
{
    World world = one_particle({0, Real(0.1), 0}, {});
    Collider belt;
    belt.friction = 1;
    belt.motion.keys = {{0, {}, 0}, {2, {1, 0, 0}, 0}};
    add_collider(world, belt);
    Solver solver;
    for (int i = 0; i < 60; ++i) solver.step(world);
    EXPECT_NEAR(double(world.particles->x[0].x), 0.5, 0.01);
    EXPECT_NEAR(double(world.particles->v[0].x), 0.5, 0.01);
}

TEST(Contact, AFallingCubeComesToRestOnEveryCollider)
{
    for (const ColliderShape shape : {ColliderShape::plane, ColliderShape::box}) {
        SolidParams params;
        params.damping = 10;
        World world;
        const SolidId id = add_solid(world, cube(5), params);
        place_solid(world, id, {.linear = Mat3d::identity(), .position = {0, 1, 0}});
        Collider c;
        c.shape = shape;
        c.size = {4, 1, 4};
        if (shape == ColliderShape::box) c.position = {0, -0.5, 0};
        add_collider(world, c);
        Solver solver;
        for (int i = 0; i < 400; ++i) solver.step(world);
        for (const Vec3& x : world.particles->x) EXPECT_GE(x.y, Real(0.1) - Real(1e-4));
        EXPECT_NEAR(center_of_mass(world.particles, all_particles(world)).y, 0.5, 0.05);
        EXPECT_LT(measure_energy(world).kinetic, 1);
    }
}

}  // namespace
}  // namespace pliant
