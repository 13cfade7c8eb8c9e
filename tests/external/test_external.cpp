#include "pliant/external/drivers.h"
#include "pliant/external/forces.h"
#include "pliant/solver/solver.h"
#include "solids/bodies.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_bodies;

TEST(Forces, FreeFallIsAParabola)
{
    World world;
    set_settings(world, {.substeps = 1});
    add_solid(world, cube(4), {.alpha = Real(0.5)});
    const Vec3d start = center_of_mass(world.particles, all_particles(world));
    Solver solver;
    for (int i = 0; i < 60; ++i) solver.step(world);
    const double h = double(world.settings->dt), t = 60 * h;
    // Symplectic Euler: the parabola half a step ahead, g t (t + h) / 2.
    EXPECT_NEAR(center_of_mass(world.particles, all_particles(world)).y - start.y, -9.81 * t * (t + h) / 2, 2e-5);
}

TEST(Forces, DragTakesAParticleToTheWind)
{
    World world;
    writable(world.forces).gravity = {};
    writable(world.forces).wind = {3, 0, 0};
    writable(world.forces).drag = 2;
    writable(world.particles).append(1);
    Solver solver;
    for (int i = 0; i < 60; ++i) solver.step(world);
    EXPECT_NEAR(double(world.particles->v[0].x), 3 * (1 - std::exp(-2.0)), 0.02);
    writable(world.forces).drag = Real(1e6);  // stable at any rate
    solver.step(world);
    EXPECT_NEAR(double(world.particles->v[0].x), 3, 1e-3);
}

TEST(Drivers, PinsHoldMoveAndLetGo)
{
    World world;
    add_solid(world, cube(4), {});
    const std::vector<int> top = find_particles(world, all_particles(world), {-1, 0.3, -1}, {1, 1, 1});
    ASSERT_EQ(top.size(), 16U);
    Motion lift;
    lift.keys = {{0, {}, 0}, {1, {0, 2, 0}, 90}};
    const Vec3d corner = world.particles->x[top[0]].cast<double>();
    pin_particles(world, top, lift, 1.5);
    Solver solver;
    for (int i = 0; i < 30; ++i) solver.step(world);
    const Vec3d halfway = rotation_about({0, 1, 0}, 90 * world.time) * corner + Vec3d{0, 2 * world.time, 0};
    EXPECT_LT((world.particles->x[top[0]].cast<double>() - halfway).norm(), 1e-5);  // in time, not a step late
    for (int i = 30; i < 75; ++i) solver.step(world);
    const Vec3d goal = rotation_about({0, 1, 0}, 90) * corner + Vec3d{0, 2, 0};
    EXPECT_LT((world.particles->x[top[0]].cast<double>() - goal).norm(), 1e-5);
    const double held = center_of_mass(world.particles, all_particles(world)).y;
    for (int i = 0; i < 60; ++i) solver.step(world);
    EXPECT_LT(center_of_mass(world.particles, all_particles(world)).y, held - 1);  // released after 1.5 s
}

TEST(Drivers, AGrabPullsAsItsComplianceSays)
{
    World world;
    writable(world.forces).gravity = {0, -10, 0};
    writable(world.particles).append(1);
    writable(world.particles).mass[0] = 2;
    writable(world.particles).inv_mass[0] = Real(0.5);
    writable(world.forces).drag = 2;
    const GrabId grab = add_grab(world, {}, Real(0.01));
    ASSERT_EQ(world.grabs.index(grab), 0);
    Solver solver;
    for (int i = 0; i < 600; ++i) solver.step(world);
    EXPECT_NEAR(double(world.particles->x[0].y), -0.2, 1e-4);  // weight 20 N times 0.01 m/N
    writable(world.grabs)[0].compliance = 0;
    move_grab(world, grab, {1, 1, 1});
    solver.step(world);
    EXPECT_LT((world.particles->x[0] - Vec3{1, 1, 1}).norm(), 1e-5);
    remove_grab(world, grab);
    solver.step(world);
    EXPECT_TRUE(world.grabs.empty());
}

}  // namespace
}  // namespace pliant
