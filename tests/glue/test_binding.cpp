// What a bound point conserves, in every state that its parents can be in; and how parents are chosen.

#include "messages.h"
#include "pliant/glue/anchor.h"
#include "pliant/glue/binding.h"
#include "pliant/math/rotation.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

struct State {
    std::vector<Vec3d> rest, x;
    std::vector<double> weights, inverse_masses;
    Vec3d rest_bound;

    RigidFit<double> fit() const { return fit_rigid<double>(rest, x, weights); }
    BoundFrame<double> frame(const RigidFit<double>& f) const
    {
        return bound_frame(f.center, f.fit, rest_bound - f.rest_center);
    }
};

enum class Shape { generic, planar, reflected };

State random_state(Shape shape, std::mt19937& random)
{
    std::uniform_real_distribution<double> u(-1, 1);
    const auto vector = [&] { return Vec3d{u(random), u(random), u(random)}; };
    State s;
    const Mat3d turn = rotation_of(180 * vector());
    const Vec3d shift = vector();
    double sum = 0;
    for (int i = 0; i < 6; ++i) {
        Vec3d r = vector();
        if (shape == Shape::planar) r.z = 0;
        s.rest.push_back(r);
        Vec3d moved = r;
        if (shape == Shape::reflected) moved.x = -0.4 * moved.x;
        s.x.push_back(turn * (moved + 0.15 * vector()) + shift);
        sum += s.weights.emplace_back(1.2 + u(random));
        s.inverse_masses.push_back(1 + 0.9 * u(random));
    }
    for (double& w : s.weights) w /= sum;
    s.rest_bound = 2.0 * vector();
    return s;
}

constexpr double kTiny = 1e-12;

TEST(Binding, KeepsForceTorqueAndRigidMotions)
{
    std::mt19937 random(7);
    for (const Shape shape : {Shape::generic, Shape::planar, Shape::reflected}) {
        for (int trial = 0; trial < 50; ++trial) {
            const State s = random_state(shape, random);
            const RigidFit<double> f = s.fit();
            const BoundFrame<double> frame = s.frame(f);
            const Vec3d force{0.3, -1.2, 0.8}, omega{0.7, 0.1, -0.4};
            const Vec3d eta = turning(frame, force);
            Mat3d sum_j, sum_w;
            Vec3d sum_f, torque, spun, scaled;
            CloudInertia<double> inertia;
            for (std::size_t i = 0; i < s.x.size(); ++i) {
                const Vec3d v = s.rest[i] - f.rest_center;
                const Mat3d j = jacobian(frame, s.weights[i], v);
                const Vec3d fi = passed_on(frame, force, eta, s.weights[i], v);
                EXPECT_LT((fi - j.transposed() * force).norm(), kTiny);
                sum_j += j;
                sum_f += fi;
                torque += s.x[i].cross(fi);
                spun += j * omega.cross(s.x[i]);
                scaled += j * (s.x[i] - frame.center);
                sum_w += s.inverse_masses[i] * (j * j.transposed());
                inertia.add(s.inverse_masses[i], s.weights[i], v);
            }
            const double scale = 1 + sum_w.trace();
            for (int k = 0; k < 3; ++k) {
                EXPECT_LT((sum_j - Mat3d::identity()).c[k].norm(), kTiny * scale) << "sum of J";
                EXPECT_LT((sum_w - mobility(frame, inertia)).c[k].norm(), kTiny * scale) << "mobility";
            }
            EXPECT_LT((sum_f - force).norm(), kTiny * scale);
            EXPECT_LT((torque - frame.point().cross(force)).norm(), kTiny * scale) << "torque";
            EXPECT_LT((spun - omega.cross(frame.point())).norm(), kTiny * scale) << "rigid turn";
            EXPECT_LT(scaled.norm(), kTiny * scale) << "scaling about the centre moves nothing";
            std::vector<Vec3d> v;
            for (const Vec3d& r : s.rest) v.push_back(r - f.rest_center);
            EXPECT_LE(largest_inverse_mass(sum_w),
                      inverse_mass_bound<double>(frame, s.inverse_masses, s.weights, v) * (1 + kTiny));
        }
    }
}

/// What makes a rotation that of the best fit: the three other stationary points meet the first two conditions only.
TEST(Binding, FrameIsTheBestOneInEveryState)
{
    std::mt19937 random(10);
    for (const Shape shape : {Shape::generic, Shape::planar, Shape::reflected}) {
        for (int trial = 0; trial < 50; ++trial) {
            const State s = random_state(shape, random);
            const RigidFit<double> f = s.fit();
            const Mat3d r = f.fit.rotation, p = f.b * r.transposed();
            const Mat3d k = p.trace() * Mat3d::identity() - p;
            const Mat3d product = r.transposed() * r - Mat3d::identity();
            for (int i = 0; i < 3; ++i) EXPECT_LT(product.c[i].norm(), kTiny) << "a rotation";
            EXPECT_NEAR(r.determinant(), 1, kTiny) << "a proper one";
            const Vec3d skew{p(2, 1) - p(1, 2), p(0, 2) - p(2, 0), p(1, 0) - p(0, 1)};
            EXPECT_LT(skew.norm(), kTiny) << "B R^T is symmetric";
            const double minors = (k.trace() * k.trace() - (k * k).trace()) / 2;
            EXPECT_GE(k.trace(), 0) << "K has no negative eigenvalue";
            EXPECT_GE(minors, -kTiny) << "likewise";
            EXPECT_GE(k.determinant(), -kTiny) << "likewise";
        }
    }
}

TEST(Binding, DerivativeIsThatOfThePosition)
{
    std::mt19937 random(8);
    for (const Shape shape : {Shape::generic, Shape::planar, Shape::reflected}) {
        State s = random_state(shape, random);
        const RigidFit<double> f = s.fit();
        const BoundFrame<double> frame = s.frame(f);
        constexpr double kStep = 1e-5;
        for (std::size_t i = 0; i < s.x.size(); ++i) {
            const Mat3d j = jacobian(frame, s.weights[i], s.rest[i] - f.rest_center);
            for (int axis = 0; axis < 3; ++axis) {
                State plus = s, minus = s;
                plus.x[i][axis] += kStep;
                minus.x[i][axis] -= kStep;
                const Vec3d change = plus.frame(plus.fit()).point() - minus.frame(minus.fit()).point();
                EXPECT_LT((change / (2 * kStep) - j.c[axis]).norm(), 1e-6 * (1 + j.c[axis].norm()));
            }
        }
    }
}

TEST(Binding, FollowsARigidMotion)
{
    std::mt19937 random(9);
    State s = random_state(Shape::generic, random);
    const Mat3d turn = rotation_of({30, 100, -50});
    const Vec3d shift{1, 2, 3};
    for (std::size_t i = 0; i < s.x.size(); ++i) s.x[i] = turn * s.rest[i] + shift;
    EXPECT_LT((s.frame(s.fit()).point() - (turn * s.rest_bound + shift)).norm(), kTiny);
    const Vec3d before = s.frame(s.fit()).point();
    for (double& w : s.weights) w *= 7;
    EXPECT_LT((s.frame(s.fit()).point() - before).norm(), kTiny);
}

std::vector<Vec3d> grid(int nx, int ny, double dx, double dy)
{
    std::vector<Vec3d> points;
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) points.push_back({i * dx, j * dy, 0});
    return points;
}

TEST(ChooseParents, TakesAFewOfTheNearest)
{
    const Parents parents = choose_parents({0.5, 0.5, 0.1}, grid(10, 10, 0.1, 0.1));
    ASSERT_EQ(parents.particles.size(), 8u);
    double sum = 0;
    for (std::size_t i = 0; i < parents.weights.size(); ++i) {
        sum += parents.weights[i];
        EXPECT_GT(parents.weights[i], 0);
        EXPECT_LE(parents.weights[i], parents.weights[i > 0 ? i - 1 : 0]) << "the farther, the less";
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_EQ(parents.particles[0], 55);
}

TEST(ChooseParents, GrowsUntilTheySpanTwoDirections)
{
    // Rows far apart: the nearest twenty lie on one line.
    const Parents parents = choose_parents({1, 0, 0}, grid(20, 3, 0.1, 3));
    ASSERT_FALSE(parents.particles.empty());
    EXPECT_LE(parents.particles.size(), 10u);
    EXPECT_GE(parents.particles.back(), 20) << "the last is of another row";
}

TEST(ChooseParents, FindsNoneOnALineOrInOnePlace)
{
    EXPECT_TRUE(choose_parents({0, 0, 0}, grid(20, 1, 0.1, 1)).particles.empty());
    EXPECT_TRUE(choose_parents({0, 0, 0}, std::vector<Vec3d>(5, Vec3d{1, 1, 1})).particles.empty());
    EXPECT_TRUE(choose_parents({0, 0, 0}, {}).particles.empty());
}

TEST(Anchor, NamesTheParticlesThatHaveNoOrientation)
{
    Particles particles;
    particles.append(3);
    for (int i = 0; i < 3; ++i) particles.x[i] = {static_cast<Real>(i), 0, 0};
    EXPECT_PRED2(says, message_of([&] { anchor_on_particles(particles, std::vector{0, 1, 2}, {0, 1, 0}); }),
                 "0, 1, 2 lie on a line");
    EXPECT_PRED2(says, message_of([&] { anchor_on_particles(particles, std::vector{7}, {0, 1, 0}); }), "no particle 7");
    const Anchor alone = anchor_on_particles(particles, std::vector{2}, {0, 1, 0});
    EXPECT_EQ(alone.point.norm(), 0) << "one particle is its own anchor";
}

}  // namespace
}  // namespace pliant
