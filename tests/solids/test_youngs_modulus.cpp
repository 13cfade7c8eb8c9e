// Young's modulus against closed forms. Clusters have no lateral contraction: the speed of waves along a bar is
// sqrt(E / rho).

#include "pliant/solver/solver.h"
#include "solids/bodies.h"

#include <gtest/gtest.h>

#include <numbers>

namespace pliant {
namespace {

using namespace testing_bodies;

constexpr double kModulus = 1e5, kDensity = 1000;

SolidParams soft_material()
{
    SolidParams params;
    params.youngs_modulus = static_cast<Real>(kModulus);
    params.density = static_cast<Real>(kDensity);
    params.gamma = 1;
    return params;
}

TEST(YoungsModulus, IsTheStressOfAUniformStrainPerStrain)
{
    // The virial: forces f at places x of a body under the stress S have the sum of f x^T = -V S. The mean over the
    // three directions does not depend on the shapes of the clusters.
    double modulus = 0;
    for (int axis = 0; axis < 3; ++axis) {
        World world;
        add_solid(world, cube(10), soft_material());
        constexpr double kStrain = 0.01;
        for (Vec3& x : world.particles.x) x[axis] *= Real(1 + kStrain);
        constexpr Real kStep = Real(1e-4);
        match_once(world, kStep);
        double virial = 0;
        for (int i = 0; i < world.particles.size(); ++i) {
            const double force = double(world.particles.mass[i]) * double(world.particles.v[i][axis]) / double(kStep);
            virial += force * double(world.particles.x[i][axis]) / (1 + kStrain);
        }
        modulus += -virial / kStrain / 3;  // V = 1 m^3
    }
    EXPECT_NEAR(modulus, kModulus, 0.01 * kModulus);
}

TEST(YoungsModulus, AFreeBarVibratesAlongItselfInTheTimeOfAWaveThereAndBack)
{
    // First mode: ends against each other, T = 2 L sqrt(rho / E).
    constexpr double kLength = 2;
    SolidParams params = soft_material();
    params.cluster_radius = Real(0.1);
    World world;
    world.forces.gravity = {};
    world.settings.iterations = 0;
    world.settings.dt = Real(1) / 1000;
    add_solid(world, fill_with_spacing(make_box({kLength, 0.2, 0.2}, 1), 0.05), params);
    const std::vector<Vec3> rest = world.particles.x;
    const auto shape = [&](int i) { return std::sin(std::numbers::pi * double(rest[i].x) / kLength); };
    for (int i = 0; i < world.particles.size(); ++i) world.particles.v[i].x = static_cast<Real>(0.1 * shape(i));
    Solver solver;
    const auto amplitude = [&] {
        double sum = 0;
        for (int i = 0; i < world.particles.size(); ++i) sum += shape(i) * double(world.particles.x[i].x - rest[i].x);
        return sum;
    };
    // From the start to the second passage through rest.
    int passages = 0;
    double before = 1e-9, period = 0;
    for (int frame = 1; passages < 2 && frame < 2000; ++frame) {
        solver.step(world);
        const double now = amplitude();
        if (before * now < 0 && ++passages == 2) period = double(world.settings.dt) * (frame - now / (now - before));
        before = now;
    }
    const double expected = 2 * kLength * std::sqrt(kDensity / kModulus);
    EXPECT_NEAR(period, expected, 0.03 * expected);
}

}  // namespace
}  // namespace pliant
