// The rate of damping, in closed form.

#include "pliant/geometry/sheets.h"
#include "pliant/solver/solver.h"
#include "pliant/state/damping.h"
#include "solids/bodies.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

constexpr Real kRate = 3;  // [1/s]

/// Without stiffness and gravity: nothing acts but damping. Every velocity points away from the centre of mass, which
/// is a deformation and no rigid motion.
World swelling(World world)
{
    writable(world.forces).gravity = {};
    writable(world.settings).iterations = 0;
    const Vec3 centre = center_of_mass(world.particles, all_particles(world)).cast<Real>();
    for (int i = 0; i < world.particles->size(); ++i)
        writable(world.particles).v[i] = Real(0.1) * (world.particles->x[i] - centre);
    return world;
}

/// v' = -d v, taken implicitly in n steps of h: the speeds fall to (1 + h d)^-n.
void expect_decay(World world)
{
    constexpr int kFrames = 30, kSubsteps = 2;
    writable(world.settings).substeps = kSubsteps;
    const std::vector<Vec3> before = world.particles->v;
    Solver solver;
    for (int frame = 0; frame < kFrames; ++frame) solver.step(world);
    const double h = static_cast<double>(world.settings->dt) / kSubsteps;
    const double left = std::pow(1 + h * static_cast<double>(kRate), -kFrames * kSubsteps);
    EXPECT_NEAR(left, std::exp(-static_cast<double>(kRate) * h * kFrames * kSubsteps), 0.02);
    double worst = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const Vec3d expected = left * before[i].cast<double>();
        worst = std::max(worst, (world.particles->v[i].cast<double>() - expected).norm());
    }
    EXPECT_LT(worst, 1e-3 * 0.1);  // of speeds up to 0.1 m/s
}

TEST(Damping, DeformationOfASolidDiesOutAtTheGivenRate)
{
    World world;
    add_solid(world, testing_bodies::cube(6), {.alpha = 0, .damping = kRate});
    expect_decay(swelling(world));
}

TEST(Damping, DeformationOfAClothDiesOutAtTheGivenRate)
{
    World world;
    add_cloth(world, make_sheet(1, 1, 6, 6, SheetPattern::uniform), {.damping = kRate});
    expect_decay(swelling(world));
}

TEST(Damping, DeformationOfARodDiesOutAtTheGivenRate)
{
    World world;
    add_rod(world, {Strand{.points = {{0, 0, 0}, {0.3, 0.2, 0}, {0.6, 0, 0.2}, {1, 0, 0}}}}, {.damping = kRate});
    expect_decay(swelling(world));
}

}  // namespace
}  // namespace pliant
