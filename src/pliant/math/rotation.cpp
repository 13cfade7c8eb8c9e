#include "pliant/math/rotation.h"

#include "pliant/math/portable.h"
#include "pliant/math/trigonometry.h"

#include <cmath>
#include <numbers>

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

AxisAngle axis_angle_of(const Mat3d& r)
{
    const Vec3d twice{r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};  // 2 sin(angle) times the axis
    const double sine = twice.norm() / 2, cosine = (r.trace() - 1) / 2;
    constexpr double kNoAxis = 1e-9;
    if (sine > kNoAxis) return {twice.normalized(), portable::atan2(sine, cosine) * 180 / std::numbers::pi};
    if (cosine > 0) return {};
    const Mat3d square = 0.5 * (r + Mat3d::identity());  // half a turn: the axis times itself
    int k = 0;
    for (int i = 1; i < 3; ++i)
        if (square(i, i) > square(k, k)) k = i;
    return {square.c[k].normalized(), 180};
}

Quatd normalized(const Quatd& q) { return (1 / std::sqrt(q.dot(q))) * q; }

/// By halving: the middle of two unit quaternions is their sum made of unit length, which needs no angle.
Quatd turned_between(Quatd a, Quatd b, double s)
{
    constexpr int kHalvings = 48;
    if (a.dot(b) < 0) b = -1.0 * b;
    if (s >= 1) return b;
    for (int i = 0; i < kHalvings && s > 0; ++i) {
        const Quatd middle = normalized(a + b);
        s *= 2;
        if (s >= 1) {
            a = middle;
            s -= 1;
        } else {
            b = middle;
        }
    }
    return a;
}

}  // namespace pliant
