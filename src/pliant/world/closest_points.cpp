#include "pliant/base/check.h"
#include "pliant/geometry/box_tree.h"
#include "pliant/geometry/closest.h"
#include "pliant/world/current_surface.h"
#include "pliant/world/queries.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <type_traits>
#include <vector>

namespace pliant {

namespace {

/// A triangle, or a segment (the axis of a tube), or a point (of a ball).
struct Feature {
    std::array<Vec3d, 3> corner;
    int corners = 0;

    std::span<const Vec3d> points() const { return std::span(corner).first(static_cast<std::size_t>(corners)); }
    int edges() const { return corners == 3 ? 3 : corners - 1; }
    Vec3d start(int edge) const { return corner[static_cast<std::size_t>(edge)]; }
    Vec3d end(int edge) const { return corner[static_cast<std::size_t>((edge + 1) % corners)]; }
};

std::vector<Feature> features_of(const CurrentSurface& surface)
{
    std::vector<Feature> features;
    for (const auto& triangle : surface.triangles) features.push_back({surface.corners(triangle), 3});
    for (const auto& [p, q] : surface.tubes) features.push_back({{surface.at(p), surface.at(q)}, p == q ? 1 : 2});
    return features;
}

Box box_of(const Feature& feature, double grown)
{
    Vec3d low = feature.corner[0], high = low;
    for (const Vec3d& p : feature.points()) {
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
    }
    const Vec3d by{grown, grown, grown};
    return {(low - by).cast<Real>(), (high + by).cast<Real>()};
}

/// Calls take(point of a, point of b) for the candidates of the nearest points of two features: each vertex with the other
/// feature, and each edge with each.
template <class Take>
void visit_candidates(const Feature& a, const Feature& b, const Take& take)
{
    const auto vertex_to = [&](const Vec3d& p, const Feature& other) {
        const Vec3d x[4] = {p, other.corner[0], other.corner[other.corners > 1 ? 1 : 0],
                            other.corner[static_cast<std::size_t>(other.corners - 1)]};
        const Closest<double> near = closest_vertex_triangle(x);
        return -(near.w[1] * x[1] + near.w[2] * x[2] + near.w[3] * x[3]);
    };
    for (const Vec3d& p : a.points()) take(p, vertex_to(p, b));
    for (const Vec3d& p : b.points()) take(vertex_to(p, a), p);
    for (int i = 0; i < a.edges(); ++i) {
        for (int k = 0; k < b.edges(); ++k) {
            const Vec3d x[4] = {a.start(i), a.end(i), b.start(k), b.end(k)};
            const Closest<double> near = closest_edges(x);
            take(near.w[0] * x[0] + near.w[1] * x[1], -(near.w[2] * x[2] + near.w[3] * x[3]));
        }
    }
}

/// Collects the nearest points of two surfaces.
class NearestRegion {
  public:
    explicit NearestRegion(double tolerance) : tolerance_(tolerance) {}

    /// How near a feature has to be to matter.
    double reach() const { return best_ + tolerance_; }

    void meet(const Feature& a, const Feature& b)
    {
        visit_candidates(a, b, [&](const Vec3d& p, const Vec3d& q) {
            const double distance = (p - q).norm();
            if (distance > reach()) return;
            best_ = std::min(best_, distance);
            const ClosestPoints points{p, q, distance};
            const auto [there, fresh] = found_.try_emplace(cell_of(0.5 * (p + q)), points);  // triangles share corners
            if (!fresh && distance < there->second.distance) there->second = points;
        });
    }

    /// The middle of what is equally near: of its bounding box, as a mean would depend on how faces are cut into triangles.
    ClosestPoints middle()
    {
        std::erase_if(found_, [&](const auto& item) { return item.second.distance > reach(); });
        std::vector<Vec3d> on_a, on_b;
        for (const auto& [cell, points] : found_) {
            on_a.push_back(points.a);
            on_b.push_back(points.b);
        }
        const auto middle_of = [](const std::vector<Vec3d>& points) {
            const Box3 box = bounding_box(points);
            return 0.5 * (box.low + box.high);
        };
        return {middle_of(on_a), middle_of(on_b), best_};
    }

  private:
    using Cell = std::array<long long, 3>;

    /// Points in one cell are one point.
    Cell cell_of(const Vec3d& p) const
    {
        const double size = 4 * tolerance_;
        return {std::llround(p.x / size), std::llround(p.y / size), std::llround(p.z / size)};
    }

    double tolerance_;
    double best_ = std::numeric_limits<Real>::max() / 4;
    std::map<Cell, ClosestPoints> found_;
};

CurrentSurface surface_of(const World& world, const BodyRef& body)
{
    CurrentSurface surface;
    const auto read = [&](auto id) {
        if constexpr (!std::is_same_v<decltype(id), ColliderId>) {
            if (const auto* found = list_of(world, id).find(id)) surface = current_surface(world, *found);
        }
    };
    std::visit(read, body);
    if (surface.triangles.empty() && surface.tubes.empty())
        throw InputError("closest_points: the body has been removed, is a collider or has no surface");
    return surface;
}

/// How far apart the points of a surface are, at most [m].
double extent_of(const CurrentSurface& surface)
{
    double extent = 0;
    for (const Vec3& p : surface.points) extent = std::max(extent, (p - surface.points[0]).cast<double>().norm());
    return extent;
}

}  // namespace

ClosestPoints closest_points(const World& world, const BodyRef& a, const BodyRef& b)
{
    const CurrentSurface on_a = surface_of(world, a), on_b = surface_of(world, b);
    const std::vector<Feature> features_a = features_of(on_a), features_b = features_of(on_b);
    BoxTree tree(static_cast<int>(features_b.size()));
    tree.refit([&](int i) { return box_of(features_b[static_cast<std::size_t>(i)], 0); });
    constexpr double kTolerance = 1e-4;  // of the smaller body: what is as near as the nearest
    NearestRegion region(kTolerance * std::max(std::min(extent_of(on_a), extent_of(on_b)), 1e-9));
    for (const Feature& feature : features_a) {
        tree.find(box_of(feature, region.reach()), 0,
                  [&](int i) { region.meet(feature, features_b[static_cast<std::size_t>(i)]); });
    }
    ClosestPoints found = region.middle();
    const double radius = static_cast<double>(on_a.radius) + static_cast<double>(on_b.radius);
    found.distance = std::max(0.0, found.distance - radius);
    return found;
}

}  // namespace pliant
