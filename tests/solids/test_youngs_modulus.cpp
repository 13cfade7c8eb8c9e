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
    return params;
}

World without_gravity()
{
    World world;
    writable(world.forces).gravity = {};
    writable(world.settings).iterations = 0;
    return world;
}

World soft_block(const Vec3d& size, double spacing)
{
    World world = without_gravity();
    SolidParams params = soft_material();
    params.cluster_radius = static_cast<Real>(2 * spacing);
    add_solid(world, fill_with_spacing(make_box(size, 1), spacing), params);
    return world;
}

/// Cells of eight particles, each a cluster. A particle has an eighth of the mass of each cell that it belongs to, and
/// that is also what it brings into the cluster: strain along an axis meets the modulus exactly.
World bar_of_cells(const std::array<int, 3>& cells, double edge)
{
    SolidShape shape;
    const auto index = [&](int i, int j, int k) { return (i * (cells[1] + 1) + j) * (cells[2] + 1) + k; };
    for (int i = 0; i <= cells[0]; ++i)
        for (int j = 0; j <= cells[1]; ++j)
            for (int k = 0; k <= cells[2]; ++k) shape.points.push_back({i * edge, j * edge, k * edge});
    shape.mass.assign(shape.points.size(), 0);
    shape.spacing = edge;
    for (int c = 0; c < cells[0] * cells[1] * cells[2]; ++c) {
        const int i = c / (cells[1] * cells[2]), j = c / cells[2] % cells[1], k = c % cells[2];
        std::vector<int>& cluster = shape.clusters.emplace_back();
        for (int corner = 0; corner < 8; ++corner) {
            cluster.push_back(index(i + corner / 4, j + corner / 2 % 2, k + corner % 2));
            shape.mass[static_cast<std::size_t>(cluster.back())] += kDensity * edge * edge * edge / 8;
        }
        shape.volume += edge * edge * edge;
    }
    SolidParams params = soft_material();
    params.clustering = Clustering::lists;
    World world = without_gravity();
    add_solid(world, shape, params);
    return world;
}

/// Stress per strain of a uniform strain along an axis, from the forces of one pass. By the virial theorem the sum of
/// f x over the particles is -V times the stress.
double modulus_along(int axis, World world)
{
    constexpr double kStrain = 0.01;
    constexpr Real kStep = Real(1e-4);
    const std::vector<Vec3> rest = world.particles->x;
    for (Vec3& x : writable(world.particles).x) x[axis] *= Real(1 + kStrain);
    match_once(world, kStep);
    double virial = 0, mass = 0;
    for (int i = 0; i < world.particles->size(); ++i) {
        const auto m = double(world.particles->mass[i]);
        virial += m * double(world.particles->v[i][axis]) / double(kStep) * double(rest[i][axis]);
        mass += m;
    }
    return -virial / kStrain / (mass / kDensity);
}

/// Clusters that the surface cuts off are stiffer in one direction and softer in another; their mean is kept.
double mean_modulus(const World& world)
{
    return (modulus_along(0, world) + modulus_along(1, world) + modulus_along(2, world)) / 3;
}

TEST(YoungsModulus, IsTheStressOfAUniformStrainPerStrain)
{
    EXPECT_NEAR(mean_modulus(soft_block({1, 1, 1}, 0.1)), kModulus, 0.01 * kModulus);
    EXPECT_NEAR(mean_modulus(soft_block({2, 0.2, 0.4}, 0.05)), kModulus, 0.01 * kModulus);
}

TEST(YoungsModulus, AFreeBarVibratesAlongItselfInTheTimeOfAWaveThereAndBack)
{
    // First mode: the ends against each other, T = 2 L sqrt(rho / E).
    constexpr double kLength = 2;
    World world = bar_of_cells({20, 2, 2}, kLength / 20);
    writable(world.settings).dt = Real(1) / 1000;
    const std::vector<Vec3> rest = world.particles->x;
    const auto mode = [&](int i) { return -std::cos(std::numbers::pi * double(rest[i].x) / kLength); };
    for (int i = 0; i < world.particles->size(); ++i)
        writable(world.particles).v[i].x = static_cast<Real>(0.1 * mode(i));
    const auto amplitude = [&] {
        double sum = 0;
        for (int i = 0; i < world.particles->size(); ++i) sum += mode(i) * double(world.particles->x[i].x - rest[i].x);
        return sum;
    };
    Solver solver;
    double before = 0, half_period = 0;
    for (int frame = 1; half_period == 0 && frame < 1000; ++frame) {  // until it passes through rest
        solver.step(world);
        const double now = amplitude();
        if (before > 0 && now <= 0) half_period = double(world.settings->dt) * (frame - now / (now - before));
        before = now;
    }
    const double expected = kLength * std::sqrt(kDensity / kModulus);
    EXPECT_NEAR(half_period, expected, 0.01 * expected);
}

}  // namespace
}  // namespace pliant
