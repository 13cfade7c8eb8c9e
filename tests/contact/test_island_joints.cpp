// Rigid bodies that joints hold and that touch: joints stay closed, contact feels the weight of all that hangs on a body.

#include "glue/pairs.h"
#include "rigid/bodies.h"
#include "same_bits.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

using testing_glue::gap_of;

constexpr double kLink = 0.1;  // from joint to joint [m]

World floor_world()
{
    World world;
    set_contact(world, {.on = true, .friction = Real(0.4)});
    add_collider(world, {.name = "floor"});
    return world;
}

/// Links from `from` on along x, and a ball of `load` times a link's mass at the end.
void add_chain(World& world, int links, const Vec3d& from, double load, GlueKind kind = GlueKind::point)
{
    Anchor end;
    for (int i = 0; i <= links; ++i) {
        const bool ball = i == links && load > 0;
        if (i == links && !ball) return;
        const RigidId id =
            ball
                ? add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.08}, {.mass = static_cast<Real>(0.1 * load)})
                : add_rigid(world, {.kind = RigidKind::box, .size = {0.9 * kLink, 0.03, 0.03}}, {.mass = Real(0.1)});
        place_rigid(world, id, {.position = from + Vec3d{kLink * i + (ball ? 0.08 : kLink / 2), 0, 0}});
        if (i > 0) add_glue(world, end, anchor_on(world, id, from + Vec3d{kLink * i, 0, 0}), {.kind = kind}, "joint");
        end = anchor_on(world, id, from + Vec3d{kLink * (i + 1), 0, 0});
    }
}

struct JointsInContact {
    double gap = 0;   // the widest of any joint in any frame [m]
    double gain = 0;  // of total energy over its start [J]
    std::size_t intersections = 0;
};

JointsInContact watch_joints(World& world, int frames)
{
    JointsInContact seen;
    Solver solver;
    const double start = measure_energy(world).total();
    for (int frame = 0; frame < frames; ++frame) {
        EXPECT_EQ(solver.step(world).trouble.text, "");
        for (std::size_t g = 0; g < world.glues.size(); ++g) seen.gap = std::max(seen.gap, gap_of(world, g));
        seen.gain = std::max(seen.gain, measure_energy(world).total() - start);
        seen.intersections += solver.count_intersections(world);
    }
    return seen;
}

TEST(IslandJoints, ChainsThatFallInAHeapStayClosed)
{
    for (unsigned seed = 0; seed < 3; ++seed) {
        std::mt19937 random(seed);
        const auto number = [&](double low, double high) {
            return std::uniform_real_distribution<double>(low, high)(random);
        };
        World world = floor_world();
        for (int c = 0; c < 3; ++c)
            add_chain(world, 8, {number(-0.5, -0.3), 0.3 + 0.25 * c, 0.04 * c}, c == 1 ? number(2, 30) : 0);
        const JointsInContact seen = watch_joints(world, 90);
        EXPECT_LT(seen.gap, 1e-3) << seed;
        EXPECT_LT(seen.gain, 0.01) << seed;
        EXPECT_EQ(seen.intersections, 0U) << seed;
    }
}

/// A row of planks, welded or hinged, hung up at both ends, under a ball of a hundred times a plank's mass.
TEST(IslandJoints, AHeavyBallRestsOnABridge)
{
    World world = floor_world();
    const int planks = 10;
    for (int i = 0; i < planks; ++i) {
        const RigidId id =
            add_rigid(world, {.kind = RigidKind::box, .size = {0.18, 0.02, 0.4}}, {.mass = Real(0.2)}, "plank");
        place_rigid(world, id, {.position = {0.2 * i + 0.1, 1, 0}});
    }
    for (int i = 0; i <= planks; ++i) {
        const auto side = [&](int plank) {
            if (plank < 0 || plank == planks) return anchor_on_motion({0.2 * i, 1, 0});
            return anchor_on(world, world.rigids.id_at(plank), {0.2 * i, 1, 0});
        };
        add_glue(world, side(i - 1), side(i), {.kind = GlueKind::hinge, .axis = {0, 0, 1}}, "hinge");
    }
    const RigidId ball = add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.15}, {.mass = Real(20)}, "ball");
    place_rigid(world, ball, {.position = {0.97, 1.17, 0}});
    const JointsInContact seen = watch_joints(world, 240);
    EXPECT_LT(seen.gap, 2e-4);
    EXPECT_LT(seen.gain, 0.1) << "of some 60 J that the ball gives";
    EXPECT_EQ(seen.intersections, 0U);
    EXPECT_GT(world.rigid_bodies->pose[planks].x.y, 0.5) << "the bridge carries it";
}

/// Light links under a ball of 400 times their mass, with friction: Newton's method does not always converge.
TEST(IslandJoints, ChainsUnderAHeavyBallGainNoEnergy)
{
    World world = floor_world();
    for (int c = 0; c < 4; ++c) add_chain(world, 10, {-0.5, 0.6 + 0.2 * c, 0.03 * c}, 0);
    const RigidId ball = add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.25}, {.mass = Real(40)});
    place_rigid(world, ball, {.position = {0, 0.251, 0}});
    const JointsInContact seen = watch_joints(world, 120);
    EXPECT_LT(seen.gap, 5e-3);
    EXPECT_LT(seen.gain, 0.1);
    EXPECT_EQ(seen.intersections, 0U);
}

TEST(IslandJoints, AMotorIsNoStrongerThanItsLimitWhereItPushes)
{
    World world = floor_world();
    const RigidId arm =
        add_rigid(world, {.kind = RigidKind::box, .size = {0.5, 0.05, 0.05}}, {.mass = Real(0.5)}, "arm");
    place_rigid(world, arm, {.position = {0.25, 0.2, 0}});
    add_glue(world, anchor_on(world, arm, {0, 0.2, 0}), anchor_on_motion({0, 0.2, 0}),
             {.kind = GlueKind::hinge, .axis = {0, 0, 1}, .motor_speed = -90, .motor_limit = 5}, "motor");
    const JointsInContact seen = watch_joints(world, 120);
    EXPECT_LT(seen.gap, 1e-4);
    EXPECT_EQ(seen.intersections, 0U);
    EXPECT_NEAR(world.glues[0].torque, 5, 2) << "it pushes against the floor with what it has";
}

TEST(IslandJoints, GiveTheSameBitsForAnyNumberOfThreads)
{
    expect_same_bits(
        [] {
            World world = floor_world();
            add_chain(world, 8, {-0.4, 0.2, 0}, 10);
            add_chain(world, 8, {-0.35, 0.4, 0.02}, 0);
            return world;
        },
        40);
}

}  // namespace
}  // namespace pliant
