#pragma once
// Which pairs of features touch, and how near they come.

#include "pliant/contact/pairs/pair_kernels.h"

namespace pliant {

/// Points of the same body that are near each other at rest keep less than their thickness.
inline constexpr Real kRestShare = Real(0.9);
/// Balls of one body that are nearer than this many diameters at rest do not touch: its elasticity keeps them apart.
inline constexpr Real kMinBallSpacing = Real(2.5);

/// Whether two features without a common corner may touch, if their bodies may.
template <PairKind kind>
bool features_may_touch(const ContactSurface& surface, const PairPoints& points, const int p[4], bool same_body)
{
    constexpr int kFirst = kind == PairKind::vertex_triangle ? 1 : 2;  // points of the first side
    for (int a = 0; a < kFirst; ++a)
        for (int b = kFirst; b < 4; ++b)
            if (surface.are_glued(p[a], p[b])) return false;
    if (kind == PairKind::vertex_triangle || !same_body || p[0] != p[1] || p[2] != p[3]) return true;
    const Real near = kMinBallSpacing / kReach * (points.reach[p[0]] + points.reach[p[2]]);
    return (surface.rest[p[0]] - surface.rest[p[2]]).squared_norm() >= near * near;
}

/// Whether two features are further apart than `distance` along a coordinate axis.
template <PairKind kind>
bool are_apart_along_an_axis(const Vec3 x[4], Real distance)
{
    for (int axis = 0; axis < 3; ++axis) {
        const Real a = x[0][axis], b = x[1][axis], c = x[2][axis], d = x[3][axis];
        constexpr bool kEdges = kind == PairKind::edge_edge;
        const Real low = kEdges ? std::min(a, b) : a, high = kEdges ? std::max(a, b) : a;
        const Real other_low = kEdges ? std::min(c, d) : std::min(b, std::min(c, d));
        const Real other_high = kEdges ? std::max(c, d) : std::max(b, std::max(c, d));
        if (low - other_high > distance || other_low - high > distance) return true;
    }
    return false;
}

/// The distance that two features of one body keep: less than asked for where they are nearer at rest.
template <PairKind kind>
Real distance_at_rest(const ContactSurface& surface, const int p[4], Real distance)
{
    const Vec3 x[4] = {surface.rest[p[0]], surface.rest[p[1]], surface.rest[p[2]], surface.rest[p[3]]};
    if (are_apart_along_an_axis<kind>(x, distance / kRestShare)) return distance;  // true of most
    return std::min(distance, kRestShare * closest<kind>(x).gap);
}

}  // namespace pliant
