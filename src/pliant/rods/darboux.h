#pragma once
// Bend and twist between two frames A and B: the discrete Darboux vector [USS14, section 4],
//
//   Omega = (2 / lbar) tan(theta/2) n,   theta and n of R = A^T B,
//
// with Omega_1, Omega_2 the curvature about d1, d2 and Omega_3 the twist about d3. Dimensionless: Theta = lbar Omega.

#include "pliant/math/quaternion.h"
#include "pliant/math/symmetric3.h"
#include "pliant/rods/edge.h"
#include "pliant/rods/frame.h"

namespace pliant {

/// (R32 - R23, ...) / (1 + tr R) = tan(theta/2) n, with 1 + tr R kept away from zero, which it is at half a turn.
template <class S>
PLIANT_INLINE Vector3<S> half_tangent(const Matrix3<S>& r)
{
    const S scale = S(1) / max(S(1) + r.trace(), S(4e-3));
    return scale * Vector3<S>{r.c[1].z - r.c[2].y, r.c[2].x - r.c[0].z, r.c[0].y - r.c[1].x};
}

template <class S>
PLIANT_INLINE Matrix3<S> relative_rotation(const Matrix3<S>& a, const Matrix3<S>& b)
{
    Matrix3<S> r;
    for (int j = 0; j < 3; ++j) r.c[j] = {a.c[0].dot(b.c[j]), a.c[1].dot(b.c[j]), a.c[2].dot(b.c[j])};
    return r;
}

/// The five points of an element: a, b, c along the rod, ghosts d of (a, b) and e of (b, c).
template <class S>
using ElementPoints = PointSet<S, 5>;

/// Gradient of the rotation of B relative to A by the five points, J = ( -R^T GA0, GB0 - R^T GA1, GB1, -R^T GA2, GB2 ),
/// in components of B. J^T y = G_A^T (-R y) + G_B^T y.
template <class S>
struct ElementGradient {
    FrameGradient<S> a, b;
    Matrix3<S> r;

    PLIANT_INLINE Vector3<S> transposed(int p, const Vector3<S>& y, const Vector3<S>& ry) const
    {
        switch (p) {
            case 0: return -a.transposed(0, ry);
            case 1: return b.transposed(0, y) - a.transposed(1, ry);
            case 2: return b.transposed(1, y);
            case 3: return -a.transposed(2, ry);
            default: return b.transposed(2, y);
        }
    }
    /// sum_p w_p J_p J_p^T. Rows of G are multiples of d1 and d2, so that all products are scalars and entries of R:
    /// with M = sum w G G^T of each frame's points and K = G_B0 G_A1^T of the shared one,  M_B + R^T M_A R - w_b (K R +
    /// (K R)^T).
    PLIANT_INLINE Matrix3<S> mass_matrix(const S w[5]) const
    {
        const S ta = a.inverse_length, tb = b.inverse_length, ra = a.roll[1], rb = b.roll[0];
        const Sparse ma = frame_mass(a, w[0], w[1], w[3]), mb = frame_mass(b, w[1], w[2], w[4]);
        Matrix3<S> mr;  // M_A R
        for (int j = 0; j < 3; ++j) {
            const Vector3<S>& c = r.c[j];
            mr.c[j] = {ma.tilt * c.x + ma.mixed * c.z, ma.tilt * c.y, ma.mixed * c.x + ma.roll * c.z};
        }
        const S wt = w[1] * ta, wr = w[1] * ra;
        const S r00 = r(0, 0), r01 = r(0, 1), r10 = r(1, 0), r11 = r(1, 1);
        const Matrix3<S> k{{{-wt * tb * r11, wt * tb * r01, wr * tb * r11},    // row 0 of w_b K, as a column
                            {wt * tb * r10, -wt * tb * r00, -wr * tb * r10},   // row 1
                            {-wt * rb * r11, wt * rb * r01, wr * rb * r11}}};  // row 2
        Matrix3<S> sum;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j <= i; ++j) sum(i, j) = r.c[i].dot(mr.c[j]) - k.c[i].dot(r.c[j]) - k.c[j].dot(r.c[i]);
        sum(0, 0) += mb.tilt;
        sum(1, 1) += mb.tilt;
        sum(2, 0) += mb.mixed;
        sum(2, 2) += mb.roll;
        for (int i = 0; i < 3; ++i)
            for (int j = i + 1; j < 3; ++j) sum(i, j) = sum(j, i);
        return sum;
    }

    struct Sparse {  // tilt on the first two of the diagonal, roll on the third, mixed between first and third
        S tilt, mixed, roll;
    };
    PLIANT_INLINE static Sparse frame_mass(const FrameGradient<S>& g, const S& w0, const S& w1, const S& w2)
    {
        const S t = g.inverse_length;
        return {(w0 + w1) * (t * t), t * (w0 * g.roll[0] - w1 * g.roll[1]),
                w0 * (g.roll[0] * g.roll[0]) + w1 * (g.roll[1] * g.roll[1]) + w2 * (g.roll[2] * g.roll[2])};
    }
};

inline constexpr double kMinQ0 = 0.3;  // lower bound of q0, without which the PBD projection stalls near half a turn

/// PBD: removes the fraction `k` of Theta - Theta_rest per component, in a form that stays finite at half a turn.
template <class S>
PLIANT_INLINE void project_element(const Vector3<S>& rest, const Vector3<S>& k, double least_q0, ElementPoints<S>& e)
{
    const EdgeFrame<S> fa = frame_of(e.x[0], e.x[1], e.x[3]), fb = frame_of(e.x[1], e.x[2], e.x[4]);
    const ElementGradient<S> g{gradient_of(fa), gradient_of(fb), relative_rotation(fa.d, fb.d)};
    const Quaternion<S> q = quaternion_of(g.r);
    const Vector3<S> off = S(2) * q.v - q.w * rest;
    const Vector3<S> y{k.x * off.x, k.y * off.y, k.z * off.z};
    const Vector3<S> rhs = max(q.w, S(least_q0)) * y - q.v.cross(y);
    const Vector3<S> z = solve_symmetric(g.mass_matrix(e.w), rhs);
    const Vector3<S> rz = g.r * z;
    for (int p = 0; p < 5; ++p) e.x[p] -= e.w[p] * g.transposed(p, z, rz);
}

/// XPBD: Omega - Omega_rest with compliance alpha/h^2 per component; `lambda` is the multiplier so far.
template <class S>
PLIANT_INLINE void project_stiff_element(const Vector3<S>& rest, const S& lbar, const Vector3<S>& alpha,
                                         Vector3<S>& lambda, ElementPoints<S>& e)
{
    const EdgeFrame<S> fa = frame_of(e.x[0], e.x[1], e.x[3]), fb = frame_of(e.x[1], e.x[2], e.x[4]);
    const ElementGradient<S> g{gradient_of(fa), gradient_of(fb), relative_rotation(fa.d, fb.d)};
    const Vector3<S> b = half_tangent(g.r);
    const S per_length = S(1) / lbar;
    // dOmega = (T / lbar) (theta_B - R^T theta_A), T = 1 + [b]x + b b^T
    Matrix3<S> t = Matrix3<S>::outer(b, b) + Matrix3<S>::skew(b) + Matrix3<S>::identity();
    t = per_length * t;
    Matrix3<S> a = t * g.mass_matrix(e.w) * t.transposed();
    a(0, 0) += alpha.x;
    a(1, 1) += alpha.y;
    a(2, 2) += alpha.z;
    const Vector3<S> omega = (S(2) * per_length) * b;
    const Vector3<S> held{alpha.x * lambda.x, alpha.y * lambda.y, alpha.z * lambda.z};
    const Vector3<S> change = solve_symmetric(a, rest - omega - held);
    lambda += change;
    const Vector3<S> y = t.transposed() * change, ry = g.r * y;
    for (int p = 0; p < 5; ++p) e.x[p] += e.w[p] * g.transposed(p, y, ry);
}

}  // namespace pliant
