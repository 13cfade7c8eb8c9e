#include "solids/bodies.h"

#include "pliant/solids/make_solid.h"
#include "pliant/solids/material.h"
#include "pliant/solver/solver.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_bodies;

TEST(DefaultMaterial, LooksTheSameFromAMillimetreToAHundredMetres)
{
    // Times scale with sqrt(L / g): after as many of these the strain is the same.
    std::vector<double> strain;
    for (const double size : {1e-3, 1.0, 100.0}) {
        World world;
        set_settings(world, {.dt = static_cast<Real>(std::sqrt(size) / 60)});
        add_solid(world, cube(6, size), {});
        add_collider(world, {.position = {0, -0.5 * size, 0}});
        Solver solver;
        for (int frame = 0; frame < 180; ++frame) solver.step(world);
        strain.push_back(measure_strain(world, world.solids[0]).max);
        const double height = 2 * (center_of_mass(world.particles, all_particles(world)).y + 0.5 * size);
        EXPECT_NEAR(height / size, 1, 0.03) << "it keeps its shape";
        EXPECT_LT(double(world.particles->v[0].norm()), 3e-3 * std::sqrt(9.81 * size)) << "and comes to rest";
    }
    EXPECT_NEAR(strain[0], strain[1], 0.1 * strain[1]);
    EXPECT_NEAR(strain[2], strain[1], 0.1 * strain[1]);
}

TEST(DefaultMaterial, ParametersOfThePaperAskForItsMethod)
{
    EXPECT_FALSE(is_published({}));
    EXPECT_TRUE(is_published({.alpha = Real(0.5)}));
    EXPECT_TRUE(is_published({.gamma = Real(0.1)}));
    EXPECT_TRUE(is_published({.omega = Real(0.5)}));
    EXPECT_TRUE(is_published({.limiter = Limiter::particle}));
    EXPECT_TRUE(is_published({.youngs_modulus = 0}));
    EXPECT_FALSE(is_published({.youngs_modulus = Real(1e5), .gamma = Real(0.2)}));
    EXPECT_EQ(damping_of(make_solid(cube(3), {.alpha = Real(0.5)})), 0);
    EXPECT_EQ(damping_of(make_solid(cube(3), {.youngs_modulus = Real(1e5)})), 0);
    EXPECT_GT(damping_of(make_solid(cube(3), {})), 0);
    EXPECT_EQ(damping_of(make_solid(cube(3), {.damping = 0})), 0);
}

}  // namespace
}  // namespace pliant
