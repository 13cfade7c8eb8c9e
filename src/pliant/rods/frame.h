#pragma once
// The material frame of an edge, from its end points and its ghost point [USS14]:
//
//   d3 along the edge,   d2 = (p1 - p0) x (ghost - p0) / |...|,   d1 = d2 x d3: the ghost is on the side of d1.

#include "pliant/math/lanes.h"

namespace pliant {

template <class S>
struct EdgeFrame {
    Matrix3<S> d;                      // columns d1, d2, d3
    S length;                          // L = |p1 - p0| [m]
    S foot;                            // tau = (ghost - p0) . d3 [m]
    S height;                          // hg = (ghost - p0) . d1, positive [m]
    S inverse_length, inverse_height;  // [1/m]
};

template <class S>
PLIANT_INLINE EdgeFrame<S> frame_of(const Vector3<S>& p0, const Vector3<S>& p1, const Vector3<S>& ghost)
{
    // Neither square root depends on the other, so that both are computed at the same time.
    const Vector3<S> edge = p1 - p0, side = ghost - p0, across = edge.cross(side);
    const S area = sqrt(across.squared_norm()), inverse_area = S(1) / area;
    EdgeFrame<S> f;
    f.length = sqrt(edge.squared_norm());
    f.inverse_length = S(1) / f.length;
    f.height = area * f.inverse_length;
    f.inverse_height = f.length * inverse_area;
    f.d.c[2] = f.inverse_length * edge;
    f.d.c[1] = inverse_area * across;
    f.d.c[0] = f.d.c[1].cross(f.d.c[2]);
    f.foot = side.dot(f.d.c[2]);
    return f;
}

/// How the frame rotates: theta = G0 dp0 + G1 dp1 + G2 dghost, in components about its own d1, d2, d3. All rows are
/// multiples of d1 and d2, so only these factors are stored; G0 + G1 + G2 = 0.
template <class S>
struct FrameGradient {
    Vector3<S> d1, d2;
    S inverse_length;  // 1/L
    S roll[3];         // the third row is roll[p] d2

    /// G_p^T y: the force on particle p of a torque y about d1, d2, d3.
    PLIANT_INLINE Vector3<S> transposed(int p, const Vector3<S>& y) const
    {
        const S tilt = p == 0 ? inverse_length : -inverse_length;
        if (p == 2) return (roll[2] * y.z) * d2;
        return (tilt * y.x + roll[p] * y.z) * d2 - (tilt * y.y) * d1;
    }
    /// G_p itself.
    Matrix3<S> matrix(int p) const
    {
        const S tilt = p == 0 ? inverse_length : p == 1 ? -inverse_length : S(0);
        return Matrix3<S>{{tilt * d2, -tilt * d1, roll[p] * d2}}.transposed();
    }
};

template <class S>
PLIANT_INLINE FrameGradient<S> gradient_of(const EdgeFrame<S>& f)
{
    const S share = f.foot * f.inverse_length;
    return {f.d.c[0],
            f.d.c[1],
            f.inverse_length,
            {-(S(1) - share) * f.inverse_height, -share * f.inverse_height, f.inverse_height}};
}

}  // namespace pliant
