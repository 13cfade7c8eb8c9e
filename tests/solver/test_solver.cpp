#include "pliant/solver/solver.h"

#include "pliant/geometry/mascot.h"
#include "same_bits.h"
#include "solids/bodies.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_bodies;

World bunny(Clustering clustering = Clustering::even)
{
    SolidParams params;
    params.clustering = clustering;
    params.alpha = Real(0.5);
    World world;
    set_settings(world, {.substeps = 1, .iterations = 5});
    add_solid(world, fill_with_count(make_mascot(1, 32), 2020), params, "bunny");
    return world;
}

TEST(Solver, AFreeStretchedBunnyKeepsItsMomentum)
{
    World world = bunny();
    writable(world.forces).gravity = {};
    place_solid(world, world.solids.id_at(0), {.linear = Mat3d::diagonal({1.5, 1, 1})});
    const Range all = all_particles(world);
    double mass = 0, peak = 0, drift = 0;
    for (const Real m : world.particles->mass) mass += double(m);
    const Vec3d before = linear_momentum(world.particles, all);
    Solver solver;
    for (int frame = 0; frame < 600; ++frame) {
        solver.step(world);
        for (const Vec3& v : world.particles->v) peak = std::max(peak, double(v.norm()));
        drift = std::max(drift, (linear_momentum(world.particles, all) - before).norm());
    }
    EXPECT_GT(peak, 0.5);
    EXPECT_LT(drift, 1e-4 * mass * peak);
}

TEST(Solver, GivesTheSameBitsForAnyNumberOfThreads)
{
    const auto make = [] {
        World world = bunny(Clustering::random);
        add_solid(world, cube(12), {.youngs_modulus = Real(2e4), .damping = 2}, "cube");
        Collider floor;
        floor.position = {0, -0.6, 0};
        add_collider(world, floor);
        disturb(world, Real(0.02));
        return world;
    };
    expect_same_bits(make, 30);
}

TEST(Solver, NamesTheBodyThatBecameNonFinite)
{
    World world = bunny();
    Solver solver;
    EXPECT_FALSE(solver.step(world).trouble);
    writable(world.particles).v[17].x = std::numeric_limits<Real>::infinity();
    const Trouble trouble = solver.step(world).trouble;
    EXPECT_TRUE(trouble);
    EXPECT_EQ(trouble.kind, TroubleKind::not_finite);
    EXPECT_EQ(trouble.body, "bunny");
    EXPECT_GE(trouble.particle, 0);
    EXPECT_NE(trouble.text.find("bunny"), std::string::npos);
    EXPECT_NE(trouble.text.find("Likely cause"), std::string::npos);
}

TEST(Solver, AStepOfNoTimeChangesNothing)
{
    World world = bunny();
    Solver solver;
    for (int frame = 0; frame < 3; ++frame) solver.step(world);
    World copy = world;
    const StepReport report = solver.step(world, 0);
    EXPECT_EQ(report.substeps, 0);
    EXPECT_FALSE(report.trouble);
    EXPECT_EQ(report.trouble.text, "");
    EXPECT_EQ(hash_state(world), hash_state(copy));
    EXPECT_EQ(*world.time, *copy.time);
    solver.step(world);
    Solver().step(copy);
    EXPECT_EQ(hash_state(world), hash_state(copy));
    EXPECT_EQ(*world.time, *copy.time);
}

TEST(Solver, ADtThatIsNoTimeChangesNothingAndIsReported)
{
    World world = bunny();
    Solver solver;
    solver.step(world);
    const std::uint64_t state = hash_state(world);
    const double time = world.time;
    constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
    for (const Real dt : {Real(-1) / 60, -kInfinity, kInfinity, std::numeric_limits<Real>::quiet_NaN()}) {
        const StepReport report = solver.step(world, dt);
        EXPECT_EQ(report.trouble.kind, TroubleKind::bad_step) << dt;
        EXPECT_TRUE(report.trouble) << dt;
        EXPECT_EQ(report.trouble.body, "") << dt;
        EXPECT_NE(report.trouble.text.find("at least 0"), std::string::npos) << report.trouble.text;
        EXPECT_EQ(report.substeps, 0) << dt;
        EXPECT_EQ(hash_state(world), state) << dt;
        EXPECT_EQ(*world.time, time) << dt;
    }
    EXPECT_FALSE(solver.step(world).trouble);
    EXPECT_NE(hash_state(world), state) << "it goes on";
}

TEST(Solver, ProfilesOnlyWhenAsked)
{
    World world = bunny();
    Solver solver;
    solver.step(world);
    for (const double ms : solver.profile.ms) EXPECT_EQ(ms, 0);
    solver.profile.on = true;
    solver.step(world);
    EXPECT_GT(solver.profile.ms[static_cast<std::size_t>(Phase::limit_strain)], 0);
}

TEST(Solver, TinyAndHugeBodiesBehaveAlike)
{
    // The same cube at three sizes, with gravity and speeds scaled along: the strain is the same.
    std::vector<double> strain;
    for (const double size : {1e-6, 1.0, 1e5}) {
        World world;
        writable(world.forces).gravity = {0, static_cast<Real>(-9.81 * size), 0};
        const SolidId id = add_solid(world, cube(5, size), {.alpha = Real(0.5)});
        place_solid(world, id, {.linear = Mat3d::diagonal({1.4, 1, 1})});
        Solver solver;
        for (int frame = 0; frame < 10; ++frame) solver.step(world);
        strain.push_back(measure_strain(world, world.solids[0]).max);
    }
    EXPECT_GT(strain[1], 1e-3);
    EXPECT_NEAR(strain[0], strain[1], 1e-3 * strain[1] + 100 * kEps);
    EXPECT_NEAR(strain[2], strain[1], 1e-3 * strain[1] + 100 * kEps);
}

}  // namespace
}  // namespace pliant
