#pragma once
// The poses of colliders in a substep, and distances to them.

#include "pliant/contact/colliders/collider.h"
#include "pliant/geometry/shape_distance.h"

#include <span>
#include <vector>

namespace pliant {

/// The shape of a collider, in its own frame.
Shape shape_of(const Collider& collider);

/// Where a collider is during a substep, and where it was at its start.
struct ColliderPose : ShapePose {
    Mat3 rotation_prev = Mat3::identity();
    Vec3 position_prev;  // [m]
};
/// Whether a collider has not moved in the substep.
bool is_still(const ColliderPose& pose);
ColliderPose pose_at(const Collider& collider, double time, double time_prev);

/// A collider in a substep.
struct PlacedCollider {
    Shape shape;
    ColliderPose pose;
    Real friction = 0, restitution = 0;
};
PlacedCollider place_collider(const Collider& collider, double time, double time_prev);
/// All of them, for the substep from `time` to `time` + h.
void place_colliders(std::span<const Collider> colliders, double time, Real h, std::vector<PlacedCollider>& placed);

/// The nearest surface point of a collider, seen from x.
SurfacePoint nearest_surface(const Collider& collider, const ColliderPose& pose, const Vec3& x);

/// How far the collider's own material at x has moved in the substep.
Vec3 surface_motion(const ColliderPose& pose, const Vec3& x);

}  // namespace pliant
