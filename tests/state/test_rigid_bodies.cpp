#include "pliant/state/rigid_bodies.h"

#include "rigid/bodies.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

using namespace testing_rigids;

Vec3 random_vector(std::mt19937& random, double size)
{
    std::uniform_real_distribution<double> u(-size, size);
    const double x = u(random), y = u(random), z = u(random);
    return Vec3d{x, y, z}.cast<Real>();
}

TEST(Pose, KnowsHowItWasMovedAndTurned)
{
    std::mt19937 random(1);
    for (const double size : {1e-6, 1e-3, 1.0}) {
        for (int k = 0; k < 50; ++k) {
            const Pose from = pose_of(random_vector(random, 3).cast<double>(),
                                      rotation_of(180 * random_vector(random, 1).cast<double>()));
            const Vec3 shift = random_vector(random, size), turn = random_vector(random, size);
            Pose to = from;
            move_pose(shift, turn, to);
            EXPECT_LT((shift_between(from, to) - shift).norm(), 4 * kEps * size);
            EXPECT_LT((turn_between(from, to) - turn).norm(), 10 * kEps * size) << "relative to the turn, not to 1";
        }
    }
}

TEST(Pose, HoldsTwiceTheDigits)
{
    const Vec3d x{0.1, 1.0 / 3, -2.0 / 7};
    const Mat3d rotation = rotation_of({20, 40, 70});
    const Pose pose = pose_of(x, rotation);
    EXPECT_LT((pose.x.cast<double>() + pose.x_low.cast<double>() - x).norm(), 1e-14);
    const Quatd q = quaternion_of(rotation), apart = pose.q.cast<double>() + pose.q_low.cast<double>() - q;
    EXPECT_LT(std::sqrt(apart.dot(apart)), 1e-14);
}

TEST(Pose, ATurnIsTheRotationByTwiceTheArcusTangent)
{
    const double degrees = 50, half = degrees * 3.14159265358979 / 360;
    Pose pose;
    move_pose({}, {0, 0, static_cast<Real>(2 * std::tan(half))}, pose);
    const Mat3d expected = rotation_about({0, 0, 1}, degrees), made = pose.rotation().cast<double>();
    for (int j = 0; j < 3; ++j) EXPECT_LT((made.c[j] - expected.c[j]).norm(), 10 * kEps);
}

TEST(Pose, ManySmallMovesAddUp)
{
    // 100,000 moves of 1e-9 m at a metre from the origin, and as many turns: plain sums in float would stand still.
    Pose pose = pose_of({1, 1, 1}, Mat3d::identity());
    const Pose from = pose;
    constexpr int kMoves = 100000;
    for (int i = 0; i < kMoves; ++i) move_pose({Real(1e-9), 0, 0}, {0, Real(1e-9), 0}, pose);
    EXPECT_NEAR(double(shift_between(from, pose).x), 1e-4, 1e-8);
    EXPECT_NEAR(double(turn_between(from, pose).y), 1e-4, 1e-8);
}

TEST(Mobility, SaysWhatAPushDoes)
{
    std::mt19937 random(2);
    RigidBodies bodies;
    const int i = add_random(random, bodies);
    const Pose before = bodies.pose[i];
    for (int k = 0; k < 20; ++k) {
        bodies.pose[i] = before;
        const Vec3 local = random_vector(random, 1), push = random_vector(random, 1e-3);
        const Vec3 point = to_world(before, local);
        const Vec3 expected = mobility_at(bodies, i, point) * push;
        move_at(i, point, push, bodies);
        const Vec3 moved =
            shift_between(before, bodies.pose[i]) + turn_between(before, bodies.pose[i]).cross(point - before.x);
        EXPECT_LT((moved - expected).norm(), 1e-5 * push.norm());
        bodies.pose[i] = before;
        const Vec3 n = push.normalized();
        EXPECT_NEAR(double(inverse_mass_at(bodies, i, point, n)), double(n.dot(mobility_at(bodies, i, point) * n)),
                    1e-5);
        EXPECT_LT((to_body(before, point) - local).norm(), 10 * kEps);
    }
}

/// What corrections have moved, as momenta: sums of m dx and of x cross m dx + I turn, with the poses before.
std::pair<Vec3d, Vec3d> moments_moved(const RigidBodies& before, const RigidBodies& after)
{
    Vec3d linear, angular;
    for (int i = 0; i < before.size(); ++i) {
        const Vec3d m_dx = double(before.mass[i]) * shift_between(before.pose[i], after.pose[i]).cast<double>();
        linear += m_dx;
        angular += before.pose[i].x.cast<double>().cross(m_dx) +
                   times_inertia(before, i, turn_between(before.pose[i], after.pose[i])).cast<double>();
    }
    return {linear, angular};
}

TEST(Mobility, CorrectionsBetweenTwoBodiesKeepTheirMomenta)
{
    std::mt19937 random(3);
    for (int k = 0; k < 20; ++k) {
        RigidBodies bodies;
        add_random(random, bodies);
        add_random(random, bodies);
        const RigidBodies before = bodies;
        const Vec3 point = random_vector(random, 2), push = random_vector(random, 1e-2);
        move_at(0, point, push, bodies);
        EXPECT_GT(moments_moved(before, bodies).second.norm(), 1e-3 * double(push.norm()));
        move_at(1, point, -push, bodies);
        auto [linear, angular] = moments_moved(before, bodies);
        EXPECT_LT(linear.norm(), 20 * kEps * double(push.norm()));
        EXPECT_LT(angular.norm(), 100 * kEps * double(push.norm()));

        bodies = before;
        turn(0, push, bodies);
        turn(1, -push, bodies);
        EXPECT_LT(moments_moved(before, bodies).second.norm(), 100 * kEps * double(push.norm()));

        // At the start of a substep both ways of pushing are the same.
        bodies = before;
        move_from_start(0, to_body(before.pose[0], point), push, bodies);
        move_from_start(1, to_body(before.pose[1], point), -push, bodies);
        EXPECT_LT(moments_moved(before, bodies).second.norm(), 200 * kEps * double(push.norm()));
    }
}

TEST(Mobility, ImpulsesBetweenTwoBodiesKeepTheirMomenta)
{
    std::mt19937 random(5);
    RigidBodies bodies;
    add_random(random, bodies);
    add_random(random, bodies);
    const auto angular = [&] { return angular_momentum(bodies, 0, {}) + angular_momentum(bodies, 1, {}); };
    const auto linear = [&] { return linear_momentum(bodies, 0) + linear_momentum(bodies, 1); };
    const Vec3d l = linear(), a = angular();
    const Vec3 point{1, -2, Real(0.5)}, impulse{3, 1, -2}, v = velocity_at(bodies, 0, point);
    push_at(0, point, impulse, bodies);
    EXPECT_LT((velocity_at(bodies, 0, point) - v - mobility_at(bodies, 0, point) * impulse).norm(), 100 * kEps);
    push_at(1, point, -impulse, bodies);
    EXPECT_LT((linear() - l).norm(), 100 * kEps);
    EXPECT_LT((angular() - a).norm(), 400 * kEps);
}

TEST(RigidBodies, AHeldBodyGivesWayToNothing)
{
    std::mt19937 random(4);
    RigidBodies bodies;
    const int i = add_random(random, bodies);
    bodies.hold(i);
    const Pose before = bodies.pose[i];
    move_at(i, {1, 2, 3}, {1, 1, 1}, bodies);
    push_at(i, {1, 2, 3}, {1, 1, 1}, bodies);
    turn(i, {1, 1, 1}, bodies);
    EXPECT_EQ(shift_between(before, bodies.pose[i]), Vec3{});
    EXPECT_EQ(turn_between(before, bodies.pose[i]), Vec3{});
    EXPECT_EQ(bodies.v[i], Vec3{});
    bodies.w[i] = {1, 0, 0};
    bodies.release(i);
    EXPECT_LT((times_inverse_inertia(bodies, i, bodies.spin[i]) - Vec3{1, 0, 0}).norm(), 10 * kEps) << "it flies on";
}

TEST(RigidBodies, WhatIsTurnedByFarInEverySubstepDoesNotSpinUp)
{
    constexpr Real kStep = Real(1e-3);
    std::mt19937 random(5);
    RigidBodies bodies;
    const int i = add_random(random, bodies);
    std::vector<Pose> predicted;
    for (int k = 0; k < 200; ++k) {
        predict(kStep, bodies, predicted);
        move_pose({}, {0, 0, 1}, bodies.pose[i]);  // by a radian or so, always the same way
        update_velocities(kStep, predicted, bodies);
        ASSERT_LT(bodies.w[i].norm(), 3.001 / kStep) << "substep " << k;
    }
    // by itself it may spin as fast as it likes
    const Vec3 spin = bodies.spin[i] = Real(100) * bodies.spin[i];
    predict(kStep, bodies, predicted);
    update_velocities(kStep, predicted, bodies);
    EXPECT_NEAR(bodies.spin[i].norm(), spin.norm(), 1e-4 * double(spin.norm()));
}

}  // namespace
}  // namespace pliant
