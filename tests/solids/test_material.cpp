// What a material does: damping that spares rigid motion, stiffness in pascals.

#include "pliant/solver/solver.h"
#include "solids/bodies.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_bodies;

TEST(Damping, LeavesRigidMotionAlone)
{
    SolidParams params;
    params.damping = 5;
    params.cluster_radius = Real(0.5);
    World world;
    const SolidId id = add_solid(world, cube(6), params);
    place_solid(world, id,
                {.linear = rotation_about({1, 1, 0}, 40),
                 .position = {10, 0, 3},
                 .velocity = {1, 2, 3},
                 .angular_velocity = {3, -2, 5}});
    const std::vector<Vec3> before = world.particles->v;
    damp_once(world, Real(1) / 60);
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_LE((world.particles->v[i] - before[i]).norm(), 200 * kEps);
}

TEST(Damping, TakesEnergyButNoMomentum)
{
    SolidParams params;
    params.damping = 30;
    params.cluster_radius = Real(0.5);
    World world;
    writable(world.forces).gravity = {};
    add_solid(world, cube(6), params);
    disturb(world, Real(0.1));
    const Range all = all_particles(world);
    const Vec3d p = linear_momentum(world.particles, all), l = angular_momentum(world.particles, all, {});
    const double energy = measure_energy(world).kinetic;
    damp_once(world, Real(1) / 60);
    EXPECT_LT(measure_energy(world).kinetic, 0.7 * energy);
    EXPECT_LE((linear_momentum(world.particles, all) - p).norm(), 1000 * kEps);  // of a body of 1000 kg
    EXPECT_LE((angular_momentum(world.particles, all, {}) - l).norm(), 1000 * kEps);
}

TEST(Damping, ASpinningBodyKeepsItsAngularMomentumForTenSeconds)
{
    SolidParams params;
    params.damping = 5;
    World world;
    writable(world.forces).gravity = {};
    const SolidId id = add_solid(world, cube(8), params);
    place_solid(world, id, {.linear = Mat3d::identity(), .angular_velocity = {0, 3, 1}});
    const Range all = all_particles(world);
    const Vec3d before = angular_momentum(world.particles, all, {});
    Solver solver;
    for (int frame = 0; frame < 600; ++frame) solver.step(world);
    const Vec3d after = angular_momentum(world.particles, all, center_of_mass(world.particles, all));
    EXPECT_LE((after - before).norm(), 1e-3 * before.norm());
}

/// Tip sag of a bar of 1 x 0.2 x 0.2 m held at one end, after four seconds with drag.
double bar_sag(Real dt, int effort)
{
    SolidParams params;
    params.youngs_modulus = Real(3e6);
    params.density = 1000;
    params.cluster_radius = Real(0.1);
    params.gamma = 1;
    World world;
    writable(world.settings).dt = dt;
    writable(world.settings).iterations = 0;
    writable(world.forces).drag = 3;
    add_solid(world, fill_with_spacing(make_box({1, 0.2, 0.2}, 1), 0.05), params);
    pin_particles(world, find_particles(world, all_particles(world), {-1, -1, -1}, {-0.44, 1, 1}));
    const std::vector<int> tip = find_particles(world, all_particles(world), {0.45, -1, -1}, {1, 1, 1});
    writable(world.settings).substeps = effort * stable_substeps(make_system(world.solids[0]), dt);
    Solver solver;
    for (int frame = 0; frame < static_cast<int>(std::lround(4 / double(dt))); ++frame) solver.step(world);
    double sag = 0;
    for (const int i : tip) sag -= double(world.particles->x[i].y) / static_cast<double>(tip.size());
    return sag;
}

TEST(YoungsModulus, TheSagOfABarDoesNotDependOnTheTimeStepOrTheEffort)
{
    const double sag = bar_sag(Real(1) / 60, 1);
    // 0.127 m by beam theory with shear; overlapping clusters are softer, the more so the fewer fit across.
    EXPECT_GT(sag, 0.1);
    EXPECT_LT(sag, 0.25);
    for (const Real dt : {Real(1) / 30, Real(1) / 120, Real(1) / 240}) EXPECT_NEAR(bar_sag(dt, 1), sag, 0.05 * sag);
    for (const int effort : {2, 4}) EXPECT_NEAR(bar_sag(Real(1) / 60, effort), sag, 0.05 * sag);
}

TEST(YoungsModulus, TheSolverTakesTheSubstepsThatItNeeds)
{
    SolidParams params;
    params.youngs_modulus = Real(1e6);
    World world;
    set_settings(world, {.substeps = 1});
    add_solid(world, cube(8), params);
    Solver solver;
    const StepReport report = solver.step(world);
    EXPECT_EQ(report.substeps, stable_substeps(make_system(world.solids[0]), world.settings->dt));
    EXPECT_GT(report.substeps, 1);
    disturb(world, Real(0.01));
    writable(world.forces).gravity = {};
    const double before = measure_energy(world).kinetic + measure_energy(world).potential;
    for (int frame = 0; frame < 120; ++frame) solver.step(world);
    const double after = measure_energy(world).kinetic + measure_energy(world).potential;
    EXPECT_LT(after, 2 * before);
}

}  // namespace
}  // namespace pliant
