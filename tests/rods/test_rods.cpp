// Rods in the hands of the solver, and what every projection keeps.

#include "golden/golden.h"
#include "pliant/base/check.h"
#include "pliant/rods/pass.h"
#include "pliant/solver/solver.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"
#include "rods/lines.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

template <class T>
Vector3<T> random_vector(std::mt19937_64& generator)
{
    const auto share = [&] { return static_cast<T>(static_cast<double>(generator() >> 11) / 4503599627370496.0 - 1); };
    return {share(), share(), share()};
}

/// Changes of linear and angular momentum that a projection of some points makes.
template <class Points, int kCount>
std::pair<double, double> momentum_change(const Points& before, const Points& after)
{
    Vec3d linear, angular;
    for (int p = 0; p < kCount; ++p) {
        if (before.w[p] == 0) continue;
        const Vec3d moved = (1 / before.w[p]) * (after.x[p] - before.x[p]);
        linear += moved;
        angular += before.x[p].cross(moved);
    }
    return {linear.norm(), angular.norm()};
}

TEST(RodConstraints, EveryProjectionKeepsBothMomenta)
{
    std::mt19937_64 generator(2);
    for (int trial = 0; trial < 50; ++trial) {
        EdgePoints<double> edge;
        ElementPoints<double> element;
        for (int p = 0; p < 5; ++p) {
            element.x[p] = random_vector<double>(generator);
            element.w[p] = 1.5 + random_vector<double>(generator).x;
            if (p < 3) {
                edge.x[p] = element.x[p];
                edge.w[p] = element.w[p];
            }
        }
        const auto check_edge = [&](auto&& project) {
            EdgePoints<double> after = edge;
            project(after);
            const auto [linear, angular] = momentum_change<EdgePoints<double>, 3>(edge, after);
            EXPECT_LT(linear, 1e-13);
            EXPECT_LT(angular, 1e-13);
        };
        double lambda = 0.1;
        check_edge([&](EdgePoints<double>& e) { project_length(1.0, 0.2, lambda, e); });
        check_edge([&](EdgePoints<double>& e) { project_bisector(e); });
        check_edge([&](EdgePoints<double>& e) { project_ghost(0.7, e); });
        const auto check_element = [&](auto&& project) {
            ElementPoints<double> after = element;
            project(after);
            const auto [linear, angular] = momentum_change<ElementPoints<double>, 5>(element, after);
            EXPECT_LT(linear, 1e-11);
            EXPECT_LT(angular, 1e-11);
        };
        const Vec3d rest = random_vector<double>(generator);
        check_element([&](ElementPoints<double>& e) { project_element(rest, {0.3, 0.5, 0.9}, kMinQ0, e); });
        Vec3d multiplier{0.1, 0.2, 0.3};
        check_element(
            [&](ElementPoints<double>& e) { project_stiff_element(rest, 0.8, {0.1, 0.2, 0.3}, multiplier, e); });
    }
}

TEST(RodConstraints, HalfATurnIsFinite)
{
    // Frame B is frame A turned by 180 degrees about d3, then about d1.
    for (const bool twist : {true, false}) {
        ElementPoints<Real> e;
        e.x[0] = {0, 0, 0};
        e.x[1] = {0, 0, 1};
        e.x[2] = twist ? Vec3{0, 0, 2} : Vec3{0, Real(1e-6), 0};
        e.x[3] = {1, 0, Real(0.5)};
        e.x[4] = twist ? Vec3{-1, 0, Real(1.5)} : Vec3{1, 0, Real(0.5)};
        for (Real& w : e.w) w = 1;
        Vec3 lambda{};
        ElementPoints<Real> soft = e, stiff = e;
        for (int i = 0; i < 60; ++i) project_element(Vec3{}, Vec3{1, 1, 1}, kMinQ0, soft);
        project_stiff_element(Vec3{}, Real(1), Vec3{1, 1, 1}, lambda, stiff);
        for (int p = 0; p < 5; ++p) {
            EXPECT_TRUE(std::isfinite(soft.x[p].squared_norm()));
            EXPECT_TRUE(std::isfinite(stiff.x[p].squared_norm()));
        }
        const auto fa = frame_of(soft.x[0], soft.x[1], soft.x[3]), fb = frame_of(soft.x[1], soft.x[2], soft.x[4]);
        EXPECT_LT(half_tangent(relative_rotation(fa.d, fb.d)).norm(), twist ? 0.1 : 100);
    }
}

TEST(RodGravity, GoldenCases)
{
    for (const golden::Case& c : golden::cases("rod")) {
        if (c.kind() != "gravity_modification") continue;
        SCOPED_TRACE(c.json.at("id").get<std::string>());
        const golden::Check<Real> check(c);
        const auto v = golden::vectors<Real>(c.input("v")), ghost_v = golden::vectors<Real>(c.input("ghost_v"));
        const int points = static_cast<int>(v.size());
        World world;
        add_rod(world, {line({0, 0, 0}, {1, 0, 0}, points - 1)}, {});
        Rod& rod = writable(world.rods)[0];
        Particles& p = writable(world.particles);
        const Real h = c.input("dt").get<Real>();
        const Vec3 g = golden::vector<Real>(c.input("gravity"));
        const auto set = [&](int i, const Vec3& velocity, const golden::Json& mass) {
            const Real m = mass.get<Real>();
            p.mass[i] = m > 0 ? m : 1;
            p.inv_mass[i] = m > 0 ? 1 / m : 0;
            p.v[i] = m > 0 ? velocity + h * g : velocity;
        };
        for (int i = 0; i < points; ++i) set(i, v[i], c.input("masses").at(i));
        for (int e = 0; e + 1 < points; ++e) {
            set(rod.edges[e].ghost, ghost_v[e], c.input("ghost_masses").at(e));
            rod.middle_velocity[e] = golden::vector<Real>(c.input("vm_prev").at(e));
        }
        rod.started = true;
        std::vector<RodSystem> systems{make_system(rod)};
        lift_ghosts(h, g, writable(world.rods), p, systems);
        for (int i = 0; i < points; ++i) check("v_out", p.v[i], c.expected("v_out").at(i));
        for (int e = 0; e + 1 < points; ++e) {
            check("ghost_v_out", p.v[rod.edges[e].ghost], c.expected("ghost_v_out").at(e));
            check("vm_store", rod.middle_velocity[e], c.expected("vm_store").at(e));
            check("r", double(systems[0].scratch.falls[e]), c.expected("r").at(e));
        }
    }
}

TEST(Rod, HangsStraightAndFallsWithoutSpin)
{
    // The reference of the supplement: 8 edges of 0.25 m, hanging from its first edge.
    World world;
    writable(world.settings).iterations = 40;
    writable(world.settings).dt = Real(1) / 60;
    RodParams params;
    params.bend = params.twist = Real(0.9);
    const RodId id = add_rod(world, {line({0, 0, 0}, {0, -2, 0}, 8)}, params);
    const Rod& rod = world.rods[world.rods.index(id)];
    pin_particles(world, std::vector{0, 1, rod.edges[0].ghost});
    writable(world.forces).drag = 1;
    run(world, 300);
    EXPECT_LT(std::abs(world.particles->x[8].x) + std::abs(world.particles->x[8].z), 2e-3);
    EXPECT_NEAR(world.particles->x[8].y, -2, 0.05);

    World falling;
    writable(falling.settings).iterations = 40;
    add_rod(falling, {line({0, 0, 0}, {2, 0, 0}, 8)}, params);
    run(falling, 60);
    const Range all = all_particles(falling);
    const Vec3d center = center_of_mass(falling.particles, all);
    EXPECT_LT(angular_momentum(falling.particles, all, center).norm(), 1e-3);
    double mass = 0;
    for (const Real m : falling.particles->mass) mass += double(m);
    EXPECT_NEAR(linear_momentum(falling.particles, all).y / mass, -9.81, 1e-3);
}

TEST(Rod, AHelixAtRestStays)
{
    Strand helix;
    for (int i = 0; i <= 60; ++i) {
        const double t = 0.3 * i;
        helix.points.push_back({0.1 * std::cos(t), 0.01 * t, 0.1 * std::sin(t)});
    }
    for (const Real modulus : {Real(0), Real(1e8)}) {
        World world;
        writable(world.forces).gravity = {};
        writable(world.settings).iterations = 10;
        add_rod(world, {helix}, {.youngs_modulus = modulus});
        const std::vector<Vec3> before = world.particles->x;
        run(world, 120);
        for (int i = 0; i < world.particles->size(); ++i)
            EXPECT_LT((world.particles->x[i] - before[i]).norm(), 2e-3) << i;
    }
}

TEST(Rod, ASpringComesBack)
{
    // A straight stiff rod bent by hand and let go keeps swinging about its rest shape, and ends there.
    World world;
    writable(world.forces).gravity = {};
    writable(world.settings).iterations = 20;
    writable(world.settings).substeps = 4;
    const RodId id = add_rod(world, {line({0, 0, 0}, {1, 0, 0}, 10)}, {.bend = 1, .twist = 1, .damping = 3});
    clamp_rod(world, id, 0, RodEnd::start);
    for (int i = 1; i <= 10; ++i) writable(world.particles).x[i].y += Real(0.002) * static_cast<Real>(i * i);
    run(world, 240);
    EXPECT_NEAR(world.particles->x[10].y, 0, 0.02);
}

TEST(Rod, BadStrandsAreRefused)
{
    World world;
    EXPECT_THROW(add_rod(world, {}, {}), InputError);
    EXPECT_THROW(add_rod(world, {Strand{.points = {{0, 0, 0}}}}, {}), InputError);
    EXPECT_THROW(add_rod(world, {Strand{.points = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}}}, {}), InputError);
    EXPECT_THROW(add_rod(world, {Strand{.points = {{0, 0, 0}, {std::nan(""), 0, 0}}}}, {}), InputError);
    EXPECT_THROW(add_rod(world, {Strand{.points = {{0, 0, 0}, {1, 0, 0}}, .closed = true}}, {}), InputError);
    EXPECT_THROW(add_rod(world, {line({0, 0, 0}, {1, 0, 0}, 3)}, {.width = 1}), InputError);
    EXPECT_EQ(world.particles->size(), 0);
}

TEST(Rod, AGhostOnItsEdgeComesBack)
{
    for (const Real modulus : {Real(0), Real(1e7)}) {
        World world;
        writable(world.forces).gravity = {};
        add_rod(world, {line({0, 0, 0}, {1, 0, 0}, 2)}, {.youngs_modulus = modulus});
        const Rod::Edge edge = world.rods[0].edges[0];
        Particles& p = writable(world.particles);
        p.x[edge.ghost] = Real(0.5) * (p.x[edge.p0] + p.x[edge.p1]);
        run(world, 20);
        const Vec3 side = p.x[edge.ghost] - Real(0.5) * (p.x[edge.p0] + p.x[edge.p1]);
        EXPECT_NEAR(side.norm(), edge.ghost_distance, 0.05 * edge.ghost_distance);
    }
}

TEST(Rod, FramesAreCarriedAlongWithoutTwist)
{
    Strand helix;
    for (int i = 0; i <= 40; ++i) {
        const double t = 0.2 * i;
        helix.points.push_back({0.1 * std::cos(t), 0.02 * t, 0.1 * std::sin(t)});
    }
    World world;
    add_rod(world, {helix}, {});
    for (const Rod::Element& e : world.rods[0].elements) {
        EXPECT_LT(std::abs(e.rest.z), 0.01);
        EXPECT_NEAR(std::hypot(e.rest.x, e.rest.y), 0.1 / (0.1 * 0.1 + 0.02 * 0.02), 0.1);  // curvature of the helix
    }
}

TEST(Rod, SectionsHaveTheirTextbookStiffness)
{
    World world;
    const std::vector<Strand> one{line({0, 0, 0}, {1, 0, 0}, 2)};
    add_rod(world, one, {.radius = Real(0.01), .youngs_modulus = Real(1e9), .shear_modulus = Real(4e8)});
    const double quarter = 3.14159265358979 * 1e-8 / 4;
    const Vec3 a = stiffness_of(world.rods[0]).moments;
    EXPECT_NEAR(a.x, 1e9 * quarter, 1e-4 * 1e9 * quarter);
    EXPECT_NEAR(a.y, 1e9 * quarter, 1e-4 * 1e9 * quarter);
    EXPECT_NEAR(a.z, 4e8 * 2 * quarter, 1e-4 * 8e8 * quarter);
    // 2 cm along d1, 1 cm along d2: turning about d1 bends the thin way
    add_rod(world, one,
            {.width = Real(0.02), .thickness = Real(0.01), .youngs_modulus = Real(1e9), .shear_modulus = Real(4e8)});
    const Vec3 b = stiffness_of(world.rods[1]).moments;
    EXPECT_NEAR(b.x, 1e9 * 0.02 * 1e-6 / 12, 1e-3);
    EXPECT_NEAR(b.y, 1e9 * 0.01 * 8e-6 / 12, 1e-2);
    EXPECT_NEAR(b.z, 4e8 * 0.22868 * 0.02 * 1e-6, 0.005 * double(b.z));
}

TEST(Rod, WhatIsHeldAndDoesNotGiveWayStays)
{
    World world;
    const RodId id = add_rod(world, {line({0, 0, 0}, {1, 0, 0}, 6)}, {.youngs_modulus = Real(1e35)});
    ASSERT_TRUE(make_system(get(world, id)).direct);
    for (int i = 0; i < world.particles->size(); ++i) writable(world.particles).inv_mass[i] = 0;
    const std::vector<Vec3> from = world.particles->x;
    writable(world.particles).inv_mass[6] = 1;  // an end is free, and as stiff
    run(world, 5);
    for (int i = 0; i < world.particles->size(); ++i)
        EXPECT_LT((world.particles->x[i] - from[i]).norm(), 1e-3) << "particle " << i;
}

TEST(Rod, DegenerateStatesStayFinite)
{
    World world;
    writable(world.settings).iterations = 8;
    const RodId id = add_rod(world, {line({0, 0, 0}, {1, 0, 0}, 6), Strand{.points = {{0, 1, 0}, {1, 1, 0}}}}, {});
    const Rod& rod = world.rods[world.rods.index(id)];
    Particles& p = writable(world.particles);
    p.x[3] = p.x[2];                                                                      // an edge without length
    p.x[rod.edges[4].ghost] = Real(0.5) * (p.x[rod.edges[4].p0] + p.x[rod.edges[4].p1]);  // a ghost on its edge
    p.x[6] = p.x[4];                                                                      // folded back on itself
    run(world, 60);
    for (const Rod::Edge& edge : rod.edges) {
        const double length = double((p.x[edge.p1] - p.x[edge.p0]).norm());
        EXPECT_NEAR(length, double(edge.length), 0.2 * double(edge.length));
    }
}

}  // namespace
}  // namespace pliant
