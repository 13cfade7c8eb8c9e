// Stiff rods against closed forms, by the direct solve.

#include "bench/physics/rod_setups.h"
#include "pi.h"
#include "pliant/rods/pass.h"
#include "pliant/solver/solver.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

/// A straight rod along x of length 1 m and radius 1 cm, clamped at its start, of bending stiffness EI.
struct Cantilever {
    World world;
    RodId id;

    Cantilever(int edges, double stiffness, double density = 1000)
    {
        RodParams params;
        params.radius = Real(0.01);
        params.density = static_cast<Real>(density);
        params.youngs_modulus = static_cast<Real>(stiffness / (kPi * 1e-8 / 4));
        Strand strand;
        for (int i = 0; i <= edges; ++i) strand.points.push_back({double(i) / edges, 0, 0});
        id = add_rod(world, {strand}, params);
        clamp_rod(world, id, 0, RodEnd::start);
        writable(world.settings).iterations = 1;
        writable(world.settings).substeps = 4;
        writable(world.forces).drag = 6;
    }
    void run(int frames)
    {
        Solver solver;
        for (int f = 0; f < frames; ++f) ASSERT_EQ(solver.step(world, world.settings->dt).trouble.text, "");
    }
    Vec3d tip() const { return world.particles->x[world.rods[0].edges.back().p1].cast<double>(); }
};

const double kWeight = 1000 * kPi * 1e-4 * 9.81;  // of a metre of it [N]

TEST(RodPhysics, SagsUnderItsOwnWeightAsTheElastica)
{
    // q L^3 / EI, drop and reach
    const double table[][3] = {{1, 0.123471, 0.991246}, {10, 0.700200, 0.656354}, {100, 0.937524, 0.159223}};
    for (const auto& [load, drop, reach] : table) {
        Cantilever beam(50, kWeight / load);
        beam.run(400);
        EXPECT_NEAR(-beam.tip().y, drop, 0.003 * drop) << load;
        EXPECT_NEAR(beam.tip().x, reach, 0.01 * reach) << load;
    }
}

TEST(RodPhysics, TheSagDoesNotDependOnStepsAndSubsteps)
{
    for (const double dt : {1.0 / 30, 1.0 / 240}) {
        for (const int substeps : {1, 8}) {
            Cantilever beam(20, kWeight);
            writable(beam.world.settings).dt = static_cast<Real>(dt);
            writable(beam.world.settings).substeps = substeps;
            beam.run(static_cast<int>(6 / dt));
            EXPECT_NEAR(-beam.tip().y, 0.12377, 2e-4) << dt << " s, " << substeps;
        }
    }
}

TEST(RodPhysics, BendsUnderAnEndLoadAsTheElastica)
{
    // a = P L^2 / EI = 1: drop 0.301721. The load is a heavy last point; the rod itself weighs next to nothing.
    const double stiffness = 2, mass = stiffness / 9.81;
    Cantilever beam(50, stiffness, 0.1);
    const int end = beam.world.rods[0].edges.back().p1;
    writable(beam.world.particles).mass[end] = static_cast<Real>(mass);
    writable(beam.world.particles).inv_mass[end] = static_cast<Real>(1 / mass);
    writable(beam.world.settings).substeps = 10;
    beam.run(500);
    EXPECT_NEAR(-beam.tip().y, 0.301721, 0.01 * 0.301721);
}

TEST(RodPhysics, HangingItStretchesByItsWeight)
{
    // q L / (2 E A) of its length, with E A = 10 times its weight
    World world;
    writable(world.settings).substeps = 4;
    writable(world.settings).iterations = 1;
    writable(world.forces).drag = 6;
    RodParams params;
    params.radius = Real(0.01);
    params.youngs_modulus = static_cast<Real>(10 * kWeight / (kPi * 1e-4));
    Strand strand;
    for (int i = 0; i <= 20; ++i) strand.points.push_back({0, -i / 20.0, 0});
    clamp_rod(world, add_rod(world, {strand}, params), 0, RodEnd::start);
    Solver solver;
    for (int f = 0; f < 300; ++f) ASSERT_EQ(solver.step(world, world.settings->dt).trouble.text, "");
    EXPECT_NEAR(-world.particles->x[20].y, 1.05, 0.002);
}

TEST(RodPhysics, TwistIsUniformBetweenTurnedEnds)
{
    World world;
    writable(world.forces).gravity = {};
    writable(world.forces).drag = 5;
    writable(world.settings).substeps = 4;
    writable(world.settings).iterations = 1;
    Strand strand;
    for (int i = 0; i <= 20; ++i) strand.points.push_back({i / 20.0, 0, 0});
    const RodId id = add_rod(world, {strand}, {.youngs_modulus = Real(1e7)});
    clamp_rod(world, id, 0, RodEnd::start);
    Motion turn;
    turn.axis = {1, 0, 0};
    turn.keys = {{0, {}, 0}, {1, {}, 90}};
    clamp_rod(world, id, 0, RodEnd::end, turn);
    Solver solver;
    for (int f = 0; f < 360; ++f) ASSERT_EQ(solver.step(world, world.settings->dt).trouble.text, "");
    const Rod& rod = world.rods[0];
    const auto at = [&](int i) { return world.particles->x[i].cast<double>(); };
    for (const Rod::Element& e : rod.elements) {
        const Rod::Edge &a = rod.edges[e.a], &b = rod.edges[e.b];
        const auto fa = frame_of(at(a.p0), at(a.p1), at(a.ghost)), fb = frame_of(at(b.p0), at(b.p1), at(b.ghost));
        const Vec3d omega = 2 / double(e.lbar) * half_tangent(relative_rotation(fa.d, fb.d));
        EXPECT_NEAR(omega.z, kPi / 2, 0.02 * kPi / 2);
        EXPECT_LT(std::abs(omega.x) + std::abs(omega.y), 0.02);
    }
}

TEST(RodPhysics, AnEndMomentClosesACircle)
{
    const physics::RodRun run = physics::bend_by_end_moment(30, 2 * kPi);
    EXPECT_LT(physics::distance_from_arc(run, 2 * kPi), 1e-3);
    EXPECT_LT((run.point(30) - run.point(0)).norm(), 1e-3);
}

TEST(RodPhysics, ATwistedRingLeavesItsPlaneBeyondMichellsTwist)
{
    const double critical = 2 * kPi * std::numbers::sqrt3 / physics::kUsualTwist;
    EXPECT_LT(physics::growth_of_twisted_ring(40, physics::kUsualTwist, 0.9 * critical), 0);
    EXPECT_GT(physics::growth_of_twisted_ring(40, physics::kUsualTwist, 1.1 * critical), 0);
}

TEST(RodPhysics, ATwistedRodBucklesBetweenItsClamps)
{
    const double critical = 8.98682 / physics::kUsualTwist;  // its end's rotation [rad]
    EXPECT_LT(physics::growth_of_twisted_rod(40, physics::kUsualTwist, 0.9 * critical, 0), 0);
    EXPECT_GT(physics::growth_of_twisted_rod(40, physics::kUsualTwist, 1.1 * critical, 0), 0);
}

TEST(RodPhysics, AColumnBucklesUnderItsOwnWeight)
{
    EXPECT_LT(physics::growth_of_column(40, 0.95 * 7.83735, 0), 0);
    EXPECT_GT(physics::growth_of_column(40, 1.05 * 7.83735, 0), 0);
}

TEST(RodPhysics, AStripOnEdgeTurnsAside)
{
    EXPECT_LT(physics::growth_of_strip(40, 1, 0, 0.95 * 4.01260), 0);
    EXPECT_GT(physics::growth_of_strip(40, 1, 0, 1.05 * 4.01260), 0);
}

TEST(RodPhysics, AFreeRodKeepsBothMomenta)
{
    World world;
    writable(world.forces).gravity = {};
    writable(world.settings).substeps = 4;
    writable(world.settings).iterations = 1;
    Strand strand;
    for (int i = 0; i <= 20; ++i) strand.points.push_back({0.05 * i, 0.01 * i * i / 20, 0});
    const RodId id = add_rod(world, {strand}, {.youngs_modulus = Real(1e7), .rest = RestShape::straight});
    place_rod(world, id, {.velocity = {0.5, 0.2, 0.1}, .angular_velocity = {1, 2, 3}});
    const Range all = all_particles(world);
    const Vec3d linear = linear_momentum(world.particles, all);
    const Vec3d angular = angular_momentum(world.particles, all, center_of_mass(world.particles, all));
    Solver solver;
    for (int f = 0; f < 120; ++f) ASSERT_EQ(solver.step(world, world.settings->dt).trouble.text, "");
    EXPECT_LT((linear_momentum(world.particles, all) - linear).norm(), 2e-4 * linear.norm());
    const Vec3d after = angular_momentum(world.particles, all, center_of_mass(world.particles, all));
    EXPECT_LT((after - angular).norm(), 2e-2 * angular.norm());
}

}  // namespace
}  // namespace pliant
