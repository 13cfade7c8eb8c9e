#pragma once
// The edges and triangles around each point of a surface.

#include "pliant/contact/pairs/surface.h"

#include <span>
#include <vector>

namespace pliant {

struct Stars {
    bool made = false;
    std::vector<int> first_edge, edge;          // per point and one past the end: into `edge`
    std::vector<int> first_triangle, triangle;  // the same for triangles
    std::vector<char> closed;                   // per body: every edge of it has two triangles
    std::vector<int> balance;                   // scratch, per body: three for each triangle, less two for each edge

    std::span<const int> edges_at(int point) const { return part(first_edge, edge, point); }
    std::span<const int> triangles_at(int point) const { return part(first_triangle, triangle, point); }

  private:
    static std::span<const int> part(const std::vector<int>& first, const std::vector<int>& all, int point)
    {
        return std::span(all).subspan(first[point], first[point + 1] - first[point]);
    }
};

void make_stars(const ContactSurface& surface, Stars& stars);

}  // namespace pliant
