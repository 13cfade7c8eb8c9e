#pragma once
// The closest points of two features: a vertex and a triangle, or two edges. Kernels over any scalar,
// exact in all degenerate cases: parallel edges, edges without length, triangles without area.
//
//   n      unit vector from the second to the first
//   gap    their distance
//   w      the nearest points as sums of corners: sum w_i x_i = gap n, w > 0 on the first side, < 0 on the second

#include "pliant/math/lanes.h"

namespace pliant {

template <class S>
struct Closest {
    Vector3<S> n;
    S gap;
    S w[4];
};

namespace detail {

template <class S>
PLIANT_INLINE S clamp01(const S& a)
{
    return min(max(a, S(0)), S(1));
}

template <class S>
PLIANT_INLINE S tiny()
{
    return S(sizeof(Lane<S>) == 4 ? 1e-30 : 1e-280);
}

/// The result for given nearest points: n along their difference.
template <class S>
PLIANT_INLINE void set_direction(const Vector3<S>& difference, Closest<S>& out)
{
    const S square = difference.squared_norm();
    out.gap = sqrt(square);
    out.n = difference * (S(1) / max(out.gap, tiny<S>()));
}

/// n across two directions, turned to the first side.
template <class S, class Mask>
PLIANT_INLINE void set_across(const Mask& where, const Vector3<S>& across, const Vector3<S>& difference,
                              Closest<S>& out)
{
    const S length = sqrt(across.squared_norm());
    const Vector3<S> n = across * (S(1) / max(length, tiny<S>()));
    const S along = n.dot(difference);
    out.gap = select(where, abs(along), out.gap);
    out.n = select(where, select(along < S(0), -n, n), out.n);
}

}  // namespace detail

/// x[0] is the vertex, x[1] to x[3] are the corners.
template <class S>
PLIANT_INLINE Closest<S> closest_vertex_triangle(const Vector3<S> x[4])
{
    using detail::clamp01, detail::set_across, detail::set_direction, detail::tiny;
    const Vector3<S> ab = x[2] - x[1], ac = x[3] - x[1], bc = x[3] - x[2], ap = x[0] - x[1], bp = x[0] - x[2];
    const S aa = ab.squared_norm(), cc = ac.squared_norm(), bb = bc.squared_norm(), m = ab.dot(ac);
    const S pb = ab.dot(ap), pc = ac.dot(ap);

    // along its edges
    const S t0 = clamp01(pb / max(aa, tiny<S>())), t1 = clamp01(bc.dot(bp) / max(bb, tiny<S>())),
            t2 = clamp01(pc / max(cc, tiny<S>()));
    const Vector3<S> d0 = ap - t0 * ab, d1 = bp - t1 * bc, d2 = ap - t2 * ac;
    const S s0 = d0.squared_norm(), s1 = d1.squared_norm(), s2 = d2.squared_norm();
    const auto second = s1 < s0, third = s2 < min(s0, s1);
    Closest<S> out;
    set_direction(select(third, d2, select(second, d1, d0)), out);
    const S b_edge = select(third, S(0), select(second, S(1) - t1, t0));
    const S c_edge = select(third, t2, select(second, t1, S(0)));

    // inside
    const S det = aa * cc - m * m;
    const auto wide = det > S(sizeof(Lane<S>) == 4 ? 1e-6 : 1e-13) * aa * cc;
    const S inverse = S(1) / select(wide, det, S(1));
    const S b_face = (cc * pb - m * pc) * inverse, c_face = (aa * pc - m * pb) * inverse;
    const auto inside = wide & (b_face >= S(0)) & (c_face >= S(0)) & (b_face + c_face <= S(1));
    set_across(inside, ab.cross(ac), ap, out);
    const S b = select(inside, b_face, b_edge), c = select(inside, c_face, c_edge);
    out.w[0] = S(1);
    out.w[1] = b + c - S(1);
    out.w[2] = -b;
    out.w[3] = -c;
    return out;
}

/// x[0], x[1] are the ends of the first edge, x[2], x[3] of the second. Of an edge without length the first end counts.
template <class S>
PLIANT_INLINE Closest<S> closest_edges(const Vector3<S> x[4])
{
    using detail::clamp01, detail::set_across, detail::set_direction, detail::tiny;
    const Vector3<S> d = x[1] - x[0], e = x[3] - x[2], r = x[0] - x[2];
    const S dd = d.squared_norm(), ee = e.squared_norm(), de = d.dot(e), dr = d.dot(r), er = e.dot(r);
    const S per_d = S(1) / max(dd, tiny<S>()), per_e = S(1) / max(ee, tiny<S>());

    // an end of one and anywhere on the other
    const S s_of[4] = {S(0), S(1), clamp01(-dr * per_d), clamp01((de - dr) * per_d)};
    const S t_of[4] = {clamp01(er * per_e), clamp01((de + er) * per_e), S(0), S(1)};
    S s = s_of[0], t = t_of[0];
    Vector3<S> difference = r - t * e;
    S least = difference.squared_norm();
    for (int k = 1; k < 4; ++k) {
        const Vector3<S> other = r + s_of[k] * d - t_of[k] * e;
        const S square = other.squared_norm();
        const auto better = square < least;
        s = select(better, s_of[k], s);
        t = select(better, t_of[k], t);
        difference = select(better, other, difference);
        least = select(better, square, least);
    }
    Closest<S> out;
    set_direction(difference, out);

    // inside both
    const S det = dd * ee - de * de;
    const auto crossed = det > S(sizeof(Lane<S>) == 4 ? 1e-5 : 1e-12) * dd * ee;
    const S inverse = S(1) / select(crossed, det, S(1));
    const S s_in = (de * er - dr * ee) * inverse, t_in = (dd * er - de * dr) * inverse;
    const auto inside = crossed & (s_in >= S(0)) & (s_in <= S(1)) & (t_in >= S(0)) & (t_in <= S(1));
    set_across(inside, d.cross(e), r, out);
    s = select(inside, s_in, s);
    t = select(inside, t_in, t);
    out.w[0] = S(1) - s;
    out.w[1] = s;
    out.w[2] = t - S(1);
    out.w[3] = -t;
    return out;
}

}  // namespace pliant
