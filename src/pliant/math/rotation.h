#pragma once

#include "pliant/math/quaternion.h"
#include "pliant/math/types.h"

namespace pliant {

/// The rotation by `degrees` about `axis`, any length but zero.
Mat3d rotation_about(const Vec3d& axis, double degrees);

/// The rotation by |rotation_vector| degrees about its direction; zero gives the identity.
Mat3d rotation_of(const Vec3d& rotation_vector);

/// A rotation as a turn about an axis of unit length, by 0 to 180 degrees.
struct AxisAngle {
    Vec3d axis{0, 1, 0};
    double degrees = 0;

    Vec3d vector() const { return degrees * axis; }  // what rotation_of takes
};
AxisAngle axis_angle_of(const Mat3d& rotation);

/// Of unit length. Requires a length that is neither zero nor infinite.
Quatd normalized(const Quatd& q);

/// The part s, from 0 to 1, of the way from a to b, both of unit length, at constant speed, the shorter way round.
Quatd turned_between(Quatd a, Quatd b, double s);

}  // namespace pliant
