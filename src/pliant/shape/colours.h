#pragma once
// Constraints in colours: those of one colour share no vertex, so that they can be solved in any order and at once.

#include <span>
#include <vector>

namespace pliant {

/// Items of a few vertices each, sorted by colour: the smallest that no item before it with a common vertex has.
struct Colours {
    std::vector<int> order;  // the items, by colour and then as they came
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

}  // namespace pliant
