#pragma once
// Symmetric 3 x 3 systems, for kernels: a single one as A = L D L^T, which needs no square roots, and a block of a larger matrix
// by Cholesky, A = L L^T. Explicit inverses would lose too many digits.

#include "pliant/math/lanes.h"

namespace pliant {

/// Solves A x = b for a positive semidefinite A, as A = L D L^T. A pivot that elimination leaves almost zero is held at a
/// tiny fraction of its diagonal element.
template <class S>
PLIANT_INLINE Vector3<S> solve_symmetric(const Matrix3<S>& a, const Vector3<S>& b)
{
    const auto inverse = [](const S& pivot, const S& diagonal) {
        return safe_inverse(max(pivot, S(sizeof(Lane<S>) == 4 ? 1e-6 : 1e-12) * diagonal));
    };
    const S d0 = inverse(a(0, 0), a(0, 0));
    const S l10 = a(1, 0) * d0, l20 = a(2, 0) * d0;
    const S d1 = inverse(a(1, 1) - l10 * a(1, 0), a(1, 1));
    const S rest21 = a(2, 1) - l20 * a(1, 0), l21 = rest21 * d1;
    const S d2 = inverse(a(2, 2) - l20 * a(2, 0) - l21 * rest21, a(2, 2));
    const S y1 = b.y - l10 * b.x, y2 = b.z - l20 * b.x - l21 * y1;
    const S x2 = d2 * y2, x1 = d1 * y1 - l21 * x2;
    return {d0 * b.x - l10 * x1 - l20 * x2, x1, x2};
}

/// Inverse roots of the pivots; the lower half of `a` becomes L, without its diagonal. inverse_root(pivot, diagonal) says
/// how to treat a pivot that elimination leaves almost zero.
template <class S, class InverseRoot>
PLIANT_INLINE Vector3<S> factor_symmetric(Matrix3<S>& a, const InverseRoot& inverse_root)
{
    Vector3<S> inverse;
    inverse.x = inverse_root(a(0, 0), a(0, 0));
    a(1, 0) *= inverse.x;
    a(2, 0) *= inverse.x;
    inverse.y = inverse_root(a(1, 1) - a(1, 0) * a(1, 0), a(1, 1));
    a(2, 1) = (a(2, 1) - a(2, 0) * a(1, 0)) * inverse.y;
    inverse.z = inverse_root(a(2, 2) - a(2, 0) * a(2, 0) - a(2, 1) * a(2, 1), a(2, 2));
    return inverse;
}

/// L y = b and L^T y = b.
template <class S>
PLIANT_INLINE Vector3<S> forward(const Matrix3<S>& l, const Vector3<S>& inverse, const Vector3<S>& b)
{
    const S y0 = b.x * inverse.x, y1 = (b.y - l(1, 0) * y0) * inverse.y;
    return {y0, y1, (b.z - l(2, 0) * y0 - l(2, 1) * y1) * inverse.z};
}
template <class S>
PLIANT_INLINE Vector3<S> backward(const Matrix3<S>& l, const Vector3<S>& inverse, const Vector3<S>& b)
{
    const S y2 = b.z * inverse.z, y1 = (b.y - l(2, 1) * y2) * inverse.y;
    return {(b.x - l(1, 0) * y1 - l(2, 0) * y2) * inverse.x, y1, y2};
}

/// X of X L^T = b, in place.
template <class S>
PLIANT_INLINE void divide_by_factor(const Matrix3<S>& l, const Vector3<S>& inverse, Matrix3<S>& b)
{
    b.c[0] = inverse.x * b.c[0];
    b.c[1] = inverse.y * (b.c[1] - l(1, 0) * b.c[0]);
    b.c[2] = inverse.z * (b.c[2] - l(2, 0) * b.c[0] - l(2, 1) * b.c[1]);
}

/// a^T x
template <class S>
PLIANT_INLINE Vector3<S> transposed_times(const Matrix3<S>& a, const Vector3<S>& x)
{
    return {a.c[0].dot(x), a.c[1].dot(x), a.c[2].dot(x)};
}

/// sum += a^T b; and sum += a^T a, its lower half only.
template <class S>
PLIANT_INLINE void add_product(const Matrix3<S>& a, const Matrix3<S>& b, Matrix3<S>& sum)
{
    for (int j = 0; j < 3; ++j) sum.c[j] += transposed_times(a, b.c[j]);
}
template <class S>
PLIANT_INLINE void add_square(const Matrix3<S>& a, Matrix3<S>& sum)
{
    sum.c[0] += transposed_times(a, a.c[0]);
    sum.c[1].y += a.c[1].dot(a.c[1]);
    sum.c[1].z += a.c[2].dot(a.c[1]);
    sum.c[2].z += a.c[2].dot(a.c[2]);
}
/// sum -= a b^T; and sum -= a a^T, its lower half only.
template <class S>
PLIANT_INLINE void subtract_outer(const Matrix3<S>& a, const Matrix3<S>& b, Matrix3<S>& sum)
{
    sum.c[0] -= a * Vector3<S>{b.c[0].x, b.c[1].x, b.c[2].x};
    sum.c[1] -= a * Vector3<S>{b.c[0].y, b.c[1].y, b.c[2].y};
    sum.c[2] -= a * Vector3<S>{b.c[0].z, b.c[1].z, b.c[2].z};
}
template <class S>
PLIANT_INLINE void subtract_square(const Matrix3<S>& a, Matrix3<S>& sum)
{
    sum.c[0] -= a * Vector3<S>{a.c[0].x, a.c[1].x, a.c[2].x};
    sum.c[1].y -= a.c[0].y * a.c[0].y + a.c[1].y * a.c[1].y + a.c[2].y * a.c[2].y;
    sum.c[1].z -= a.c[0].z * a.c[0].y + a.c[1].z * a.c[1].y + a.c[2].z * a.c[2].y;
    sum.c[2].z -= a.c[0].z * a.c[0].z + a.c[1].z * a.c[1].z + a.c[2].z * a.c[2].z;
}

}  // namespace pliant
