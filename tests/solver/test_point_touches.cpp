// Rods that glue holds and that touch colliders: contact and friction are part of the solve with the glue.

#include "pi.h"
#include "pliant/solver/solver.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

double largest_strain(const World& world)
{
    const Rod& rod = world.rods[0];
    return measure_strain(rod, rod.particles.of(world.particles->x)).max;
}

double energy_of(const World& world)
{
    const Energy e = measure_energy(world);
    return e.kinetic + e.potential;
}

/// A rope over a bar, with a weight at each end [kg].
World rope_over_bar(double heavy, double light, double friction)
{
    constexpr double kLength = 1, kRadius = 0.006, kBar = 0.065, kHeight = 1;
    constexpr int kEdges = 40;
    World world;
    add_collider(world, {.name = "bar",
                         .shape = ColliderShape::cylinder,
                         .position = {0, kHeight, 0},
                         .rotation = {90, 0, 0},
                         .radius = static_cast<Real>(kBar),
                         .friction = static_cast<Real>(friction)});
    const double r = kBar + kRadius, hang = (kLength - kPi * r) / 2;
    Strand strand;
    for (int i = 0; i <= kEdges; ++i) {
        const double s = kLength * i / kEdges, angle = kPi - std::clamp((s - hang) / r, 0.0, kPi);
        const double below = std::max({0.0, hang - s, s - hang - kPi * r});
        strand.points.push_back({r * std::cos(angle), kHeight + r * std::sin(angle) - below, 0});
    }
    const RodId rope = add_rod(world, {strand}, {.radius = static_cast<Real>(kRadius)}, "rope");
    for (int k = 0; k < 2; ++k) {
        const Vec3d end = k == 0 ? strand.points.front() : strand.points.back();
        const RigidId load = add_rigid(world, {.kind = RigidKind::box, .size = {Real(0.04), Real(0.04), Real(0.04)}},
                                       {.mass = static_cast<Real>(k == 0 ? heavy : light)}, "load");
        place_rigid(world, load, {.position = end - Vec3d{0, 0.02, 0}});
        add_glue(world, anchor_on(world, rope, end), anchor_on(world, load, end), {}, "knot");
    }
    return world;
}

TEST(PointTouches, ALoadedRopeOnABarIsNotStretched)
{
    World world = rope_over_bar(0.57, 0.2, 0.03);
    const double start = energy_of(world);
    Solver solver;
    for (int f = 0; f < 30; ++f) {
        ASSERT_EQ(solver.step(world).trouble.text, "");
        EXPECT_LT(largest_strain(world), 0.02) << f;
        EXPECT_LT(energy_of(world), start + 0.01) << f;
    }
}

/// T2 / T1 = exp(mu pi), Euler and Eytelwein.
TEST(PointTouches, ARopeSlidesOverABarWhereTheCapstanFormulaSaysSo)
{
    for (const double part : {0.75, 1.33}) {
        World world = rope_over_bar(part * std::exp(0.3 * kPi), 1, 0.3);
        Solver solver;
        for (int f = 0; f < 20; ++f) ASSERT_EQ(solver.step(world).trouble.text, "");
        const double speed = double(world.rigid_bodies->v[0].norm());
        if (part < 1) EXPECT_LT(speed, 0.03);
        else EXPECT_GT(speed, 0.2);
    }
}

TEST(PointTouches, AHeadWithHairLandsOnTheGround)
{
    constexpr double kRadius = 0.1;
    World world;
    add_collider(world, {.name = "ground"});
    const RigidId head = add_rigid(world, {.kind = RigidKind::sphere, .radius = Real(kRadius)}, {.mass = 4}, "head");
    const Vec3d middle{0, 0.35, 0};
    place_rigid(world, head, {.position = middle, .velocity = {0, -3, 0}});
    std::vector<Strand> strands(24);
    for (int s = 0; s < 24; ++s) {
        const double up = (s + 0.5) / 12 - 1, across = std::sqrt(1 - up * up), turn = 2.4 * s;
        const Vec3d out{across * std::cos(turn), up, across * std::sin(turn)};
        for (int i = 0; i <= 7; ++i) strands[s].points.push_back(middle + (kRadius + 0.018 * i) * out);
    }
    const RodId hair = add_rod(world, strands, {.radius = Real(0.001)}, "hair");
    place_rod(world, hair, {.velocity = {0, -3, 0}});
    for (const Strand& strand : strands) {
        const Vec3d& root = strand.points.front();
        add_glue(world, anchor_on(world, hair, root, GlueKind::weld), anchor_on(world, head, root),
                 {.kind = GlueKind::weld}, "root");
    }
    const double start = energy_of(world);
    Solver solver;
    for (int f = 0; f < 14; ++f) {
        ASSERT_EQ(solver.step(world).trouble.text, "");
        ASSERT_LT(largest_strain(world), 0.25) << f;
        ASSERT_LT(energy_of(world), 1.003 * start) << f;
    }
}

/// q L^3 / EI = 1 at the end of a table: as the same rod clamped there, and as the elastica.
TEST(WeldEnds, AWeldedRodSagsAsAClampedOne)
{
    constexpr double kRadius = 0.01, kInertia = kPi * kRadius * kRadius * kRadius * kRadius / 4;
    World world;
    const RigidId wall = add_rigid(world, {.kind = RigidKind::box, .size = {Real(0.1), Real(0.1), Real(0.1)}});
    place_rigid(world, wall, {.position = {-0.05, 0, 0}});
    hold_rigid(world, wall, {});
    writable(world.contact).on = false;
    Strand strand;
    for (int i = 0; i <= 10; ++i) strand.points.push_back({0.1 * i, 0, 0});
    const double weight = 1000 * kPi * kRadius * kRadius * 9.81;
    const RodId rod = add_rod(world, {strand},
                              {.radius = Real(kRadius), .youngs_modulus = static_cast<Real>(weight / kInertia)}, "rod");
    const Vec3d root;
    add_glue(world, anchor_on(world, rod, root, GlueKind::weld), anchor_on(world, wall, root), {.kind = GlueKind::weld},
             "weld");
    writable(world.forces).drag = 6;
    Solver solver;
    for (int f = 0; f < 300; ++f) ASSERT_EQ(solver.step(world).trouble.text, "");
    EXPECT_NEAR(double(world.particles->x[world.rods[0].edges.back().p1].y), -0.12347, 0.002);
}

}  // namespace
}  // namespace pliant
