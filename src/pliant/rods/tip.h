#pragma once
// A clamped end, held to a frame F: Theta between F and the frame of the first edge, or between that of the last edge
// and F.

#include "pliant/rods/darboux.h"
#include "pliant/rods/edge.h"
#include "pliant/rods/rod.h"

namespace pliant {

/// The rotation between a given frame and that of an edge, and its gradient by the edge's points.
template <class S>
struct TipGradient {
    FrameGradient<S> edge;
    Matrix3<S> r;  // A^T B
    RodEnd end;

    /// J_p^T y: G^T y at the start, -G^T R y at the end.
    PLIANT_INLINE Vector3<S> transposed(int p, const Vector3<S>& y) const
    {
        return end == RodEnd::start ? edge.transposed(p, y) : -edge.transposed(p, r * y);
    }
    PLIANT_INLINE Matrix3<S> mass_matrix(const S w[3]) const
    {
        Matrix3<S> sum{};
        const Matrix3<S> one = Matrix3<S>::identity();
        for (int p = 0; p < 3; ++p) {
            Vector3<S> row[3];
            for (int k = 0; k < 3; ++k) row[k] = transposed(p, one.c[k]);
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) sum(i, j) += w[p] * row[i].dot(row[j]);
        }
        return sum;
    }
};

template <class S>
PLIANT_INLINE TipGradient<S> tip_gradient(const Matrix3<S>& frame, RodEnd end, const EdgePoints<S>& e)
{
    const EdgeFrame<S> f = frame_of(e.x[0], e.x[1], e.x[2]);
    const Matrix3<S> r = end == RodEnd::start ? relative_rotation(frame, f.d) : relative_rotation(f.d, frame);
    return {gradient_of(f), r, end};
}

/// PBD: removes all of Theta - Theta_rest.
template <class S>
PLIANT_INLINE void project_tip(const Matrix3<S>& frame, RodEnd end, const Vector3<S>& rest, double least_q0,
                               EdgePoints<S>& e)
{
    const TipGradient<S> g = tip_gradient(frame, end, e);
    const Quaternion<S> q = quaternion_of(g.r);
    const Vector3<S> y = S(2) * q.v - q.w * rest;
    const Vector3<S> rhs = max(q.w, S(least_q0)) * y - q.v.cross(y);
    const Vector3<S> z = solve_symmetric(g.mass_matrix(e.w), rhs);
    for (int p = 0; p < 3; ++p) e.x[p] -= e.w[p] * g.transposed(p, z);
}

/// XPBD in Theta, with compliance alpha/h^2, alpha = (half the edge) / (EI1, EI2, GJ).
template <class S>
PLIANT_INLINE void project_stiff_tip(const Matrix3<S>& frame, RodEnd end, const Vector3<S>& rest,
                                     const Vector3<S>& alpha, Vector3<S>& lambda, EdgePoints<S>& e)
{
    const TipGradient<S> g = tip_gradient(frame, end, e);
    const Vector3<S> b = half_tangent(g.r);
    const Matrix3<S> t = Matrix3<S>::outer(b, b) + Matrix3<S>::skew(b) + Matrix3<S>::identity();
    Matrix3<S> a = t * g.mass_matrix(e.w) * t.transposed();
    a(0, 0) += alpha.x;
    a(1, 1) += alpha.y;
    a(2, 2) += alpha.z;
    const Vector3<S> held{alpha.x * lambda.x, alpha.y * lambda.y, alpha.z * lambda.z};
    const Vector3<S> change = solve_symmetric(a, rest - S(2) * b - held);
    lambda += change;
    const Vector3<S> y = t.transposed() * change;
    for (int p = 0; p < 3; ++p) e.x[p] += e.w[p] * g.transposed(p, y);
}

}  // namespace pliant
