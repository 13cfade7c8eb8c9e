#include "bench/baselines/long_form_rod.h"

namespace pliant {

LongFormFrame long_form_frame(const Vec3d& p0, const Vec3d& p1, const Vec3d& ghost)
{
    LongFormFrame f;
    const Vec3d normal = (p1 - p0).cross(ghost - p0);
    const double length = (p1 - p0).norm(), area = normal.norm();
    const Vec3d d3 = (p1 - p0) / length, d2 = normal / area;
    f.d = {{d2.cross(d3), d2, d3}};

    const Mat3d one = Mat3d::identity();
    const Mat3d across = (1 / length) * (one - Mat3d::outer(d3, d3));
    const Mat3d q = (1 / area) * (one - Mat3d::outer(d2, d2));
    f.dd[2][0] = -1.0 * across;
    f.dd[2][1] = across;
    f.dd[2][2] = Mat3d{};
    f.dd[1][0] = q * Mat3d::skew(ghost - p1);
    f.dd[1][1] = q * Mat3d::skew(p0 - ghost);
    f.dd[1][2] = q * Mat3d::skew(p1 - p0);
    for (int p = 0; p < 3; ++p) f.dd[0][p] = Mat3d::skew(d2) * f.dd[2][p] - Mat3d::skew(d3) * f.dd[1][p];
    return f;
}

namespace {

/// Derivatives of the frames A and B by one of the five points: zero where the point is not the frame's.
struct FrameDerivatives {
    Mat3d a[3], b[3];
};

FrameDerivatives derivatives_by(int point, const LongFormFrame& a, const LongFormFrame& b)
{
    constexpr int kInA[5] = {0, 1, -1, 2, -1}, kInB[5] = {-1, 0, 1, -1, 2};
    FrameDerivatives d{};
    for (int i = 0; i < 3; ++i) {
        if (kInA[point] >= 0) d.a[i] = a.dd[i][kInA[point]];
        if (kInB[point] >= 0) d.b[i] = b.dd[i][kInB[point]];
    }
    return d;
}

/// d^T D, as a vector.
Vec3d row(const Vec3d& d, const Mat3d& derivative) { return derivative.transposed() * d; }

}  // namespace

LongFormDarboux long_form_darboux(const std::array<Vec3d, 5>& x, double lbar)
{
    constexpr int kOdd[3][2] = {{2, 1}, {0, 2}, {1, 0}};  // j, k of i
    const LongFormFrame fa = long_form_frame(x[0], x[1], x[3]), fb = long_form_frame(x[1], x[2], x[4]);
    const Vec3d(&a)[3] = fa.d.c, (&b)[3] = fb.d.c;
    const double trace = a[0].dot(b[0]) + a[1].dot(b[1]) + a[2].dot(b[2]);
    const double scale = 2 / (lbar * (1 + trace));  // X

    LongFormDarboux result;
    for (int i = 0; i < 3; ++i) {
        const auto [j, k] = kOdd[i];
        result.omega[i] = scale * (a[j].dot(b[k]) - a[k].dot(b[j]));
    }
    for (int p = 0; p < 5; ++p) {
        const FrameDerivatives d = derivatives_by(p, fa, fb);
        Vec3d trace_row;
        for (int n = 0; n < 3; ++n) trace_row += row(b[n], d.a[n]) + row(a[n], d.b[n]);
        Mat3d rows;  // as columns
        for (int i = 0; i < 3; ++i) {
            const auto [j, k] = kOdd[i];
            rows.c[i] = scale * (row(b[k], d.a[j]) + row(a[j], d.b[k]) - row(b[j], d.a[k]) - row(a[k], d.b[j])) -
                        0.5 * lbar * scale * result.omega[i] * trace_row;
        }
        result.gradient[p] = rows.transposed();
    }
    return result;
}

LongFormRod make_long_form_rod(const World& world)
{
    const Rod& rod = world.rods[0];
    LongFormRod result;
    for (const Rod::Edge& e : rod.edges)
        result.edges.push_back(
            {e.p0, e.p1, e.ghost, static_cast<double>(e.length), static_cast<double>(e.ghost_distance)});
    for (const Rod::Element& e : rod.elements)
        result.elements.push_back({e.a, e.b, e.rest.cast<double>(), static_cast<double>(e.lbar)});
    for (int i = rod.particles.first; i < rod.particles.end(); ++i) {
        result.x.push_back(world.particles->x[i].cast<double>());
        result.w.push_back(static_cast<double>(world.particles->inv_mass[i]));
    }
    return result;
}

namespace {

void project_length(const LongFormRod::Edge& e, LongFormRod& rod)
{
    Vec3d &p0 = rod.x[e.p0], &p1 = rod.x[e.p1];
    const double w0 = rod.w[e.p0], w1 = rod.w[e.p1];
    if (w0 + w1 == 0) return;
    const Vec3d u = (p0 - p1).normalized();
    const double c = (p0 - p1).norm() - e.length;
    p0 -= w0 / (w0 + w1) * c * u;
    p1 += w1 / (w0 + w1) * c * u;
}

void project_bisector(const LongFormRod::Edge& e, LongFormRod& rod)
{
    Vec3d &p0 = rod.x[e.p0], &p1 = rod.x[e.p1], &p2 = rod.x[e.ghost];
    const double w0 = rod.w[e.p0], w1 = rod.w[e.p1], w2 = rod.w[e.ghost];
    if (w0 + w1 + w2 == 0) return;
    const Vec3d g0 = p0 - p2, g1 = p2 - p1, g2 = p1 - p0;
    const double c = (p2 - 0.5 * (p0 + p1)).dot(p1 - p0);
    const double lambda = c / (w0 * g0.squared_norm() + w1 * g1.squared_norm() + w2 * g2.squared_norm());
    p0 -= w0 * lambda * g0;
    p1 -= w1 * lambda * g1;
    p2 -= w2 * lambda * g2;
}

void project_ghost(const LongFormRod::Edge& e, LongFormRod& rod)
{
    Vec3d &p0 = rod.x[e.p0], &p1 = rod.x[e.p1], &p2 = rod.x[e.ghost];
    const double w0 = rod.w[e.p0], w1 = rod.w[e.p1], w2 = rod.w[e.ghost];
    if (w0 + w1 + w2 == 0) return;
    const Vec3d side = p2 - 0.5 * (p0 + p1), u = side.normalized();
    const double lambda = (side.norm() - e.ghost_distance) / (w0 / 4 + w1 / 4 + w2);
    p0 += w0 / 2 * lambda * u;
    p1 += w1 / 2 * lambda * u;
    p2 -= w2 * lambda * u;
}

/// dp = -w J^T (sum w J J^T)^-1 (k C)
void project_element(const Vec3d& k, const LongFormRod::Element& e, LongFormRod& rod)
{
    const LongFormRod::Edge &a = rod.edges[e.a], &b = rod.edges[e.b];
    const int index[5] = {a.p0, a.p1, b.p1, a.ghost, b.ghost};
    std::array<Vec3d, 5> x;
    for (int p = 0; p < 5; ++p) x[p] = rod.x[index[p]];
    const LongFormDarboux darboux = long_form_darboux(x, e.lbar);
    Mat3d sum{};
    for (int p = 0; p < 5; ++p) sum += rod.w[index[p]] * (darboux.gradient[p] * darboux.gradient[p].transposed());
    if (sum.trace() == 0) return;
    sum += 1e-14 * sum.trace() * Mat3d::identity();  // pins may leave nothing of a direction
    const Vec3d off = darboux.omega - e.rest;
    const Vec3d z = sum.inverse() * Vec3d{k.x * off.x, k.y * off.y, k.z * off.z};
    for (int p = 0; p < 5; ++p) rod.x[index[p]] -= rod.w[index[p]] * (darboux.gradient[p].transposed() * z);
}

}  // namespace

void sweep_long_form_rod(const Vec3d& k, LongFormRod& rod)
{
    for (const LongFormRod::Edge& e : rod.edges) {
        project_length(e, rod);
        project_bisector(e, rod);
        project_ghost(e, rod);
    }
    for (const LongFormRod::Element& e : rod.elements) project_element(k, e, rod);
}

}  // namespace pliant
