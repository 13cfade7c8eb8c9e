// The strain limit of a solid with a Young's modulus: an inelastic stop.

#include "pliant/solver/solver.h"
#include "solids/bodies.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_bodies;

/// sum m |x - x_prev|^2 / 2 of the free particles: kinetic energy times h^2.
double travel_energy(const World& world)
{
    double sum = 0;
    for (int i = 0; i < world.particles->size(); ++i) {
        if (world.particles->inv_mass[i] == 0) continue;
        const Vec3d travel = (world.particles->x[i] - world.particles->x_prev[i]).cast<double>();
        sum += double(world.particles->mass[i]) * travel.squared_norm() / 2;
    }
    return sum;
}

/// A cube far beyond its limit, with random travel, some of it inwards.
World strained_cube(unsigned seed, double stretch, double travel)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<Real> u(-1, 1);
    SolidParams params;
    params.youngs_modulus = 1e5;
    params.cluster_radius = static_cast<Real>(0.3 + 0.1 * (seed % 4));
    World world;
    add_solid(world, cube(4 + static_cast<int>(seed % 4)), params);
    Particles& p = writable(world.particles);
    for (int i = 0; i < p.size(); ++i) {
        if (seed % 3 == 0 && p.x[i].x < Real(-0.3)) p.inv_mass[i] = 0;
        p.x[i] += static_cast<Real>(stretch) * Vec3{u(random), u(random), u(random)};
        const Vec3 back{u(random), u(random), u(random)};
        p.x_prev[i] = p.inv_mass[i] == 0 ? p.x[i] : p.x[i] - static_cast<Real>(travel) * back;
    }
    return world;
}

TEST(StrainLimit, WithAModulusNeverAddsKineticEnergy)
{
    int stopped = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        World world = strained_cube(seed, 0.05 * (1 + seed % 5), seed % 2 ? 0.2 : 0.002);
        const double before = travel_energy(world);
        limit_once(world);
        const double after = travel_energy(world);
        EXPECT_LE(after, before * (1 + 1e-5)) << "seed " << seed;
        stopped += after < 0.99 * before ? 1 : 0;
    }
    EXPECT_GE(stopped, 15);  // it did something
}

/// A soft bar, clamped at one end, that its weight strains beyond the limit.
World clamped_bar(double length, int substeps)
{
    SolidParams params;
    params.youngs_modulus = static_cast<Real>(20 * 1000 * 9.81 * length);
    World world;
    SolidShape bar = fill_with_spacing(make_box({length, length / 6, length / 6}, 1), length / 24);
    add_solid(world, bar, params);
    Particles& p = writable(world.particles);
    std::vector<int> clamped;
    for (int i = 0; i < p.size(); ++i)
        if (double(p.x[i].x) < -0.45 * length) clamped.push_back(i);
    pin_particles(world, clamped);
    writable(world.settings).substeps = substeps;
    writable(world.forces).drag = static_cast<Real>(0.4 / std::sqrt(length));
    return world;
}

TEST(StrainLimit, ABarBentToItsLimitComesToRestAtAnyNumberOfSubsteps)
{
    for (const double length : {0.02, 0.6, 10.0})
        for (const int substeps : {10, 40}) {
            World world = clamped_bar(length, substeps);
            Solver solver;
            double fastest = 0, strain = 0, last = 0;
            for (int frame = 0; frame < 900; ++frame) {
                ASSERT_FALSE(solver.step(world, static_cast<Real>(std::sqrt(length) / 46)).trouble);
                last = measure_energy(world).kinetic;
                fastest = std::max(fastest, last);
                strain = std::max(strain, double(measure_strain(world, world.solids[0]).max));
            }
            EXPECT_GT(strain, 0.1) << length;  // it is at its limit
            EXPECT_LT(last, 1e-3 * fastest) << length << " m, " << substeps << " substeps";
        }
}

}  // namespace
}  // namespace pliant
