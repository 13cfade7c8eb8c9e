#pragma once
// Graph colouring of constraints: those of one colour share no vertex, so that they can be solved in any order or in
// parallel, colour by colour (coloured Gauss-Seidel).

#include "pliant/base/parallel.h"
#include "pliant/math/lanes.h"

#include <algorithm>
#include <span>
#include <vector>

namespace pliant {

/// Items of a few vertices each, sorted by colour. Greedy: each gets the smallest colour that no earlier item with a
/// common vertex has.
struct Colours {
    std::vector<int> order;  // the items, by colour and then by number
    std::vector<int> first;  // per colour: into order; and one past the end
};

/// vertices_of(item) is a range of vertices.
template <class VerticesOf>
Colours find_colours(int items, int vertices, const VerticesOf& vertices_of)
{
    std::vector<std::vector<bool>> taken;  // per colour: its vertices
    std::vector<std::vector<int>> of_colour;
    for (int item = 0; item < items; ++item) {
        const auto meets = [&](const std::vector<bool>& used) {
            for (const int v : vertices_of(item))
                if (used[v]) return true;
            return false;
        };
        std::size_t c = 0;
        while (c < taken.size() && meets(taken[c])) ++c;
        if (c == taken.size()) {
            taken.emplace_back(vertices, false);
            of_colour.emplace_back();
        }
        for (const int v : vertices_of(item)) taken[c][v] = true;
        of_colour[c].push_back(item);
    }
    Colours colours{{}, {0}};
    for (const std::vector<int>& group : of_colour) {
        colours.order.insert(colours.order.end(), group.begin(), group.end());
        colours.first.push_back(static_cast<int>(colours.order.size()));
    }
    return colours;
}

/// Splits each colour into groups of eight items (the last one may have fewer) and calls add(items) for each, in order.
/// Returns the first group of every colour, and one past the end.
template <class Add>
std::vector<int> group_by_eight(const Colours& colours, const Add& add)
{
    std::vector<int> first_group{0};
    int groups = 0;
    for (std::size_t c = 0; c + 1 < colours.first.size(); ++c) {
        for (int at = colours.first[c]; at < colours.first[c + 1]; at += kLanes, ++groups) {
            const int count = std::min(kLanes, colours.first[c + 1] - at);
            add(std::span(colours.order).subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(count)));
        }
        first_group.push_back(groups);
    }
    return first_group;
}

/// Calls body(group) for all groups, colour by colour; those of one colour in parallel.
template <class Body>
void for_each_group(std::span<const int> first_group, int grain, const Body& body)
{
    for (std::size_t colour = 0; colour + 1 < first_group.size(); ++colour) {
        const int first = first_group[colour];
        parallel_for(first_group[colour + 1] - first, grain, [&](int begin, int end) {
            for (int g = first + begin; g < first + end; ++g) body(g);
        });
    }
}

}  // namespace pliant
