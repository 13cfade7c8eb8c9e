#include "pliant/math/rotation.h"

#include "pliant/math/trigonometry.h"

namespace pliant {

Mat3d rotation_about(const Vec3d& axis, double degrees)
{
    const Vec3d n = axis.normalized();
    const SinCos t = sin_cos_degrees(degrees);
    return t.cos * Mat3d::identity() + t.sin * Mat3d::skew(n) + (1 - t.cos) * Mat3d::outer(n, n);
}

Mat3d rotation_of(const Vec3d& rotation_vector)
{
    const double degrees = rotation_vector.norm();
    return degrees > 0 ? rotation_about(rotation_vector, degrees) : Mat3d::identity();
}

}  // namespace pliant
