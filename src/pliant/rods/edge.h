#pragma once
// The three constraints of an edge with its ghost point: length, ghost on the bisecting plane, distance of the ghost.

#include "pliant/math/lanes.h"

namespace pliant {

/// The points of a constraint with their inverse masses.
template <class S, int kCount>
struct PointSet {
    Vector3<S> x[kCount];  // [m]
    S w[kCount];           // [1/kg]
};

template <class S>
using EdgePoints = PointSet<S, 3>;  // p0, p1, ghost

/// C_L = |p0 - p1| - L, with compliance alpha/h^2; `lambda` is the XPBD multiplier so far.
template <class S>
PLIANT_INLINE void project_length(const S& rest, const S& alpha, S& lambda, EdgePoints<S>& e)
{
    const Vector3<S> d = e.x[0] - e.x[1];
    const S length = sqrt(d.squared_norm());
    const S change = -(length - rest + alpha * lambda) * safe_inverse(e.w[0] + e.w[1] + alpha);
    lambda += change;
    const Vector3<S> move = (change * safe_inverse(length)) * d;
    e.x[0] += e.w[0] * move;
    e.x[1] -= e.w[1] * move;
}

/// C_P = (ghost - middle) . (p1 - p0): the ghost is on the perpendicular bisector of the edge.
template <class S>
PLIANT_INLINE void project_bisector(EdgePoints<S>& e)
{
    const Vector3<S> g0 = e.x[0] - e.x[2], g1 = e.x[2] - e.x[1], g2 = e.x[1] - e.x[0];
    const S c = S(0.5) * (g0.squared_norm() - g1.squared_norm());
    const S lambda =
        c * safe_inverse(e.w[0] * g0.squared_norm() + e.w[1] * g1.squared_norm() + e.w[2] * g2.squared_norm());
    e.x[0] -= (e.w[0] * lambda) * g0;
    e.x[1] -= (e.w[1] * lambda) * g1;
    e.x[2] -= (e.w[2] * lambda) * g2;
}

/// C_D = |ghost - middle| - Lg.
template <class S>
PLIANT_INLINE void project_ghost(const S& rest, EdgePoints<S>& e)
{
    const Vector3<S> d = e.x[2] - S(0.5) * (e.x[0] + e.x[1]);
    const S length = sqrt(d.squared_norm());
    const S lambda = (length - rest) * safe_inverse(S(0.25) * (e.w[0] + e.w[1]) + e.w[2]);
    const Vector3<S> move = (lambda * safe_inverse(length)) * d;
    e.x[0] += (S(0.5) * e.w[0]) * move;
    e.x[1] += (S(0.5) * e.w[1]) * move;
    e.x[2] -= e.w[2] * move;
}

}  // namespace pliant
