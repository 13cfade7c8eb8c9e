#include "pliant/contact/pairs/stars.h"

#include <numeric>

namespace pliant {

namespace {

/// Lists features by their points.
template <class Things, class Corners>
void list_by_point(int points, const Things& things, const Corners& corners, std::vector<int>& first,
                   std::vector<int>& all)
{
    first.assign(static_cast<std::size_t>(points) + 2, 0);
    for (const auto& thing : things)
        for (const int p : corners(thing)) ++first[p + 2];
    std::partial_sum(first.begin(), first.end(), first.begin());
    all.resize(static_cast<std::size_t>(first.back()));
    for (std::size_t i = 0; i < things.size(); ++i)
        for (const int p : corners(things[i])) all[first[p + 1]++] = static_cast<int>(i);
    first.pop_back();
}

}  // namespace

void make_stars(const ContactSurface& surface, Stars& stars)
{
    using Edge = ContactSurface::Edge;
    using Triangle = ContactSurface::Triangle;
    list_by_point(
        surface.points(), surface.edges, [](const Edge& e) { return std::array{e.a, e.b}; }, stars.first_edge,
        stars.edge);
    list_by_point(
        surface.points(), surface.triangles, [](const Triangle& t) { return t.point; }, stars.first_triangle,
        stars.triangle);
    stars.balance.assign(static_cast<std::size_t>(surface.bodies), 0);
    stars.closed.assign(stars.balance.size(), 0);
    for (const Edge& e : surface.edges) stars.balance[e.body] -= 2;
    for (const Triangle& t : surface.triangles) {
        stars.balance[t.body] += 3;
        stars.closed[t.body] = 1;
    }
    for (std::size_t b = 0; b < stars.closed.size(); ++b)
        if (stars.balance[b] != 0) stars.closed[b] = 0;
    stars.made = true;
}

}  // namespace pliant
