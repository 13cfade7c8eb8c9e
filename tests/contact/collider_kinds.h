#pragma once
// Colliders to test with.

#include "pliant/contact/colliders/colliders.h"
#include "pliant/geometry/touch.h"
#include "pliant/math/rotation.h"
#include "pliant/state/rigid_bodies.h"

namespace pliant {

inline Collider collider_of(ColliderShape shape)
{
    Collider c;
    c.shape = shape;
    c.position = {1, 2, 3};
    c.rotation = {20, 40, -30};
    c.radius = Real(0.4);
    c.height = 1;
    c.size = {1, Real(0.6), 2};
    return c;
}

/// Touches of a rigid shape with a collider at time 0.
inline void find_touches(const Shape& shape, const Pose& pose, const Collider& c, Real margin, Touches& touches)
{
    find_touches(shape, {pose.rotation(), pose.x}, shape_of(c), pose_at(c, 0, 0), margin, touches);
}

/// A plane, or a large box with the same top, that falls towards +x at an angle.
inline Collider slope(double degrees, double friction, ColliderShape shape = ColliderShape::plane)
{
    Collider c;
    c.shape = shape;
    c.rotation = {0, 0, -degrees};
    c.friction = static_cast<Real>(friction);
    if (shape == ColliderShape::box) {
        c.size = {10, 2, 10};
        c.position = rotation_of(c.rotation) * Vec3d{0, -1, 0};
    }
    return c;
}

}  // namespace pliant
