#pragma once
// Unit quaternions for orientations, and small turns.
//
// A turn is a vector t that stands for the rotation about t by the angle 2 atan(|t| / 2): to second order the rotation
// vector. It is the Cayley map, needs no sine, and is exactly undone.

#include "pliant/math/scalar.h"

namespace pliant {

template <class S>
struct Quaternion {
    S w = S(1);
    Vector3<S> v{};

    Quaternion conjugate() const { return {w, -v}; }
    S dot(const Quaternion& b) const { return w * b.w + v.dot(b.v); }

    friend Quaternion operator+(const Quaternion& a, const Quaternion& b) { return {a.w + b.w, a.v + b.v}; }
    friend Quaternion operator-(const Quaternion& a, const Quaternion& b) { return {a.w - b.w, a.v - b.v}; }
    friend Quaternion operator*(const S& s, const Quaternion& a) { return {s * a.w, s * a.v}; }
    friend Quaternion operator*(const Quaternion& a, const Quaternion& b)
    {
        return {a.w * b.w - a.v.dot(b.v), a.w * b.v + b.w * a.v + a.v.cross(b.v)};
    }

    /// Of a unit quaternion.
    Matrix3<S> matrix() const
    {
        const S xx = v.x * v.x, yy = v.y * v.y, zz = v.z * v.z, xy = v.x * v.y, xz = v.x * v.z, yz = v.y * v.z;
        const Vector3<S> u = w * v;
        return {{{S(1) - S(2) * (yy + zz), S(2) * (xy + u.z), S(2) * (xz - u.y)},
                 {S(2) * (xy - u.z), S(1) - S(2) * (xx + zz), S(2) * (yz + u.x)},
                 {S(2) * (xz + u.y), S(2) * (yz - u.x), S(1) - S(2) * (xx + yy)}}};
    }

    template <class T>
    Quaternion<T> cast() const
    {
        return {static_cast<T>(w), v.template cast<T>()};
    }
};

using Quat = Quaternion<Real>;
using Quatd = Quaternion<double>;

/// The quaternion of a rotation matrix, with w >= 0; finite and of unit length at every angle.
template <class S>
PLIANT_INLINE Quaternion<S> quaternion_of(const Matrix3<S>& r)
{
    // Four times the squares of the components: the largest is the safest to divide by.
    const S t = r.trace();
    const S ww = S(1) + t, xx = S(1) - t + S(2) * r.c[0].x, yy = S(1) - t + S(2) * r.c[1].y;
    const S zz = S(1) - t + S(2) * r.c[2].z;
    const Vector3<S> skew{r.c[1].z - r.c[2].y, r.c[2].x - r.c[0].z, r.c[0].y - r.c[1].x};
    const S xy = r.c[1].x + r.c[0].y, xz = r.c[2].x + r.c[0].z, yz = r.c[2].y + r.c[1].z;
    const auto use_w = (ww >= xx) & (ww >= yy) & (ww >= zz);
    const auto use_x = (xx >= yy) & (xx >= zz);
    const auto use_y = yy >= zz;
    const S scale = select(use_w, ww, select(use_x, xx, select(use_y, yy, zz)));
    Quaternion<S> q;
    q.w = select(use_w, ww, select(use_x, skew.x, select(use_y, skew.y, skew.z)));
    q.v = select(use_w, skew,
                 select(use_x, Vector3<S>{xx, xy, xz}, select(use_y, Vector3<S>{xy, yy, yz}, Vector3<S>{xz, yz, zz})));
    const S half = S(0.5) / sqrt(scale), sign = select(q.w < S(0), -half, half);
    return {sign * q.w, sign * q.v};
}

/// By how much a turn t changes q, q' - q: small for a small turn, so that nothing is lost.
template <class S>
Quaternion<S> change_by_turn(const Vector3<S>& t, const Quaternion<S>& q)
{
    using std::sqrt;
    const Vector3<S> u = S(0.5) * t;
    const S square = u.squared_norm(), root = sqrt(S(1) + square);
    return (-square / (root * (root + S(1)))) * q + (S(1) / root) * (Quaternion<S>{S(0), u} * q);
}

/// 4 tan(angle / 4) about the axis of q: the rotation vector for small angles, and finite up to a whole turn.
template <class S>
Vector3<S> turn_of(const Quaternion<S>& q)
{
    const S sign = q.w < S(0) ? S(-1) : S(1);
    return (S(4) * sign / (S(1) + sign * q.w)) * q.v;
}
/// The quaternion of such a turn.
template <class S>
Quaternion<S> quaternion_of_turn(const Vector3<S>& turn)
{
    const Vector3<S> u = S(0.25) * turn;
    const S square = u.squared_norm(), scale = S(1) / (S(1) + square);
    return {(S(1) - square) * scale, (S(2) * scale) * u};
}

}  // namespace pliant
