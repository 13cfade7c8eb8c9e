// Hinges, sliders, balls and distances: what they hold, what they leave free, limits, motors and friction.

#include "glue/pairs.h"
#include "messages.h"
#include "pi.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

using namespace testing_glue;

constexpr double kDegree = kPi / 180;

/// A body of a kind that reaches from the origin along x, held to the world there.
World held(Kind kind, const GlueParams& params, int substeps = 8)
{
    World world;
    writable(world.settings).substeps = substeps;
    writable(world.settings).iterations = 1;
    add_part(world, kind, 1, 1, params.kind);
    const Anchor a = kind == Kind::solid ? anchor_on(world, world.solids.id_at(0), {}, params.kind)
                     : kind == Kind::rod ? anchor_on(world, world.rods.id_at(0), {}, params.kind)
                                         : anchor_on_first(world, kind, {});
    add_glue(world, a, anchor_on_motion({}), params, "joint");
    return world;
}

/// A direction of the world at the start, as side a carries it now.
Vec3d carried(const World& world, const Vec3d& direction)
{
    const auto place = [&](const Vec3d& offset) {
        Anchor moved = world.glues[0].a;
        moved.point += moved.axes * offset;
        return place_of(moved, world.time, world.particles, world.rigid_bodies);
    };
    return place(direction) - place({});
}

void run(World& world, int frames, const auto& look)
{
    Solver solver;
    for (int frame = 0; frame < frames; ++frame) {
        ASSERT_EQ(solver.step(world).trouble.text, "");
        look();
    }
}

constexpr Kind kOriented[] = {Kind::rigid, Kind::solid, Kind::cloth, Kind::rod};

TEST(Hinge, TurnsAboutItsAxisOnly)
{
    for (const Kind kind : kOriented) {
        World world = held(kind, {.kind = GlueKind::hinge, .axis = {0, 0, 1}});
        double most = 0;
        run(world, 90, [&] {
            EXPECT_LT(glue_gap(world, world.glues[0]), 1e-4) << name_of(kind);
            EXPECT_LT((carried(world, {0, 0, 1}) - Vec3d{0, 0, 1}).norm(), 2e-3) << name_of(kind);
            most = std::max(most, std::abs(world.glues[0].angle));
        });
        EXPECT_GT(most, 60 * kDegree) << name_of(kind) << " falls to the side that is free";
    }
}

TEST(Hinge, StaysWithinItsLimits)
{
    for (const Kind kind : kOriented)
        for (const double limit : {5.0, 40.0}) {
            World world = held(kind, {.kind = GlueKind::hinge, .axis = {0, 0, 1}, .low = -limit, .high = limit}, 10);
            double most = 0;
            run(world, 120, [&] { most = std::max(most, std::abs(world.glues[0].angle)); });
            EXPECT_LT(most, (limit + 1) * kDegree) << name_of(kind);
            EXPECT_GT(most, (limit - 1) * kDegree) << name_of(kind) << " leans on it";
        }
}

TEST(Hinge, CountsWholeTurns)
{
    World world = held(Kind::rigid, {.kind = GlueKind::hinge, .axis = {0, 0, 1}, .motor_speed = 720});
    writable(world.forces).gravity = {};
    run(world, 120, [] {});
    EXPECT_NEAR(world.glues[0].angle, 4 * 2 * kPi, 0.05);
}

TEST(Hinge, MotorIsAsStrongAsItsLimit)
{
    constexpr double kTorque = 0.05;
    World world =
        held(Kind::rigid, {.kind = GlueKind::hinge, .axis = {0, 0, 1}, .motor_speed = 1e4, .motor_limit = kTorque});
    writable(world.forces).gravity = {};
    const double inertia = double(world.rigid_bodies->inertia[0].z) + kSize * kSize / 4;  // about the hinge
    run(world, 60, [] {});
    EXPECT_NEAR(world.glues[0].angle, 0.5 * kTorque / inertia, 0.02 * kTorque / inertia);
    EXPECT_NEAR(double(world.glues[0].torque), kTorque, 1e-3 * kTorque);
}

TEST(Hinge, FrictionHoldsWhatIsBelowItAndNothingAbove)
{
    const double weight = 9.81 * kSize / 2;  // its torque, level
    for (const double friction : {1.1 * weight, 0.5 * weight}) {
        World world = held(Kind::rigid, {.kind = GlueKind::hinge, .axis = {0, 0, 1}, .friction = friction});
        run(world, 60, [] {});
        EXPECT_EQ(std::abs(world.glues[0].angle) < 1e-3, friction > weight) << world.glues[0].angle;
    }
}

TEST(Hinge, MotorGoesToItsTargetAndHoldsIt)
{
    World world =
        held(Kind::rigid, {.kind = GlueKind::hinge, .axis = {0, 0, 1}, .motor_speed = 90, .motor_target = 45});
    run(world, 120, [] {});
    EXPECT_NEAR(world.glues[0].angle, 45 * kDegree, 0.1 * kDegree);
    EXPECT_LT(measure_energy(world).kinetic, 1e-6);
}

TEST(Slider, MovesAlongItsAxisBetweenItsLimits)
{
    for (const Kind kind : kOriented) {
        World world = held(kind, {.kind = GlueKind::slider, .axis = {0, 1, 0}, .low = -0.3, .high = 0.1});
        run(world, 90, [&] {
            EXPECT_LT(glue_gap(world, world.glues[0]), 1e-4) << name_of(kind);
            EXPECT_LT((carried(world, {0, 0, 1}) - Vec3d{0, 0, 1}).norm(), 2e-3) << name_of(kind);
        });
        const double y = place_of(world.glues[0].a, world.time, world.particles, world.rigid_bodies).y;
        EXPECT_NEAR(y, -0.3, 2e-3) << name_of(kind) << " has fallen onto its lower end";
    }
}

TEST(Slider, MotorLiftsWhatItCan)
{
    for (const double force : {8.0, 12.0}) {  // the weight is 9.81 N
        World world = held(Kind::rigid, {.kind = GlueKind::slider,
                                         .axis = {0, 1, 0},
                                         .motor_speed = 0.5,
                                         .motor_target = 0.4,
                                         .motor_limit = force});
        run(world, 120, [] {});
        const double y = double(world.rigid_bodies->pose[0].x.y);
        if (force > 9.81) EXPECT_NEAR(y, 0.4, 1e-3);
        else EXPECT_LT(y, -1);
    }
}

TEST(Ball, SwingsAndTwistsWithinItsLimits)
{
    for (const Kind kind : kOriented) {
        World world = held(kind, {.kind = GlueKind::ball, .axis = {1, 0, 0}, .swing = 30, .twist = 10}, 10);
        double most = 0;
        run(world, 120, [&] {
            EXPECT_LT(glue_gap(world, world.glues[0]), 1e-4) << name_of(kind);
            const double cosine = std::min(1.0, carried(world, {1, 0, 0}).normalized().x);
            most = std::max(most, std::acos(cosine) / kDegree);
        });
        EXPECT_LT(most, 31.5) << name_of(kind);
        EXPECT_GT(most, 28) << name_of(kind) << " leans on it";
    }
}

TEST(Distance, OnlyPulls)
{
    for (const Kind kind : {Kind::rigid, Kind::solid, Kind::cloth, Kind::rod}) {
        World world = held(kind, {.kind = GlueKind::distance, .length = 0.5});
        const auto apart = [&] {
            return place_of(world.glues[0].a, world.time, world.particles, world.rigid_bodies).norm();
        };
        double longest = 0;
        run(world, 15, [&] {});
        const double fallen = 0.5 * 9.81 * 0.25 * 0.25;
        EXPECT_NEAR(apart(), fallen, 0.1 * fallen) << name_of(kind) << " falls freely at first";
        run(world, 120, [&] { longest = std::max(longest, apart()); });
        EXPECT_LT(longest, 0.501) << name_of(kind);
        EXPECT_GT(longest, 0.499) << name_of(kind);
    }
}

TEST(JointKinds, RefuseWhatMakesNoSense)
{
    World world;
    const Anchor box = add_part(world, Kind::rigid, 1, 1);
    const auto add = [&](const GlueParams& params) { add_glue(world, box, anchor_on_motion({}), params); };
    EXPECT_PRED2(says, message_of([&] { add({.kind = GlueKind::hinge, .axis = {0, 0, 0}}); }), "no direction");
    EXPECT_PRED2(says, message_of([&] { add({.kind = GlueKind::hinge, .low = 10.0, .high = -10.0}); }), "above high");
    EXPECT_PRED2(says, message_of([&] { add({.kind = GlueKind::distance, .length = -1.0}); }), "length");
}

/// Free pairs of all kinds, joined in all ways: no momentum comes from nowhere.
TEST(JointKinds, KeepBothMomentaWhenFree)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (const GlueKind joint : {GlueKind::hinge, GlueKind::slider, GlueKind::ball, GlueKind::weld, GlueKind::point})
        for (const Kind other : {Kind::rigid, Kind::solid}) {
            World world;
            writable(world.settings).substeps = 10;
            writable(world.settings).iterations = 1;
            writable(world.forces).gravity = {};
            add_part(world, Kind::rigid, 1, 1);
            const Anchor a = anchor_on(world, world.rigids.id_at(0), {});
            const Anchor b = add_part(world, other, -1, 1);
            add_glue(world, a, b,
                     {.kind = joint, .axis = {0.3, 1, 0.2}, .low = -10.0, .high = 10.0, .swing = 10, .twist = 10});
            set_angular_velocity(0, {static_cast<Real>(uniform(random)), 2, static_cast<Real>(uniform(random))},
                                 writable(world.rigid_bodies));
            writable(world.rigid_bodies).v[0] = {0, Real(0.5), 1};
            const Vec3d p = linear_momentum(world), l = angular_momentum(world, {});
            run(world, 120, [] {});
            EXPECT_LT((linear_momentum(world) - p).norm(), 2e-3 * p.norm()) << name_of(joint);
            EXPECT_LT((angular_momentum(world, {}) - l).norm(), 1e-2 * l.norm()) << name_of(joint);
        }
}

}  // namespace
}  // namespace pliant
