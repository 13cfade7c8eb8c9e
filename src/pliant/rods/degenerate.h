#pragma once
// Edges that have no frame: an edge of zero length, or a ghost on the line of its edge.

#include "pliant/rods/rod.h"
#include "pliant/shape/points.h"

#include <span>

namespace pliant {

inline constexpr double kMinEdgeLength = 1e-5;   // of an edge, relative to its rest length
inline constexpr double kMinGhostHeight = 1e-3;  // of a ghost above its edge, relative to its rest distance

template <class S>
bool has_frame(const Rod::Edge& edge, const Vector3<S>& p0, const Vector3<S>& p1, const Vector3<S>& ghost)
{
    const Vector3<S> along = p1 - p0;
    const S shortest = S(kMinEdgeLength) * S(edge.length), lowest = S(kMinGhostHeight) * S(edge.ghost_distance);
    return along.squared_norm() > shortest * shortest &&
           along.cross(ghost - p0).squared_norm() > lowest * lowest * along.squared_norm();
}
inline bool has_frame(const Rod::Edge& edge, std::span<const Point> points)
{
    return has_frame(edge, points[edge.p0].position(), points[edge.p1].position(), points[edge.ghost].position());
}

/// Gives such an edge the frame that it had at the start of the substep, parallel-transported, or any frame if it had
/// none then either. Pinned points stay.
void repair_edge(const Rod::Edge& edge, std::span<const Vec3> before, std::span<Point> points);

}  // namespace pliant
