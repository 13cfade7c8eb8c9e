// Rings and trees: how they are made, and solved as one system.

#include "messages.h"
#include "pi.h"
#include "pliant/rods/net.h"
#include "pliant/rods/pass.h"
#include "pliant/solver/solver.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"
#include "rods/lines.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

Strand branch(const Vec3d& from, const Vec3d& to, int edges, int parent, int point)
{
    Strand strand = line(from, to, edges);
    strand.parent = parent;
    strand.parent_point = point;
    return strand;
}

Strand ring(double radius, int edges)
{
    Strand strand;
    for (int i = 0; i < edges; ++i) {
        const double t = 2 * kPi * i / edges;
        strand.points.push_back({radius * std::cos(t), 0, radius * std::sin(t)});
    }
    strand.closed = true;
    return strand;
}

/// A trunk that forks twice.
std::vector<Strand> fork()
{
    return {line({0, 0, 0}, {0, 0.5, 0}, 5), branch({0, 0.5, 0}, {0.3, 0.8, 0}, 4, 0, 5),
            branch({0, 0.5, 0}, {-0.2, 0.8, 0.2}, 4, 0, 5), branch({0.15, 0.65, 0}, {0.15, 0.9, -0.2}, 3, 1, 2)};
}

TEST(Net, AChainFillsInNothingOutsideItsBand)
{
    const NetPattern pattern = make_pattern(chain_shape(12));
    for (int c = 0; c < pattern.unknowns(); ++c) {
        EXPECT_LE(pattern.first_block[c + 1] - pattern.first_block[c], 5);
        for (int b = pattern.first_block[c]; b < pattern.first_block[c + 1]; ++b)
            EXPECT_LE(pattern.blocks[b].row - c, 4);
    }
}

TEST(Net, ATreeFillsInNoMoreThanItsForks)
{
    // a chain of 60 edges with a twig at every fifth point
    NetShape shape = chain_shape(60);
    for (int k = 5; k < 60; k += 5) {
        const int edge = static_cast<int>(shape.edges.size());
        shape.edges.push_back({k, shape.nodes, shape.nodes + 1});
        shape.joints.push_back({k - 1, edge});
        shape.nodes += 2;
    }
    const NetPattern pattern = make_pattern(shape);
    EXPECT_LT(pattern.blocks.size(), 6U * static_cast<std::size_t>(pattern.unknowns()));
}

TEST(RodBranches, AStrandThatGoesOnIsThatStrand)
{
    // one strand of 10 edges against two of 5, the second growing from the end of the first
    const RodParams params{.radius = Real(0.01), .youngs_modulus = Real(1e7)};
    World whole, parts;
    for (World* world : {&whole, &parts}) {
        writable(world->settings).iterations = 1;
        writable(world->settings).substeps = 4;
    }
    clamp_rod(whole, add_rod(whole, {line({0, 0, 0}, {1, 0, 0}, 10)}, params), 0, RodEnd::start);
    const std::vector<Strand> two{line({0, 0, 0}, {0.5, 0, 0}, 5), branch({0.5, 0, 0}, {1, 0, 0}, 5, 0, 5)};
    clamp_rod(parts, add_rod(parts, two, params), 0, RodEnd::start);
    EXPECT_EQ(parts.particles->size(), whole.particles->size());
    run(whole, 60);
    run(parts, 60);
    for (int e = 0; e < 10; ++e) {
        const int a = whole.rods[0].edges[e].p1, b = parts.rods[0].edges[e].p1;
        EXPECT_LT((whole.particles->x[a] - parts.particles->x[b]).norm(), 1e-4) << e;
    }
}

TEST(RodBranches, TwoEqualArmsSagAsCantilevers)
{
    // Arms to both sides of a thick post hang as a clamped rod does: q L^3 / EI = 1 gives a drop of 0.123471 L. The joint
    // at the fork has half an edge of the post too, which is the shorter the less it gives.
    const double radius = 0.01, q = 1000 * kPi * radius * radius * 9.81, length = 0.5;
    const double modulus = q * length * length * length / (kPi * std::pow(radius, 4) / 4);
    World world;
    writable(world.settings).iterations = 1;
    writable(world.settings).substeps = 8;
    writable(world.forces).drag = 6;
    std::vector<Strand> strands{line({0, -0.002, 0}, {0, 0, 0}, 2), branch({0, 0, 0}, {length, 0, 0}, 25, 0, 2),
                                branch({0, 0, 0}, {-length, 0, 0}, 25, 0, 2)};
    const RodId id =
        add_rod(world, strands, {.radius = static_cast<Real>(radius), .youngs_modulus = static_cast<Real>(modulus)});
    clamp_rod(world, id, 0, RodEnd::start);
    run(world, 240);
    const Rod& rod = world.rods[0];
    for (const int strand : {1, 2}) {
        const Vec3 tip = world.particles->x[rod.point(strand, 25)];
        EXPECT_NEAR(-tip.y, 0.123471 * length, 0.015 * 0.123471 * length) << strand;
    }
}

TEST(RodBranches, ThinnerStrandsAreLighterAndSofter)
{
    std::vector<Strand> strands = fork();
    strands[1].thickness = 0.5;
    World world;
    add_rod(world, strands, {.density = 1000, .radius = Real(0.02), .youngs_modulus = Real(1e8)});
    const Rod& rod = world.rods[0];
    const auto mass = [&](int e) { return rod.mass[static_cast<std::size_t>(rod.edges[e].ghost)]; };
    const double ratio = mass(5) / double(rod.edges[5].length) / (mass(0) / double(rod.edges[0].length));
    EXPECT_NEAR(ratio, 0.25, 1e-6);
    const Rod::Element& fork_joint = *std::ranges::find(rod.elements, 5, &Rod::Element::b);
    EXPECT_EQ(fork_joint.a, 4);
    EXPECT_NEAR(fork_joint.bulk.z, double(fork_joint.lbar) / 16, 0.2 * double(fork_joint.lbar) / 16);
}

TEST(RodBranches, AFreeTreeKeepsBothMomenta)
{
    World world;
    writable(world.forces).gravity = {};
    writable(world.settings).substeps = 4;
    writable(world.settings).iterations = 1;
    const RodId id = add_rod(world, fork(), {.youngs_modulus = Real(1e7)});
    place_rod(world, id, {.velocity = {0.5, 0.2, 0.1}, .angular_velocity = {1, 2, 3}});
    const Range all = all_particles(world);
    const Vec3d linear = linear_momentum(world.particles, all);
    const Vec3d angular = angular_momentum(world.particles, all, center_of_mass(world.particles, all));
    run(world, 120);
    EXPECT_LT((linear_momentum(world.particles, all) - linear).norm(), 2e-4 * linear.norm());
    const Vec3d after = angular_momentum(world.particles, all, center_of_mass(world.particles, all));
    EXPECT_LT((after - angular).norm(), 2e-2 * angular.norm());
}

TEST(RodBranches, EightTreesMoveAsOneDoes)
{
    const RodParams params{.radius = Real(0.01), .youngs_modulus = Real(1e8), .bend_damping = 1};
    std::vector<Strand> many;
    for (int t = 0; t < 9; ++t) {
        for (Strand strand : fork()) {
            if (strand.parent >= 0) strand.parent += 4 * t;
            for (Vec3d& p : strand.points) p.x += 2 * t;
            many.push_back(strand);
        }
    }
    World one, nine;
    const RodId single = add_rod(one, fork(), params), copies = add_rod(nine, many, params);
    clamp_rod(one, single, 0, RodEnd::start);
    for (int t = 0; t < 9; ++t) clamp_rod(nine, copies, 4 * t, RodEnd::start);
    for (World* world : {&one, &nine}) {
        writable(world->forces).wind = {5, 0, 0};
        writable(world->forces).drag = 1;
    }
    run(one, 60);
    run(nine, 60);
    const int particles = one.particles->size();
    for (int i = 0; i < particles; ++i)
        EXPECT_LT((nine.particles->x[8 * particles + i] - Vec3{16, 0, 0} - one.particles->x[i]).norm(), 1e-3) << i;
}

TEST(RodEdits, ClampedAndRemovedWhileTheyRun)
{
    const RodParams params{.radius = Real(0.01), .youngs_modulus = Real(1e8)};
    World world;
    writable(world.settings).substeps = 4;
    writable(world.settings).iterations = 1;
    const RodId long_one = add_rod(world, {line({0, 0, 0}, {1, 0, 0}, 30)}, params);
    const RodId arm = add_rod(world, {line({0, 0, 1}, {0.5, 0, 1}, 10)}, params);
    Solver solver;
    const auto run_on = [&](int frames) {
        for (int f = 0; f < frames; ++f) ASSERT_EQ(solver.step(world, world.settings->dt).trouble.text, "");
    };
    run_on(5);
    clamp_rod(world, arm, 0, RodEnd::start);
    remove_rod(world, long_one);
    run_on(60);
    const Particles& p = world.particles;
    ASSERT_EQ(p.size(), 21);
    EXPECT_LT(double((p.x[0] - p.x[10]).norm() - Real(0.5)), 1e-3);
    EXPECT_GT(p.x[10].y, p.x[0].y - Real(0.1));  // it is held, and stiff
}

TEST(RodBranches, BadOnesAreRefused)
{
    const auto error = [](const std::vector<Strand>& strands) {
        return message_of([&] {
            World world;
            add_rod(world, strands, {});
        });
    };
    const Strand trunk = line({0, 0, 0}, {0, 1, 0}, 4);
    EXPECT_NE(error({trunk, branch({0, 1, 0}, {1, 1, 0}, 2, 1, 4)}).find("must come before it"), std::string::npos);
    EXPECT_NE(error({trunk, branch({0, 1, 0}, {1, 1, 0}, 2, 0, 5)}).find("which has 5"), std::string::npos);
    EXPECT_NE(error({trunk, branch({0, 0, 0}, {1, 0, 0}, 2, 0, 0)}).find("first point"), std::string::npos);
    EXPECT_NE(error({trunk, branch({0, 0.9, 0}, {1, 1, 0}, 2, 0, 4)}).find("starts away"), std::string::npos);
    Strand closed = ring(0.1, 6);
    closed.parent = 0;
    EXPECT_NE(error({trunk, closed}).find("is a ring"), std::string::npos);
    Strand thin = trunk;
    thin.thickness = 0;
    EXPECT_NE(error({thin}).find("thickness is 0"), std::string::npos);
}

/// Twist per length at the start, as strain.
std::vector<double> twist_strains(const World& world)
{
    const Rod& rod = world.rods[0];
    const auto at = [&](int i) { return world.particles->x[i].cast<double>(); };
    std::vector<double> strains;
    for (const Rod::Element& e : rod.elements) {
        const Rod::Edge &a = rod.edges[e.a], &b = rod.edges[e.b];
        const auto fa = frame_of(at(a.p0), at(a.p1), at(a.ghost)), fb = frame_of(at(b.p0), at(b.p1), at(b.ghost));
        const Vec3d omega = 2 / double(e.lbar) * half_tangent(relative_rotation(fa.d, fb.d));
        strains.push_back(omega.z - double(e.rest.z));
    }
    return strains;
}

TEST(RodTwist, WoundUpEvenlyFromEndToEnd)
{
    for (const double degrees : {300.0, 720.0, 900.0, 1000.0}) {
        for (const bool closed : {true, false}) {
            Strand strand = closed ? ring(0.4, 80) : line({0, 0, 0}, {2, 0, 0}, 80);
            strand.twist = degrees;
            World world;
            add_rod(world, {strand}, {.rest = RestShape::straight});
            double length = 0;
            for (const Rod::Edge& e : world.rods[0].edges) length += double(e.length);
            const double expected = degrees * kPi / 180 / length;
            for (const double strain : twist_strains(world)) EXPECT_NEAR(strain, expected, 0.02 * expected) << degrees;
        }
    }
}

TEST(RodTwist, ARingThatWindsThroughSpaceClosesSmoothly)
{
    Strand strand = ring(0.4, 80);
    for (int i = 0; i < 80; ++i) strand.points[i].y = 0.15 * std::sin(2 * kPi * i / 40.0 + 1);
    World world;
    add_rod(world, {strand}, {.rest = RestShape::straight});
    for (const double strain : twist_strains(world)) EXPECT_LT(std::abs(strain), 0.05);
}

}  // namespace
}  // namespace pliant
