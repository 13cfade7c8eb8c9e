// Free and hinged rigid bodies against what mechanics says.

#include "pi.h"
#include "pliant/base/check.h"
#include "pliant/external/forces.h"
#include "pliant/geometry/shapes.h"
#include "rigid/bodies.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_rigids;

World top(double eps)
{
    World world = world_with(20);
    writable(world.forces).gravity = {};
    const RigidId id = add_rigid(world, box({1, 1, 1}), {.mass = Real(1), .inertia = Vec3{1, 2, 3}});
    place_rigid(world, id, {.angular_velocity = {eps, 1, 0}});
    return world;
}

struct Flips {
    double period;        // mean [s]
    double energy, spin;  // largest relative change
};

/// Runs ten periods. A flip is over when the spin about the middle axis comes back from below zero.
Flips flip(double eps, double expected_period)
{
    World world = top(eps);
    const double energy = measure_energy(world).kinetic;
    const Vec3d spin = angular_momentum(world, {});
    Solver solver;
    Flips flips{};
    double before = 1, first = 0, last = 0;
    int count = 0;
    for (int frame = 1; frame <= static_cast<int>(600 * expected_period); ++frame) {
        solver.step(world);
        flips.energy = std::max(flips.energy, std::abs(measure_energy(world).kinetic / energy - 1));
        flips.spin = std::max(flips.spin, (angular_momentum(world, {}) - spin).norm() / spin.norm());
        const double now = double((world.rigid_bodies->pose[0].rotation().transposed() * world.rigid_bodies->w[0]).y);
        if (before < 0 && now >= 0) {
            last = (frame - now / (now - before)) / 60;
            if (count++ == 0) first = last;
        }
        before = now;
    }
    flips.period = (last - first) / (count - 1);
    return flips;
}

TEST(Top, FlipsWithItsPeriodAndKeepsEnergyAndAngularMomentum)
{
    for (const auto& [eps, period] : {std::pair{0.01, 41.509}, {0.05, 30.345}, {0.1, 25.511}}) {
        const Flips flips = flip(eps, period);
        EXPECT_NEAR(flips.period, period, 2e-4 * period) << eps;
        EXPECT_LT(flips.energy, 1e-5) << eps;
        EXPECT_LT(flips.spin, 1e-5) << eps;
    }
}

TEST(Top, KeepsItsEnergyAlsoInLargeSteps)
{
    // 0.7 rad a step: the scheme keeps energy and momentum whatever the step.
    World world = top(0.1);
    writable(world.settings).substeps = 1;
    place_rigid(world, world.rigids.id_at(0), {.angular_velocity = {4, 40, 0}});
    const double energy = measure_energy(world).kinetic;
    const Vec3d spin = angular_momentum(world, {});
    Solver solver;
    for (int frame = 0; frame < 600; ++frame) solver.step(world);
    EXPECT_NEAR(measure_energy(world).kinetic / energy, 1, 1e-4);
    EXPECT_LT((angular_momentum(world, {}) - spin).norm(), 1e-5 * spin.norm());
}

TEST(RigidFlight, IsAParabolaWithUnchangedSpin)
{
    World world = world_with(20);
    const RigidId id = add_rigid(world, box({1, 2, 3}));
    place_rigid(world, id, {.velocity = {1, 5, 0}, .angular_velocity = {1, -2, 3}});
    const Vec3 spin = world.rigid_bodies->spin[0];
    Solver solver;
    for (int frame = 0; frame < 60; ++frame) solver.step(world);
    EXPECT_EQ(world.rigid_bodies->spin[0], spin) << "to the last bit";
    const Vec3d at = position(world, 0);
    const double h = 1.0 / 1200;  // symplectic Euler: h g t / 2 below the parabola
    EXPECT_NEAR(at.x, 1, 1e-5);
    EXPECT_NEAR(at.y, 5 - 9.81 / 2 - 9.81 * h / 2, 1e-4);
}

/// T/T0 at an amplitude, by the arithmetic-geometric mean.
double pendulum_ratio(double degrees)
{
    double a = 1, b = std::cos(degrees * kPi / 360);
    for (int i = 0; i < 20; ++i) {
        const double mean = (a + b) / 2;
        b = std::sqrt(a * b);
        a = mean;
    }
    return 1 / a;
}

/// A bar of 1 kg and 1 m that swings about its end: the point is held by moving the body in every substep.
class Pendulum {
  public:
    explicit Pendulum(double degrees)
    {
        const int i = bodies.append();
        bodies.inertia[i] = {static_cast<Real>(1.0 / 12), Real(1e-3), static_cast<Real>(1.0 / 12)};
        bodies.release(i);
        const Mat3d rotation = rotation_about({0, 0, 1}, degrees);
        bodies.pose[i] = bodies.pose_prev[i] = pose_of(rotation * Vec3d{0, -0.5, 0}, rotation);
    }

    void step(Real h)
    {
        apply_forces(Forces{}, {}, h, bodies);
        predict(h, bodies, predicted);
        const Vec3 end{0, Real(0.5), 0};
        const Vec3 off = to_world(bodies.pose[0], end);
        move_from_start(0, end, -(mobility_from_start(bodies, 0, end).inverse() * off), bodies);
        update_velocities(h, predicted, bodies);
    }

    double energy() const
    {
        const Vec3d v = bodies.v[0].cast<double>(), w = bodies.w[0].cast<double>();
        return 0.5 * v.squared_norm() + 0.5 * w.dot(times_inertia(bodies, 0, bodies.w[0]).cast<double>()) +
               9.81 * double(bodies.pose[0].x.y);
    }

    RigidBodies bodies;
    std::vector<Pose> predicted;
};

TEST(RigidPendulum, SwingsWithItsPeriodAndKeepsItsEnergy)
{
    EXPECT_NEAR(pendulum_ratio(90), 1.18034, 1e-5);
    const double small = 2 * kPi * std::sqrt((1.0 / 3) / (9.81 * 0.5));
    for (const double degrees : {30.0, 60.0, 90.0, 120.0, 150.0}) {
        Pendulum pendulum(degrees);
        const double start = pendulum.energy(), height = 9.81 * 0.5 * (1 - std::cos(degrees * kPi / 180));
        double before = 0, turned = 0, drift = 0;
        int swings = 0;
        for (int k = 1; swings < 10; ++k) {
            pendulum.step(Real(1) / 1200);
            const double now = double(pendulum.bodies.w[0].z);  // negative on the way down
            if (before > 0 && now <= 0) {
                turned = (k - now / (now - before)) / 1200;
                drift = std::max(drift, std::abs(pendulum.energy() - start) / height);
                ++swings;
            }
            before = now;
            ASSERT_LT(k, 100000);
        }
        EXPECT_NEAR(turned / 10 / small, pendulum_ratio(degrees), 1e-4) << degrees;
        EXPECT_LT(drift, 5e-5) << degrees;
    }
}

TEST(HeldRigid, FollowsItsKeysAndIsLetGo)
{
    World world = world_with(10);
    const RigidId id = add_rigid(world, box({1, 1, 1}));
    Motion motion;
    motion.keys = {{0, {}, 0}, {1, {2, 0, 0}, 360}};
    motion.axis = {0, 0, 1};
    hold_rigid(world, id, motion, 0.75);
    Solver solver;
    place_rigid(world, id, {.position = {0, 3, 0}});
    place_rigid(world, id, {});
    for (int frame = 0; frame < 30; ++frame) solver.step(world);
    EXPECT_LT((position(world, 0) - Vec3d{1, 0, 0}).norm(), 1e-5);
    EXPECT_LT((world.rigid_bodies->v[0] - Vec3{2, 0, 0}).norm(), 1e-3) << "what touches it sees it move";
    EXPECT_NEAR(double(world.rigid_bodies->w[0].z), 2 * kPi, 1e-2);
    EXPECT_LT((world.rigid_bodies->pose[0].rotation().c[0] - Vec3{-1, 0, 0}).norm(), 1e-4);
    for (int frame = 0; frame < 30; ++frame) solver.step(world);
    EXPECT_LT((world.rigid_bodies->v[0] - Vec3{2, Real(-9.81 * 0.25), 0}).norm(), 0.02) << "it flies on";
    EXPECT_NEAR(double(world.rigid_bodies->w[0].z), 2 * kPi, 1e-2);
    EXPECT_GT(world.rigid_bodies->inv_mass[0], 0);
}

TEST(RigidEdits, IdsOutliveTheRemovalOfOthers)
{
    World world;
    const RigidId a = add_rigid(world, box({1, 1, 1}), {}, "a");
    const RigidId b = add_rigid(world, ball(1), {}, "b");
    hold_rigid(world, a);
    hold_rigid(world, b);
    remove_rigid(world, a);
    EXPECT_EQ(world.rigid_bodies->size(), 1);
    EXPECT_EQ(world.rigids.index(a), -1);
    EXPECT_EQ(world.rigids[world.rigids.index(b)].name, "b");
    ASSERT_EQ(world.drivers->held.size(), 1u);
    EXPECT_EQ(world.drivers->held[0].body, 0);
    remove_rigid(world, a);
    EXPECT_EQ(world.rigid_bodies->size(), 1) << "a stale id removes nothing";
    EXPECT_THROW(place_rigid(world, a, {}), InputError);
    EXPECT_THROW(hold_rigid(world, a), InputError);
    EXPECT_THROW(place_rigid(world, b, {.linear = Mat3d::diagonal({1, 1, 2})}), InputError);
    EXPECT_THROW(add_rigid(world, box({1, 0, 1})), InputError);
    EXPECT_THROW(add_rigid(world, ball(1e-120)), InputError);
}

TEST(RigidEdits, AVertexWithoutTrianglesIsNoPartOfTheBody)
{
    World world;
    SurfaceMesh stray = make_box({1, 1, 1}, 1);
    stray.vertices.push_back({0, -5, 0});
    add_rigid(world, mesh(stray));
    EXPECT_EQ(world.rigids[0].points.size(), 8u);
    EXPECT_LT(double(world.rigid_bodies->shape[0].extent), 1);
}

TEST(RigidWorld, DragTakesOnTheWindAndStopsTheSpin)
{
    World world = world_with(4);
    writable(world.forces) = {.gravity = {}, .wind = {2, 0, 0}, .drag = 5};
    place_rigid(world, add_rigid(world, ball(0.5)), {.angular_velocity = {0, 3, 0}});
    Solver solver;
    for (int frame = 0; frame < 60; ++frame) solver.step(world);
    EXPECT_NEAR(double(world.rigid_bodies->v[0].x), 2 * (1 - std::exp(-5.0)), 0.02);
    EXPECT_NEAR(double(world.rigid_bodies->w[0].y), 3 * std::exp(-5.0), 0.01);
}

TEST(RigidWorld, MeasuresCountRigidBodies)
{
    World world;
    place_rigid(world, add_rigid(world, box({1, 1, 1}), {.mass = Real(6)}),
                {.position = {0, 2, 0}, .velocity = {1, 0, 0}, .angular_velocity = {0, 0, 2}});
    const Energy energy = measure_energy(world);
    EXPECT_NEAR(energy.kinetic, 3 + 0.5 * 1 * 4, 1e-5);
    EXPECT_NEAR(energy.potential, 6 * 9.81 * 2, 1e-3);
    EXPECT_LT((linear_momentum(world) - Vec3d{6, 0, 0}).norm(), 1e-5);
    EXPECT_LT((angular_momentum(world, {}) - Vec3d{0, 0, 2 - 12}).norm(), 1e-5);
    EXPECT_LT((center_of_mass(world) - Vec3d{0, 2, 0}).norm(), 1e-6);
    const std::uint64_t hash = hash_state(world);
    writable(world.rigid_bodies).spin[0].x += Real(1e-3);
    EXPECT_NE(hash_state(world), hash);
}

TEST(RigidWorld, NamesTheBodyThatBecameNonFinite)
{
    World world;
    add_rigid(world, box({1, 1, 1}), {}, "brick");
    Solver solver;
    EXPECT_EQ(solver.step(world).trouble.text, "");
    writable(world.rigid_bodies).v[0].x = std::numeric_limits<Real>::infinity();
    const Trouble trouble = solver.step(world).trouble;
    EXPECT_EQ(trouble.kind, TroubleKind::not_finite);
    EXPECT_EQ(trouble.body, "brick");
    EXPECT_EQ(trouble.particle, -1);
    EXPECT_NE(trouble.text.find("brick"), std::string::npos);
}

}  // namespace
}  // namespace pliant
