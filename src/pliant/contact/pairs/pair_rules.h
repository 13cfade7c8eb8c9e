#pragma once
// Which pairs of features touch, and how near they come.

#include "pliant/contact/pairs/pair_kernels.h"

namespace pliant {

/// Points of the same body that are near each other at rest keep less than their thickness.
inline constexpr Real kRestShare = Real(0.9);
/// Balls of one body nearer than so many diameters at rest do not touch: its elasticity keeps them apart.
inline constexpr Real kMinBallSpacing = Real(2.5);

/// Of bodies that may touch, features without a common corner.
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

/// That two features of one body keep: less than asked for where they are nearer at rest.
template <PairKind kind>
Real distance_at_rest(const ContactSurface& surface, const int p[4], Real distance)
{
    Vec3 x[4];
    for (int k = 0; k < 4; ++k) x[k] = surface.rest[p[k]];
    // most are further apart than that along an axis
    const Real far = distance / kRestShare;
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
        if (clearance<kind>(axis, x) > far || clearance<kind>(-axis, x) > far) return distance;
    return std::min(distance, kRestShare * closest<kind>(x).gap);
}

}  // namespace pliant
