#pragma once
// The gradients and right-hand sides of all constraints of a net, with its nodes where they were at the start of the
// substep: -C - J moved, and alpha/h^2. Gradients are transposed and scaled by the square roots of inverse masses, so
// that J W J^T is a sum of products.

#include "pliant/rods/net_scratch.h"
#include "pliant/rods/tip.h"

#include <span>

namespace pliant {

/// The force k C(t + h) of implicit Euler lags by h dC/dt, which damps: an oscillation of w h = 0.03 loses half its
/// amplitude in ten periods. This fraction c of the lag, found from the velocities at the start of the substep, is
/// removed from bend and twist. The amplification is then |r|^2 = (1 + c z^2) / (1 + z^2) with z = w h, stable for any
/// z. c = 1 would not damp at all, but gains energy in large motions. Strands that touch something are damped in full
/// (Rod::touched): contact moves points after the solve, by what excites fast oscillations in each substep, and c = 0.9
/// keeps these.
inline constexpr double kKeptSwing = 0.9;

/// Relative length error of an edge above which its net is solved again at the new positions.
inline constexpr double kMaxLengthError = 0.01;

/// Compliances over h^2, of a whole rod.
template <class S>
struct NetCompliance {
    S edge;            // 1 / (E A h^2)
    Vector3<S> joint;  // 1 / (EI1 h^2), 1 / (EI2 h^2), 1 / (GJ h^2)

    NetCompliance(const RodStiffness& stiffness, Real h)
    {
        const double per_h2 = 1 / (static_cast<double>(h) * static_cast<double>(h));
        const Vec3d b = stiffness.moments.cast<double>();
        edge = S(per_h2 * stiffness.axial_compliance);
        joint = {S(per_h2 / b.x), S(per_h2 / b.y), S(per_h2 / b.z)};
    }
};

template <class S>
PLIANT_INLINE Vector3<S> zero()
{
    return {S(0), S(0), S(0)};
}

/// Zero where the mask is not set, even for NaN: the edges of padding lanes have no frame.
template <class S, class Mask>
PLIANT_INLINE Vector3<S> masked(const Mask& mask, const Vector3<S>& v)
{
    return select(mask, v, zero<S>());
}

template <class S>
void linearise_edge(const NetLanes<S>& net, const NetCompliance<S>& compliance, int e)
{
    NetScratch<S>& at = net.at;
    const NetShape::Edge& shape = net.shape().edges[e];
    const auto &n0 = at.nodes[shape.p0], &n1 = at.nodes[shape.p1], &ng = at.nodes[shape.ghost];
    const DirectNets::Edge& edge = net.edge(e);
    const S length = net.own(edge.length), distance = net.own(edge.ghost_distance);
    const auto there = net.own(edge.there) > S(0);
    const EdgeFrame<S> f = frame_of(n0.before, n1.before, ng.before);
    at.frames[e] = f;
    at.frames[e].d.c[1] = masked(there, f.d.c[1]);
    at.moved_roll[e] = at.frames[e].d.c[1].dot(ng.moved - ng.last);
    const Vector3<S> along = n1.before - n0.before, side = ng.before - S(0.5) * (n0.before + n1.before);
    const S high = sqrt(side.squared_norm()), inverse = S(1) / length;
    const Vector3<S> u = masked(there, f.d.c[2]), s = masked(there, (S(1) / high) * side);
    const Vector3<S> half = S(-0.5) * s;
    const Vector3<S> p0 = masked(there, inverse * (n0.before - ng.before));
    const Vector3<S> p1 = masked(there, inverse * (ng.before - n1.before));
    const Vector3<S> g = masked(there, inverse * along);
    const int unknown = net.pattern().edge_unknown[e];
    const Vector3<S> c = masked(there, Vector3<S>{f.length - length, inverse * side.dot(along), high - distance});
    at.compliance[unknown] = {compliance.edge * net.own(edge.give), S(0), S(0)};
    at.right[unknown] =
        -c - Vector3<S>{u.dot(n1.moved - n0.moved), p0.dot(n0.moved) + p1.dot(n1.moved) + g.dot(ng.moved),
                        half.dot(n0.moved + n1.moved) + s.dot(ng.moved)};
    Matrix3<S>* gradient = &at.gradients[3 * e];
    gradient[0] = {{-n0.root * u, n0.root * p0, n0.root * half}};
    gradient[1] = {{n1.root * u, n1.root * p1, n1.root * half}};
    gradient[2] = {{zero<S>(), ng.root * g, ng.root * s}};
}

/// Columns of the transposed T / lbar, T = 1 + [b]x + b b^T.
template <class S>
PLIANT_INLINE Matrix3<S> tangent_map(const Vector3<S>& b, const S& per_length)
{
    const Vector3<S> t = per_length * b;
    return {{{per_length + t.x * b.x, t.x * b.y - t.z, t.x * b.z + t.y},
             {t.y * b.x + t.z, per_length + t.y * b.y, t.y * b.z - t.x},
             {t.z * b.x - t.y, t.z * b.y + t.x, per_length + t.z * b.z}}};
}

template <class S>
void linearise_joint(const NetLanes<S>& net, const NetCompliance<S>& compliance, int j)
{
    NetScratch<S>& at = net.at;
    const auto [a, b] = net.shape().joints[j];
    const int unknown = net.pattern().joint_unknown[j];
    const DirectNets::Joint& joint = net.joint(j);
    const S per_length = S(1) / net.own(joint.lbar);
    const Vector3<S> bulk = net.own(joint.bulk);
    at.compliance[unknown] = {compliance.joint.x / bulk.x, compliance.joint.y / bulk.y, compliance.joint.z / bulk.z};
    Matrix3<S>* gradient = &at.gradients[3 * (net.edges() + j)];
    Vector3<S>* roll = &at.rolls[2 * j];
    if (a < 0 || b < 0) {  // the end of a net: free unless it is clamped
        for (int p = 0; p < 3; ++p) gradient[p] = {{zero<S>(), zero<S>(), zero<S>()}};
        roll[0] = roll[1] = at.right[unknown] = zero<S>();
        return;
    }
    const EdgeFrame<S>&fa = at.frames[a], &fb = at.frames[b];
    const ElementGradient<S> g{gradient_of(fa), gradient_of(fb), relative_rotation(fa.d, fb.d)};
    const Vector3<S> tangent = half_tangent(g.r);
    const auto there = net.own(joint.there) > S(0);
    const Matrix3<S> y = tangent_map(tangent, per_length);
    const NetShape::Edge &ea = net.shape().edges[a], &eb = net.shape().edges[b];
    const auto &before = at.nodes[ea.p0], &here = at.nodes[eb.p0], &after = at.nodes[eb.p1];
    Vector3<S> right = net.own(joint.rest) - (S(2) * per_length) * tangent, roll_a, roll_b;
    for (int i = 0; i < 3; ++i) {
        const Vector3<S> ry = g.r * y.c[i];
        const Vector3<S> g0 = g.transposed(0, y.c[i], ry), g1 = g.transposed(1, y.c[i], ry),
                         g2 = g.transposed(2, y.c[i], ry);
        roll_a[i] = -(g.a.roll[2] * ry.z);
        roll_b[i] = g.b.roll[2] * y.c[i].z;
        right[i] -= g0.dot(before.moved - before.last) + g1.dot(here.moved - here.last) +
                    g2.dot(after.moved - after.last) + roll_a[i] * at.moved_roll[a] + roll_b[i] * at.moved_roll[b];
        gradient[0].c[i] = masked(there, before.root * g0);
        gradient[1].c[i] = masked(there, here.root * g1);
        gradient[2].c[i] = masked(there, after.root * g2);
    }
    roll[0] = masked(there, at.nodes[ea.ghost].root * roll_a);
    roll[1] = masked(there, at.nodes[eb.ghost].root * roll_b);
    at.right[unknown] = masked(there, right);
}

/// The frame of a clamped end at the end of the substep and at its start.
struct TipFrames {
    Mat3d now, before;
};

/// A clamped end, in one lane: a joint between the edge and the frame that holds it, over half an edge.
template <class S>
void hold_tip(const NetLanes<S>& net, const DirectNets::Tip& held, const TipFrames& frames)
{
    using T = Lane<S>;
    NetScratch<S>& at = net.at;
    const int l = held.lane - net.first;
    if (l < 0 || l >= NetLanes<S>::kWidth) return;
    const RodTip& tip = net.rod.tips[held.tip];
    const int start = tip.end == RodEnd::start ? 1 : 0;
    const NetShape::Edge& shape = net.shape().edges[held.edge];
    const int node[3] = {shape.p0, shape.p1, shape.ghost};
    EdgePoints<double> points;
    Vec3d moved[3];
    double root[3];
    for (int p = 0; p < 3; ++p) {
        points.x[p] = lane(at.nodes[node[p]].before, l).template cast<double>();
        moved[p] = lane(at.nodes[node[p]].moved - at.nodes[node[p]].last, l).template cast<double>();
        root[p] = static_cast<double>(at.nodes[node[p]].root[l]);
    }
    const TipGradient<double> g = tip_gradient(frames.now, tip.end, points);
    const Vec3d b_before = half_tangent(tip_gradient(frames.before, tip.end, points).r);
    const Vec3d b = half_tangent(g.r);
    const double per_length = 2 / static_cast<double>(net.rod.edges[tip.edge].length);
    const Mat3d y = (per_length * (Mat3d::outer(b, b) + Mat3d::skew(b) + Mat3d::identity())).transposed();
    Matrix3<S>* gradient = &at.gradients[3 * (net.edges() + held.joint) + start];
    Vec3d right = -2 * per_length * (b - kKeptSwing * (b - b_before)), roll;
    for (int k = 0; k < 3; ++k) {
        for (int p = 0; p < 2; ++p) {
            const Vec3d column = g.transposed(p, y.c[k]);
            right[k] -= column.dot(moved[p]);
            set_lane(gradient[p].c[k], l, (root[p] * column).template cast<T>());
        }
        const Vec3d column = g.transposed(2, y.c[k]);
        right[k] -= column.dot(moved[2]);
        roll[k] = root[2] * column.dot(g.edge.d2);
    }
    set_lane(at.rolls[2 * held.joint + start], l, roll.template cast<T>());
    set_lane(at.right[net.pattern().joint_unknown[held.joint]], l, right.template cast<T>());
}

/// `frames` are those of clamped ends, per tip of the rod.
template <class S>
void linearise(const NetLanes<S>& net, const NetCompliance<S>& compliance, std::span<const TipFrames> frames)
{
    for (int e = 0; e < net.edges(); ++e) linearise_edge(net, compliance, e);
    for (int j = 0; j < net.joints(); ++j) linearise_joint(net, compliance, j);
    for (int i = net.group.first_tip; i < net.group.last_tip; ++i) {
        const DirectNets::Tip& held = net.nets.tips[i];
        hold_tip(net, held, frames[held.tip]);
    }
}

}  // namespace pliant
