#pragma once
// Symmetric 3 x 3 systems by Cholesky, for kernels: A = L L^T. Where a block stands in a larger matrix, explicit inverses
// would lose what little is left of the digits.

#include "pliant/math/lanes.h"

namespace pliant {

/// Inverse roots of the pivots; the lower half of `a` becomes L, without its diagonal. inverse_root(pivot, diagonal) says
/// what becomes of a pivot that elimination has left little of.
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

}  // namespace pliant
