#include "contact/all_pairs.h"
#include "contact/sheets.h"
#include "pliant/contact/pairs/guard.h"
#include "pliant/contact/pairs/pairs.h"
#include "pliant/contact/pairs/project_pairs.h"
#include "pliant/contact/pairs/take_back.h"
#include "pliant/geometry/closest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace pliant {
namespace {

TEST(FindPairs, FindsWhatALoopFinds)
{
    World world = contact_world();
    add_sheet(world, 0.3, 8, {}, kThin);
    add_sheet(world, 0.3, 8, {.linear = turned({1, 0, 0}, 20), .position = {0.01, 0.02, 0}}, kThin, "other");
    const ContactSurface surface = make_contact_surface(world);
    Pairs pairs;
    PairPoints& points = pairs.points;
    points.resize(world.particles->size());
    std::ranges::fill(points.meshed, 1);
    std::ranges::fill(points.reach, Real(0.0033));
    std::mt19937 random(1);
    std::uniform_real_distribution<Real> noise(Real(-0.02), Real(0.02));
    const auto shake = [&](int i, Real budget) {
        const Vec3 x = world.particles->x[i] + Vec3{noise(random), noise(random), noise(random)};
        points.reference[i] = {x.x, x.y, x.z, budget};
    };
    for (int i = 0; i < world.particles->size(); ++i) shake(i, Real(0.004));
    std::ranges::fill(points.renewed, 1);
    find_pairs(surface, pairs);
    for (const PairKind kind : {PairKind::vertex_triangle, PairKind::edge_edge}) {
        EXPECT_GT(pairs_in(pairs, kind).size(), 100U);
        EXPECT_EQ(pairs_in(pairs, kind), pairs_by_loop(surface, points, kind));
    }
    // some points move on, with other budgets
    for (const unsigned one_of : {50U, 50U, 50U, 5U, 50U, 1U, 50U}) {
        for (int i = 0; i < world.particles->size(); ++i) {
            points.renewed[i] = random() % one_of == 0 ? 1 : 0;
            if (points.renewed[i] == 0) continue;
            shake(i, Real(0.002) + std::abs(noise(random)) / 4);
        }
        find_pairs(surface, pairs);
        for (const PairKind kind : {PairKind::vertex_triangle, PairKind::edge_edge})
            EXPECT_EQ(pairs_in(pairs, kind), pairs_by_loop(surface, points, kind));
    }
}

TEST(FindPairs, WhatIsNearAtRestKeepsLess)
{
    constexpr Real kRadius = Real(0.008), kOfRest = Real(0.9);
    World world = contact_world();
    add_sheet(world, 0.16, 10, {}, kThin);
    const ContactSurface surface = make_contact_surface(world);
    Pairs pairs;
    PairPoints& points = pairs.points;
    points.resize(world.particles->size());
    std::ranges::fill(points.renewed, 1);
    std::ranges::fill(points.reach, kReach * kRadius);
    for (int i = 0; i < world.particles->size(); ++i) {
        const Vec3 x = world.particles->x[i];  // folded in the middle
        points.reference[i] = {std::abs(x.x), x.y + (x.x < 0 ? Real(0.01) : 0), x.z, Real(0.001)};
    }
    find_pairs(surface, pairs);
    int less = 0, full = 0;
    for (int list = 0; list < Pairs::kLists; ++list) {
        for (const FoundPair& pair : pairs.lists[list].pairs) {
            Vec3 rest[4];
            for (int k = 0; k < 4; ++k) rest[k] = surface.rest[pair.point[k]];
            const Real gap = kind_of(list) == PairKind::vertex_triangle ? closest_vertex_triangle(rest).gap
                                                                        : closest_edges(rest).gap;
            EXPECT_NEAR(pair.distance, std::min(2 * kRadius, kOfRest * gap), 1e-6);
            ++(kOfRest * gap < 2 * kRadius ? less : full);
        }
    }
    EXPECT_GT(less, 1000);
    EXPECT_GT(full, 1000);
}

TEST(Guard, HoldsARowOfAnyLength)
{
    // balls in a row, nearly as near as they may be, are driven against the first, which is fixed
    constexpr int kBalls = 60;
    ContactSurface surface;
    surface.bodies = surface.particles = kBalls;
    surface.pairings.assign(kBalls * kBalls, {.on = true});
    surface.rest.resize(kBalls + 1);
    surface.glued.assign(kBalls + 1, 0);
    Pairs pairs;
    PairPoints& points = pairs.points;
    points.resize(kBalls);
    std::ranges::fill(points.renewed, 1);
    std::ranges::fill(points.reach, Real(0.495));
    std::ranges::fill(points.used, 1);
    for (int i = 0; i < kBalls; ++i) {
        surface.vertices.push_back({.point = i, .body = i});
        surface.edges.push_back({.a = i, .b = i, .body = i});
        const Real x = Real(0.1) * Real(i);
        points.start[i] = {x, 0, 0, i == 0 ? Real(0) : Real(1)};
        points.now[i] = {i == 0 ? x : x - Real(0.05), 0, 0, points.start[i].w};
        points.reference[i] = {x, 0, 0, Real(0.06)};
    }
    find_pairs(surface, pairs);
    count_no_pairs(pairs);
    measure_pairs(surface, pairs);
    Guard guard;
    RigidBodies none;
    GuardedColliders no_colliders;
    const GuardScope scope{surface, pairs, points, none, no_colliders, {}, true};
    begin_take_back(scope, guard);
    guard_pairs(scope, guard);
    EXPECT_EQ(guard.open, 0);
    EXPECT_GE(guard.held, kBalls - 1);
    for (int i = 1; i < kBalls; ++i) EXPECT_GT(points.now[i].x - points.now[i - 1].x, 0.089) << i;
}

}  // namespace
}  // namespace pliant
