#pragma once
// Signed singular value decomposition of 3x3 matrices.

#include "pliant/math/scalar.h"

#include <limits>

namespace pliant {

/// B = U diag(s) V^T with U and V proper rotations and s.x >= s.y >= |s.z|; s.z has the sign of det B.
template <class S>
struct SignedSvd {
    Matrix3<S> u;
    Vector3<S> s;
    Matrix3<S> v;
};

namespace detail {

/// tan(theta/2) of the Jacobi rotation that makes two columns orthogonal, given their squared lengths a, b
/// and their product g:  tan(2 theta) = 2 g / (b - a),  |theta| <= 45 degrees.
///
/// exp(i theta/2) has the direction of z^(1/4), z = |b - a| + 2 i g sign(b - a). The Pade approximant
/// (3 n + 5 z) / (5 n + 3 z) of the fourth root, n about |z|, needs no square root, is within 1.4 degrees
/// everywhere and exact to third order: the sweeps converge as fast as with the exact angle.
template <class S>
PLIANT_INLINE S half_angle_tangent(const S& a, const S& b, const S& g)
{
    const S gap = b - a;
    const S re = abs(gap);
    const S im = flip_by(g + g, gap);
    constexpr Lane<S> kNothing = sizeof(Lane<S>) == 4 ? 1e-18 : 1e-150;  // its square is still a number
    const S n = re + S(2) * abs(im) + S(kNothing);
    const S p = S(3) * n + S(5) * re;
    const S q = S(5) * n + S(3) * re;
    return im * (S(5) * q - S(3) * p) / (p * q + S(15) * im * im);
}

/// The product of the turns so far, as a quaternion (w, x, y, z) of any length.
template <class S>
struct Turns {
    S w, v[3];
};

/// Turns p' = c p - s q, q' = s p + c q of columns P and Q, recorded; t is the tangent of half the angle.
template <int P, int Q, class S>
PLIANT_INLINE void record_turn(const S& t, Turns<S>& turns)
{
    constexpr int kAxis = 3 - P - Q, kNext = (kAxis + 1) % 3, kLast = (kAxis + 2) % 3;
    const S h = kNext == P ? -t : t;  // about the third axis, against the right hand when P, Q is its cyclic order
    const S w = turns.w, a = turns.v[kAxis], n = turns.v[kNext], l = turns.v[kLast];
    turns.w = w - h * a;
    turns.v[kAxis] = a + h * w;
    turns.v[kNext] = n + h * l;
    turns.v[kLast] = l - h * n;
}

/// Makes two columns orthogonal by turning them in their plane.
template <int P, int Q, class S>
PLIANT_INLINE void orthogonalize_pair(Matrix3<S>& m, Turns<S>& turns)
{
    const Vector3<S> p = m.c[P], q = m.c[Q];
    const S t = half_angle_tangent(p.squared_norm(), q.squared_norm(), p.dot(q));
    const S k = S(1) / (S(1) + t * t);
    const S c = (S(1) - t * t) * k;
    const S s = (t + t) * k;
    m.c[P] = c * p - s * q;
    m.c[Q] = s * p + c * q;
    record_turn<P, Q>(t, turns);
}

/// Puts the longer of two columns first, by a quarter turn.
template <int P, int Q, class S>
PLIANT_INLINE void sort_pair(Matrix3<S>& m, Vector3<S>& squared, Turns<S>& turns)
{
    const auto swap = squared[P] < squared[Q];
    const Vector3<S> p = m.c[P], q = m.c[Q];
    m.c[P] = select(swap, q, p);
    m.c[Q] = select(swap, -p, q);
    const S sp = squared[P], sq = squared[Q];
    squared[P] = select(swap, sq, sp);
    squared[Q] = select(swap, sp, sq);
    record_turn<P, Q>(select(swap, S(-1), S(0)), turns);
}

/// Sorts the columns by length, longest first; returns their squared lengths.
template <class S>
PLIANT_INLINE Vector3<S> sort_columns(Matrix3<S>& m, Turns<S>& turns)
{
    Vector3<S> squared{m.c[0].squared_norm(), m.c[1].squared_norm(), m.c[2].squared_norm()};
    sort_pair<0, 1>(m, squared, turns);
    sort_pair<0, 2>(m, squared, turns);
    sort_pair<1, 2>(m, squared, turns);
    return squared;
}

/// The rotation matrix of a quaternion of any length.
template <class S>
PLIANT_INLINE Matrix3<S> matrix_of(const Turns<S>& turns)
{
    const S w = turns.w, x = turns.v[0], y = turns.v[1], z = turns.v[2];
    const S k = S(2) / (w * w + x * x + y * y + z * z);
    const S kx = k * x, ky = k * y, kz = k * z;
    const S xx = kx * x, yy = ky * y, zz = kz * z, xy = kx * y, xz = kx * z, yz = ky * z, wx = kx * w, wy = ky * w,
            wz = kz * w;
    return {
        {{S(1) - yy - zz, xy + wz, xz - wy}, {xy - wz, S(1) - xx - zz, yz + wx}, {xz + wy, yz - wx, S(1) - xx - yy}}};
}

/// A unit vector across u: along the coordinate axis that u is least along.
template <class S>
PLIANT_INLINE Vector3<S> across(const Vector3<S>& u)
{
    const S ax = abs(u.x), ay = abs(u.y), az = abs(u.z);
    const Vector3<S> ex{S(1), S(0), S(0)}, ey{S(0), S(1), S(0)}, ez{S(0), S(0), S(1)};
    const Vector3<S> e = select((ax <= ay) & (ax <= az), ex, select(ay <= az, ey, ez));
    const Vector3<S> n = e - u.dot(e) * u;
    return n * (S(1) / n.norm());
}

}  // namespace detail

/// One-sided Jacobi: turns the columns of B until they are orthogonal, W = B V; their lengths are the
/// singular values. It never forms B^T B, so small singular values and planar input keep their accuracy,
/// and it is scaled first, so tiny and huge input do too. For any finite B; zero gives rotations too.
template <class S>
SignedSvd<S> signed_svd(const Matrix3<S>& b)
{
    using T = Lane<S>;
    using Limit = std::numeric_limits<T>;
    constexpr int kSweeps = sizeof(T) == 4 ? 4 : 6;  // worst of 1.4 million: 10 eps of the largest entry

    S scale = S(Limit::min());
    for (int j = 0; j < 3; ++j) scale = max(scale, max(abs(b.c[j].x), max(abs(b.c[j].y), abs(b.c[j].z))));
    Matrix3<S> w = (S(1) / scale) * b;
    detail::Turns<S> turns{S(1), {S(0), S(0), S(0)}};
    detail::sort_columns(w, turns);  // saves a sweep
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        detail::orthogonalize_pair<0, 1>(w, turns);
        detail::orthogonalize_pair<0, 2>(w, turns);
        detail::orthogonalize_pair<1, 2>(w, turns);
    }
    const Vector3<S> squared = detail::sort_columns(w, turns);

    // u1, u2 from the two longest columns; u3 follows, so that U is a rotation and the sign of det B ends
    // up in s3. A column too short to have a direction gets any.
    SignedSvd<S> r;
    r.v = detail::matrix_of(turns);
    r.s.x = sqrt(squared.x);
    const auto has1 = r.s.x > S(T(0.5));  // the largest entry is 1, unless all are 0
    const S inverse1 = S(1) / select(has1, r.s.x, S(1));
    r.u.c[0] = select(has1, w.c[0] * inverse1, Vector3<S>{S(1), S(0), S(0)});

    const Vector3<S> rest = w.c[1] - r.u.c[0].dot(w.c[1]) * r.u.c[0];
    const S length = rest.norm();
    r.s.y = min(length, r.s.x);
    const auto has2 = length > S(Limit::epsilon()) * r.s.x;
    r.u.c[1] = rest * (S(1) / select(has2, length, S(1)));
    if (any(!has2)) r.u.c[1] = select(has2, r.u.c[1], detail::across(r.u.c[0]));
    r.u.c[2] = r.u.c[0].cross(r.u.c[1]);
    r.s.z = max(-r.s.y, min(r.s.y, r.u.c[2].dot(w.c[2])));
    r.s = r.s * scale;
    return r;
}

}  // namespace pliant
