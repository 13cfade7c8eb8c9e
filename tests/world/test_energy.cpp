// Energies against closed forms.

#include "edit_world.h"
#include "pi.h"
#include "pliant/geometry/sheets.h"
#include "pliant/solver/solver.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

void take_gravity_away(World& world) { writable(world.forces).gravity = {}; }

/// A rod of 1 m along x, radius 1 cm, E = 1e7 Pa.
World straight_rod(int edges, bool clamped)
{
    World world;
    take_gravity_away(world);
    Strand strand;
    for (int i = 0; i <= edges; ++i) strand.points.push_back({double(i) / edges, 0, 0});
    const RodId id = add_rod(world, {strand}, {.radius = Real(0.01), .youngs_modulus = Real(1e7)}, "rod");
    if (clamped) clamp_rod(world, id, 0, RodEnd::start);
    return world;
}

/// Moves every particle of a world by a map.
template <class Map>
void bend(World& world, const Map& map)
{
    for (Vec3& x : writable(world.particles).x) x = map(x.cast<double>()).template cast<Real>();
}

constexpr double kSecondMoment = kPi * 1e-8 / 4, kArea = kPi * 1e-4;

TEST(Energy, OfABentRodIsHalfEITimesItsCurvatureSquared)
{
    World world = straight_rod(50, false);
    EXPECT_NEAR(measure_energy(world).elastic, 0, 1e-7);
    const double radius = 0.8;
    bend(world, [&](const Vec3d& x) {
        const double a = x.x / radius, r = radius - x.y;
        return Vec3d{r * std::sin(a), radius - r * std::cos(a), x.z};
    });
    EXPECT_NEAR(measure_energy(world).elastic, 0.5 * 1e7 * kSecondMoment / (radius * radius) * 49 / 50, 0.002);
}

TEST(Energy, OfATwistedRodIsHalfGJTimesItsTwistSquared)
{
    World world = straight_rod(50, false);
    const double twist = 2;  // [rad] along 1 m
    bend(world, [&](const Vec3d& x) {
        const double c = std::cos(twist * x.x), s = std::sin(twist * x.x);
        return Vec3d{x.x, c * x.y - s * x.z, s * x.y + c * x.z};
    });
    const double gj = 1e7 / 3 * 2 * kSecondMoment;
    EXPECT_NEAR(measure_energy(world).elastic, 0.5 * gj * twist * twist * 49 / 50, 0.002);
}

TEST(Energy, OfAStretchedRodIsThatOfASpring)
{
    World world = straight_rod(10, false);
    bend(world, [](const Vec3d& x) { return Vec3d{1.01 * x.x, x.y, x.z}; });
    const double expected = 0.5 * 1e7 * kArea * 0.01 * 0.01;
    EXPECT_NEAR(measure_energy(world).elastic, expected, 1e-3 * expected);
    const Energy energy = measure_energy(world);
    EXPECT_EQ(energy.potential + energy.beside, energy.elastic) << "without gravity";
}

TEST(Energy, OfAStretchedSheetIsHalfItsStiffnessTimesStrainSquaredAndArea)
{
    World world;
    take_gravity_away(world);
    add_cloth(world, make_sheet(1, 0.5, 10, 5, SheetPattern::alternating), {.warp_stiffness = 1000}, "sheet");
    bend(world, [](const Vec3d& x) { return Vec3d{1.02 * x.x, x.y, x.z}; });
    EXPECT_NEAR(measure_energy(world).elastic, 0.5 * 1000 * 0.02 * 0.02 * 0.5, 0.01 * 0.1);
}

TEST(Energy, OfASheetOnACylinderIsHalfItsStiffnessTimesCurvatureSquaredAndArea)
{
    World world;
    take_gravity_away(world);
    add_cloth(world, make_sheet(1, 0.5, 40, 20, SheetPattern::alternating), {.bending_stiffness = Real(0.1)}, "sheet");
    const double radius = 0.5;
    bend(world, [&](const Vec3d& x) {
        const double a = x.x / radius;
        return Vec3d{radius * std::sin(a), radius - radius * std::cos(a) + x.y, x.z};
    });
    const double expected =
        1.41 * 0.5 * 0.1 / (radius * radius) * 0.5;  // with the factor of a strip (cloth/bending.cpp)
    EXPECT_NEAR(measure_energy(world).elastic, expected, 0.04 * expected);
}

TEST(Energy, OfARodThatRingsStays)
{
    World world = straight_rod(20, true);
    std::vector<Vec3>& v = writable(world.particles).v;
    for (int i = 0; i < world.particles->size(); ++i)
        if (world.particles->inv_mass[i] > 0) v[i].y = world.particles->x[i].x * world.particles->x[i].x;
    writable(world.settings).substeps = 20;
    const double start = measure_energy(world).total();
    Solver solver;
    double most_elastic = 0;
    for (int frame = 0; frame < 60; ++frame) {
        ASSERT_EQ(solver.step(world).trouble.text, "");
        most_elastic = std::max(most_elastic, measure_energy(world).elastic);
        EXPECT_NEAR(measure_energy(world).total(), start, 0.05 * start) << frame;
    }
    EXPECT_GT(most_elastic, 0.7 * start) << "energy goes to and fro";
}

/// A body of 2 kg held by a soft glue of 200 N/m: 10 rad/s. The implicit step turns (omega x, v) by atan(h omega) and shrinks it
/// by sqrt(1 + h^2 omega^2).
TEST(Energy, OfASoftGlueFollowsTheOscillation)
{
    World world;
    take_gravity_away(world);
    writable(world.settings).substeps = 20;
    const RigidId id = add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.1}, {.mass = 2}, "ball");
    add_glue(world, anchor_on(world, id, {}), anchor_on_motion({}), {.stiffness = 200}, "spring");
    place_rigid(world, id, {.velocity = {1, 0, 0}});
    EXPECT_NEAR(measure_energy(world).total(), 1, 1e-6);
    const double omega = 10, h = 1.0 / 1200;
    const double lag = std::log(1 + h * h * omega * omega) / (2 * h), turn = std::atan(h * omega) / h;
    Solver solver;
    for (int frame = 1; frame <= 60; ++frame) {
        ASSERT_EQ(solver.step(world).trouble.text, "");
        const Energy energy = measure_energy(world);
        const double t = frame / 60.0, kept = std::exp(-lag * t), c = std::cos(turn * t), s = std::sin(turn * t);
        EXPECT_NEAR(energy.elastic, kept * kept * s * s, 2e-5) << frame;
        EXPECT_NEAR(energy.kinetic, kept * kept * c * c, 2e-5) << frame;
    }
}

TEST(Energy, OfAWeldThatGivesCountsItsTurn)
{
    World world;
    take_gravity_away(world);
    const RigidId id = add_rigid(world, {.kind = RigidKind::box, .size = {0.2, 0.2, 0.2}}, {.mass = 1}, "box");
    add_glue(world, anchor_on(world, id, {}), anchor_on_motion({}),
             {.kind = GlueKind::weld, .stiffness = 100, .arm = 0.5}, "weld");
    Solver solver;
    solver.step(world);
    Pose& pose = writable(world.rigid_bodies).pose[0];
    move_pose({}, {0, Real(0.02), 0}, pose);
    const double arm = 0.5, turn = 2 * std::tan(0.01);
    EXPECT_NEAR(measure_energy(world).elastic, 0.5 * 100 * arm * arm * turn * turn, 1e-6);
}

/// A velocity belongs to the middle of its substep: measured with it, a pendulum seems to gain 3 % at one substep.
TEST(Energy, OfAPendulumStaysAtOneSubstep)
{
    World world;
    writable(world.settings).substeps = 1;
    const RigidId id = add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.05}, {.mass = 1}, "bob");
    place_rigid(world, id, {.position = {0.6, 0, 0}});
    add_glue(world, anchor_on(world, id, {0, 0, 0}), anchor_on_motion({0, 0, 0}), {}, "string");
    const double start = measure_energy(world).total();
    Solver solver;
    for (int frame = 0; frame < 180; ++frame) {
        ASSERT_EQ(solver.step(world).trouble.text, "");
        EXPECT_NEAR(measure_energy(world).total(), start, 0.01 * 0.6 * 9.81) << frame;
    }
}

}  // namespace
}  // namespace pliant
