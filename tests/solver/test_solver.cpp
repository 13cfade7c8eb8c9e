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
    World world;
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
    EXPECT_TRUE(solver.step(world).trouble.empty());
    writable(world.particles).v[17].x = std::numeric_limits<Real>::infinity();
    const std::string trouble = solver.step(world).trouble;
    EXPECT_NE(trouble.find("bunny"), std::string::npos);
    EXPECT_NE(trouble.find("Likely cause"), std::string::npos);
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
        const SolidId id = add_solid(world, cube(5, size), {});
        place_solid(world, id, {.linear = Mat3d::diagonal({1.4, 1, 1})});
        Solver solver;
        for (int frame = 0; frame < 10; ++frame) solver.step(world);
        strain.push_back(measure_strain(world.solids[0], world.particles).max);
    }
    EXPECT_GT(strain[1], 1e-3);
    EXPECT_NEAR(strain[0], strain[1], 1e-3 * strain[1] + 100 * kEps);
    EXPECT_NEAR(strain[2], strain[1], 1e-3 * strain[1] + 100 * kEps);
}

}  // namespace
}  // namespace pliant
