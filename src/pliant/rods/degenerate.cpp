#include "pliant/rods/degenerate.h"

#include <initializer_list>

namespace pliant {

namespace {

/// A unit vector perpendicular to `along`: from the first wish that is not nearly parallel to it.
Vec3d across(const Vec3d& along, std::initializer_list<Vec3d> wishes)
{
    for (const Vec3d& wish : wishes) {
        const Vec3d side = wish - wish.dot(along) * along;
        if (side.norm() > 0.1) return side.normalized();
    }
    return {};
}

}  // namespace

void repair_edge(const Rod::Edge& edge, std::span<const Vec3> before, std::span<Point> points)
{
    const auto at = [&](int i) { return points[i].position().cast<double>(); };
    const auto put = [&](int i, const Vec3d& x) {
        if (points[i].w > 0)
            points[i] = {static_cast<Real>(x.x), static_cast<Real>(x.y), static_cast<Real>(x.z), points[i].w};
    };
    const auto length = static_cast<double>(edge.length), distance = static_cast<double>(edge.ghost_distance);
    const Vec3d now = at(edge.p1) - at(edge.p0);
    const Vec3d old_edge = (before[edge.p1] - before[edge.p0]).cast<double>();
    const Vec3d old_side = (before[edge.ghost] - before[edge.p0]).cast<double>();
    const Vec3d old_along = old_edge.norm() > kMinEdgeLength * length ? old_edge.normalized() : Vec3d{0, 0, 1};
    if (!(now.norm() > kMinEdgeLength * length)) {
        const Vec3d middle = 0.5 * (at(edge.p0) + at(edge.p1));
        put(edge.p0, middle - 0.5 * length * old_along);
        put(edge.p1, middle + 0.5 * length * old_along);
    }
    const Vec3d edge_now = at(edge.p1) - at(edge.p0);
    const Vec3d along = edge_now.norm() > 0 ? edge_now.normalized() : old_along;
    const Vec3d old_d1 = (old_side - old_side.dot(old_along) * old_along) / distance, old_d2 = old_along.cross(old_d1);
    const Vec3d d1 = across(along, {old_d1, old_d2, {1, 0, 0}, {0, 1, 0}});
    put(edge.ghost, 0.5 * (at(edge.p0) + at(edge.p1)) + distance * d1);
}

}  // namespace pliant
