#include "pliant/contact/colliders.h"

#include <algorithm>

namespace pliant {

namespace {

SurfacePoint from_center(const Vec3& offset, Real radius)
{
    const Real length = offset.norm();
    if (length == 0) return {-radius, {0, 1, 0}};  // in the very centre: any way out
    return {length - radius, offset / length};
}

SurfacePoint nearest_on_box(const Vec3& half, const Vec3& p)
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

}  // namespace

SurfacePoint nearest_surface(const Collider& collider, const ColliderPose& pose, const Vec3& x)
{
    const Vec3 offset = x - pose.position;
    if (collider.shape == ColliderShape::plane) {
        const Vec3 normal = pose.rotation.c[1];
        return {normal.dot(offset), normal};
    }
    if (collider.shape == ColliderShape::sphere) return from_center(offset, collider.radius);

    const Vec3 p{pose.rotation.c[0].dot(offset), pose.rotation.c[1].dot(offset), pose.rotation.c[2].dot(offset)};
    const Real half = collider.height / 2;
    SurfacePoint s = collider.shape == ColliderShape::box
                         ? nearest_on_box(Real(0.5) * collider.size, p)
                         : from_center({p.x, p.y - std::clamp(p.y, -half, half), p.z}, collider.radius);
    s.normal = pose.rotation * s.normal;
    return s;
}

ColliderPose pose_at(const Collider& collider, double time, double time_prev)
{
    const Mat3d rotation = rotation_of(collider.rotation);
    const RigidMap now = motion_at(collider.motion, time), before = motion_at(collider.motion, time_prev);
    return {(now.rotation * rotation).cast<Real>(), now(collider.position).cast<Real>(),
            (before.rotation * rotation).cast<Real>(), before(collider.position).cast<Real>()};
}

}  // namespace pliant
