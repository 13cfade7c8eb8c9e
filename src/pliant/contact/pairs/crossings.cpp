#include "pliant/contact/pairs/crossings.h"

#include "pliant/contact/pairs/meeting.h"
#include "pliant/contact/pairs/stars.h"
#include "pliant/geometry/box_tree.h"
#include "pliant/geometry/crossing.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace pliant {

namespace {

Box box_of(std::initializer_list<Vec3> corners)
{
    Box box{*corners.begin(), *corners.begin()};
    for (const Vec3& x : corners) {
        for (int k = 0; k < 3; ++k) {
            box.low[k] = std::min(box.low[k], x[k]);
            box.high[k] = std::max(box.high[k], x[k]);
        }
    }
    return box;
}

bool are_glued(const ContactSurface& surface, const ContactSurface::Edge& edge, const std::array<int, 3>& triangle)
{
    return std::ranges::any_of(
        triangle, [&](int corner) { return surface.are_glued(edge.a, corner) || surface.are_glued(edge.b, corner); });
}

constexpr double kDecidingMotion =
    1e-7;  // of an edge: a motion that decides whether it passes through what it meets or touches it

class CrossingFinder {
  public:
    enum class Depth { any, more_than_rounding };
    CrossingFinder(const ContactSurface& surface, std::span<const Vec3> x, Depth depth)
        : surface_(surface), x_(x), depth_(depth)
    {}

    std::vector<Crossing> find()
    {
        BoxTree tree(static_cast<int>(surface_.triangles.size()));
        tree.refit([&](int t) {
            const auto& p = surface_.triangles[t].point;
            return box_of({x_[p[0]], x_[p[1]], x_[p[2]]});
        });
        std::vector<Crossing> crossings;
        for (int e = 0; e < static_cast<int>(surface_.edges.size()); ++e) {
            const ContactSurface::Edge& edge = surface_.edges[e];
            if (edge.a == edge.b) continue;
            tree.find(box_of({x_[edge.a], x_[edge.b]}), 0, [&](int t) {
                if (may_cross(edge, surface_.triangles[t]) && cross(edge, surface_.triangles[t]))
                    crossings.push_back({e, t});
            });
        }
        return crossings;
    }

  private:
    bool may_cross(const ContactSurface::Edge& edge, const ContactSurface::Triangle& triangle) const
    {
        const auto& p = triangle.point;
        return std::ranges::count(p, edge.a) + std::ranges::count(p, edge.b) == 0 &&
               surface_.pairing(edge.body, triangle.body).on && !are_glued(surface_, edge, p);
    }

    /// Near misses may look like crossings where rounding is forgiven: a deep crossing is an exact one as well.
    bool cross(const ContactSurface::Edge& edge, const ContactSurface::Triangle& triangle)
    {
        return cross(edge, triangle, 0) && (depth_ == Depth::any || cross(edge, triangle, rounding_of(edge, triangle)));
    }

    bool cross(const ContactSurface::Edge& edge, const ContactSurface::Triangle& triangle, Real rounding)
    {
        const auto& [a, b, c] = triangle.point;
        const CrossingSigns signs = crossing_signs(x_[edge.a], x_[edge.b], x_[a], x_[b], x_[c], rounding);
        if (signs.are_apart()) return false;
        if (signs.are_strict()) return true;
        make_stars();
        const double tolerance = static_cast<double>(rounding);
        const double little = 8 * tolerance + kDecidingMotion * (at(edge.a) - at(edge.b)).norm();
        // all edges and triangles around, also where the two meet near a side, a corner or an end
        const CrossingSigns near =
            crossing_signs(x_[edge.a], x_[edge.b], x_[a], x_[b], x_[c], static_cast<Real>(4 * little));
        return pass_through(star_of_edge(edge, near), star_of_triangle(triangle, near), x_,
                            meeting_point(edge, triangle), little, tolerance);
    }

    void make_stars()
    {
        if (!stars_.made) pliant::make_stars(surface_, stars_);
    }

    /// None if neither body is closed: there is then no inside that could be entered.
    Real rounding_of(const ContactSurface::Edge& edge, const ContactSurface::Triangle& triangle)
    {
        make_stars();
        if (stars_.closed[edge.body] == 0 && stars_.closed[triangle.body] == 0) return 0;
        Real largest = 0;
        for (const int p : {edge.a, edge.b, triangle.point[0], triangle.point[1], triangle.point[2]})
            for (int k = 0; k < 3; ++k) largest = std::max(largest, std::abs(x_[p][k]));
        return rounding_of_places(largest);
    }

    Vec3d at(int point) const { return x_[point].cast<double>(); }

    /// Of an edge and the plane of a triangle.
    Vec3d meeting_point(const ContactSurface::Edge& edge, const ContactSurface::Triangle& triangle) const
    {
        const Vec3d p = at(edge.a), q = at(edge.b), a = at(triangle.point[0]);
        const Vec3d n = (at(triangle.point[1]) - a).cross(at(triangle.point[2]) - a);
        const double from = n.dot(p - a), to = n.dot(q - a);
        return from == to ? p : p + (from / (from - to)) * (q - p);
    }

    /// The edges and triangles of a body that have all of these corners.
    Star star_of(int body, std::initializer_list<int> corners) const
    {
        Star star;
        star.closed = stars_.closed[body] != 0;
        const auto has_all = [&](const auto& points) {
            return std::ranges::all_of(corners, [&](int p) { return std::ranges::count(points, p) > 0; });
        };
        for (const int e : stars_.edges_at(*corners.begin()))
            if (const std::array ends{surface_.edges[e].a, surface_.edges[e].b}; has_all(ends))
                star.edges.push_back(ends);
        for (const int t : stars_.triangles_at(*corners.begin()))
            if (has_all(surface_.triangles[t].point)) star.triangles.push_back(surface_.triangles[t].point);
        return star;
    }
    Star star_of_edge(const ContactSurface::Edge& edge, const CrossingSigns& signs) const
    {
        if (signs.end[0] == 0) return star_of(edge.body, {edge.a});
        if (signs.end[1] == 0) return star_of(edge.body, {edge.b});
        return star_of(edge.body, {edge.a, edge.b});
    }
    Star star_of_triangle(const ContactSurface::Triangle& triangle, const CrossingSigns& signs) const
    {
        const auto& p = triangle.point;
        for (int k = 0; k < 3; ++k)
            if (signs.side[k] == 0 && signs.side[(k + 1) % 3] == 0) return star_of(triangle.body, {p[(k + 1) % 3]});
        for (int k = 0; k < 3; ++k)
            if (signs.side[k] == 0) return star_of(triangle.body, {p[k], p[(k + 1) % 3]});
        return star_of(triangle.body, {p[0], p[1], p[2]});
    }

    const ContactSurface& surface_;
    std::span<const Vec3> x_;
    Depth depth_;
    Stars stars_;
};

}  // namespace

Real rounding_of_places(Real largest_coordinate)
{
    return 16 * std::numeric_limits<Real>::epsilon() * largest_coordinate;
}

std::vector<Vec3> places_of_points(const ContactSurface& surface, const Particles& particles, const RigidBodies& rigids)
{
    std::vector<Vec3> x(particles.x.begin(), particles.x.end());
    for (const auto& [body, place] : surface.carried) x.push_back(to_world(rigids.pose[body], place));
    return x;
}

std::vector<Crossing> find_crossings(const ContactSurface& surface, std::span<const Vec3> x)
{
    return CrossingFinder(surface, x, CrossingFinder::Depth::any).find();
}

std::vector<Crossing> find_deep_crossings(const ContactSurface& surface, std::span<const Vec3> x)
{
    return CrossingFinder(surface, x, CrossingFinder::Depth::more_than_rounding).find();
}

}  // namespace pliant
