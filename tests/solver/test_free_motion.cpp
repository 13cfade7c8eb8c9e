// What nothing touches keeps its momenta and its energy: any kind, size, place, speed and number of substeps.

#include "pliant/geometry/shapes.h"
#include "pliant/solids/solid_shape.h"
#include "pliant/solver/solver.h"
#include "pliant/state/writable.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace pliant {
namespace {

struct FreeMotion {
    double size = 1, distance = 0, speed = 0, spin = 1;
    int substeps = 1, iterations = 1;
};

FreeMotion draw(std::mt19937_64& random)
{
    const auto uniform = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(random() >> 11) / 9007199254740992.0;
    };
    constexpr int kSubsteps[] = {1, 4, 10, 20, 40, 100};
    constexpr double kDistances[] = {0, 15, 100};
    FreeMotion m;
    m.size = std::pow(10.0, uniform(-2, 1));
    m.distance = kDistances[random() % 3];
    m.speed = uniform(0, 5);
    m.spin = uniform(0.5, 3);
    m.substeps = kSubsteps[random() % 6];
    m.iterations = m.substeps == 1 && random() % 2 == 0 ? 5 : 1;
    return m;
}

/// Spins it about z and throws it, far from the origin; says how momenta and energy have changed after some seconds.
template <class Add>
void check_free_motion(const FreeMotion& m, const Add& add, double energy_tolerance)
{
    World world;
    writable(world.forces).gravity = {};
    writable(world.settings).substeps = m.substeps;
    writable(world.settings).iterations = m.iterations;
    const Placement placement{.linear = Mat3d::identity(),
                              .position = {m.distance, 0.5 * m.distance, 0},
                              .velocity = {0.6 * m.speed, -0.8 * m.speed, 0},
                              .angular_velocity = {0, 0, m.spin}};
    add(world, placement);
    double mass = 0;
    for (const Real part : world.particles->mass) mass += double(part);
    for (const Real part : world.rigid_bodies->mass) mass += double(part);
    const Vec3d p0 = linear_momentum(world), l0 = angular_momentum(world, center_of_mass(world));
    const double k0 = measure_energy(world).kinetic;
    Solver solver;
    for (int frame = 0; frame < 180; ++frame) solver.step(world);
    const double scale = mass * (m.speed + 0.1 * m.spin * m.size);
    EXPECT_LT((linear_momentum(world) - p0).norm(), 1e-4 * scale);
    EXPECT_LT((angular_momentum(world, center_of_mass(world)) - l0).norm(), 5e-3 * l0.norm());
    EXPECT_NEAR(measure_energy(world).kinetic / k0, 1, energy_tolerance);
}

template <class Add>
void check_many(int count, const Add& add)
{
    std::mt19937_64 random(7);
    for (int trial = 0; trial < count; ++trial) {
        const FreeMotion m = draw(random);
        SCOPED_TRACE(testing::Message() << "trial " << trial << ": size " << m.size << " m, " << m.distance
                                        << " m away, " << m.speed << " m/s, " << m.spin << " rad/s, " << m.substeps
                                        << " x " << m.iterations);
        check_free_motion(m, [&](World& world, const Placement& p) { add(m, world, p); }, 0.02);
    }
}

TEST(FreeMotion, OfCloth)
{
    check_many(12, [](const FreeMotion& m, World& world, const Placement& p) {
        Placement upright = p;
        upright.linear = {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}};  // its normal, along y, to the axis of the spin
        place_cloth(world, add_cloth(world, make_grid(m.size, 0.5 * m.size, 9, 4), {}), upright);
    });
}

TEST(FreeMotion, OfASolidWithAYoungsModulus)
{
    check_many(8, [](const FreeMotion& m, World& world, const Placement& p) {
        SolidParams params;
        params.youngs_modulus = static_cast<Real>(50 * 1000 * 9.81 * m.size);
        const SolidShape shape = fill_with_count(make_box({m.size, m.size, 0.5 * m.size}, 1), 200);
        place_solid(world, add_solid(world, shape, params), p);
    });
}

TEST(FreeMotion, OfARod)
{
    check_many(12, [](const FreeMotion& m, World& world, const Placement& p) {
        Strand strand;
        for (int i = 0; i <= 20; ++i) strand.points.push_back({m.size * (i / 20.0 - 0.5), 0, 0});
        RodParams params;
        params.radius = static_cast<Real>(0.01 * m.size);
        params.youngs_modulus = static_cast<Real>(500 * 1000 * 9.81 * m.size);
        place_rod(world, add_rod(world, {strand}, params), p);
    });
}

TEST(FreeMotion, OfARigidBody)
{
    check_many(12, [](const FreeMotion& m, World& world, const Placement& p) {
        place_rigid(world, add_rigid(world, {.kind = RigidKind::box, .size = {m.size, m.size, 0.4 * m.size}}), p);
    });
}

}  // namespace
}  // namespace pliant
