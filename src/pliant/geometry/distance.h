#pragma once
// Signed distances to simple solids, in their own frames: negative inside, with the normal of the nearest surface.

#include "pliant/math/lanes.h"

#include <algorithm>

namespace pliant {

struct SurfacePoint {
    Real distance;  // signed, negative inside [m]
    Vec3 normal;    // outwards, unit length
};

inline SurfacePoint nearest_on_ball(const Vec3& offset, Real radius)
{
    const Real length = offset.norm();
    if (length == 0) return {-radius, {0, 1, 0}};  // at the very centre: any direction will do
    return {length - radius, offset / length};
}

/// Axis y; half_height is that of the straight part.
inline SurfacePoint nearest_on_capsule(Real radius, Real half_height, const Vec3& p)
{
    return nearest_on_ball({p.x, p.y - std::clamp(p.y, -half_height, half_height), p.z}, radius);
}

inline SurfacePoint nearest_on_box(const Vec3& half, const Vec3& p)
{
    const Vec3 q{std::abs(p.x) - half.x, std::abs(p.y) - half.y, std::abs(p.z) - half.z};
    const Vec3 sign{std::copysign(Real(1), p.x), std::copysign(Real(1), p.y), std::copysign(Real(1), p.z)};
    const Vec3 outside{std::max(q.x, Real(0)), std::max(q.y, Real(0)), std::max(q.z, Real(0))};
    const Real distance = outside.norm();
    if (distance > 0) return {distance, Vec3{sign.x * outside.x, sign.y * outside.y, sign.z * outside.z} / distance};

    const int axis = q.x > q.y ? (q.x > q.z ? 0 : 2) : (q.y > q.z ? 1 : 2);  // the nearest face
    Vec3 normal{};
    normal[axis] = sign[axis];
    return {q[axis], normal};
}

// The distances of eight points, with the same bits as above outside; inside, any negative number.
inline Lanes distance_to_ball(const Vector3<Lanes>& offset, Real radius) { return offset.norm() - Lanes(radius); }

inline Lanes distance_to_capsule(Real radius, Real half_height, const Vector3<Lanes>& p)
{
    return distance_to_ball({p.x, p.y - min(max(p.y, Lanes(-half_height)), Lanes(half_height)), p.z}, radius);
}

inline Lanes distance_to_box(const Vec3& half, const Vector3<Lanes>& p)
{
    const Vector3<Lanes> q{abs(p.x) - half.x, abs(p.y) - half.y, abs(p.z) - half.z};
    const Lanes distance = Vector3<Lanes>{max(q.x, Lanes(0)), max(q.y, Lanes(0)), max(q.z, Lanes(0))}.norm();
    return select(distance > Lanes(0), distance, Lanes(-1));
}

/// Axis y.
inline Lanes distance_to_cylinder(Real radius, Real half_height, const Vector3<Lanes>& p)
{
    const Lanes across = Vector3<Lanes>{p.x, Lanes(0), p.z}.norm();
    return distance_to_box({radius, half_height, radius}, {across, p.y, Lanes(0)});
}

/// Axis y.
inline SurfacePoint nearest_on_cylinder(Real radius, Real half_height, const Vec3& p)
{
    const Real across = Vec3{p.x, 0, p.z}.norm();
    const Vec3 out = across > 0 ? Vec3{p.x / across, 0, p.z / across} : Vec3{1, 0, 0};
    const SurfacePoint flat = nearest_on_box({radius, half_height, radius}, {across, p.y, 0});  // in a half plane
    return {flat.distance, flat.normal.x * out + Vec3{0, flat.normal.y, 0}};
}

}  // namespace pliant
