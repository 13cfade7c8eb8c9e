#pragma once
// Pairs of features by a loop over everything, to compare with.

#include "pliant/contact/pairs/pairs.h"
#include "pliant/geometry/closest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>

namespace pliant {

/// All pairs of a surface that a loop over everything finds within reach at points.reference.
inline std::set<std::array<int, 4>> pairs_by_loop(const ContactSurface& surface, const PairPoints& points,
                                                  PairKind kind)
{
    std::set<std::array<int, 4>> found;
    const auto test = [&](const std::array<int, 4>& p) {
        const int first = kind == PairKind::vertex_triangle ? 1 : 2;
        for (int i = 0; i < first; ++i)
            for (int j = first; j < 4; ++j)
                if (p[i] == p[j]) return;
        Vec3 x[4];
        Real reach[2] = {0, 0}, budget[2] = {0, 0};
        for (int k = 0; k < 4; ++k) {
            x[k] = points.reference[p[k]].position();
            reach[k < first ? 0 : 1] = std::max(reach[k < first ? 0 : 1], points.reach[p[k]]);
            budget[k < first ? 0 : 1] = std::max(budget[k < first ? 0 : 1], points.budget(p[k]));
        }
        const Real gap = kind == PairKind::vertex_triangle ? closest_vertex_triangle(x).gap : closest_edges(x).gap;
        if (gap < reach[0] + reach[1] + budget[0] + budget[1]) found.insert(name_of_pair(kind, p.data()));
    };
    if (kind == PairKind::vertex_triangle) {
        for (const auto& v : surface.vertices)
            for (const auto& t : surface.triangles) test({v.point, t.point[0], t.point[1], t.point[2]});
    } else {
        for (std::size_t i = 0; i < surface.edges.size(); ++i)
            for (std::size_t j = i + 1; j < surface.edges.size(); ++j)
                test({surface.edges[i].a, surface.edges[i].b, surface.edges[j].a, surface.edges[j].b});
    }
    return found;
}

/// All pairs in the lists, none of them twice.
inline std::set<std::array<int, 4>> pairs_in(const Pairs& pairs, PairKind kind)
{
    std::set<std::array<int, 4>> names;
    for (int list = 0; list < Pairs::kLists; ++list) {
        if (kind_of(list) != kind) continue;
        for (const PairBlock& block : std::span(pairs.lists[list].blocks).first(pairs.lists[list].size()))
            for (int l = 0; l < kLanes; ++l) {
                const int p[4] = {block.point[0][l], block.point[1][l], block.point[2][l], block.point[3][l]};
                if (block.distance[l] <= 0) continue;
                EXPECT_TRUE(names.insert(name_of_pair(kind, p)).second) << "a pair came twice";
            }
    }
    return names;
}

}  // namespace pliant
