#include "pliant/rods/direct.h"

#include "pliant/base/parallel.h"

#include <algorithm>

namespace pliant {

namespace {

using Vector = Vector3<Wide>;
using Matrix = Matrix3<Wide>;
using Row = DirectScratch::Row;
using Gradients = DirectScratch::Gradients;
using Link = DirectStrands::Link;

constexpr int kWorkspaces = 16;  // groups that may be solved at the same time

Wide widen(const Lanes& a)
{
    Wide r;
    for (int l = 0; l < kLanes; ++l) r.v[l] = static_cast<double>(a.v[l]);
    return r;
}
Vector widen(const Vector3<Lanes>& a) { return {widen(a.x), widen(a.y), widen(a.z)}; }
Lanes narrow(const Wide& a)
{
    Lanes r;
    for (int l = 0; l < kLanes; ++l) r.v[l] = static_cast<Real>(a.v[l]);
    return r;
}
Vector3<Lanes> narrow(const Vector& a) { return {narrow(a.x), narrow(a.y), narrow(a.z)}; }

}  // namespace

DirectStrands make_direct_strands(const Rod& rod)
{
    std::vector<int> order;
    for (int s = 0; s < rod.strands(); ++s)
        if (rod.closed[s] == 0) order.push_back(s);
    const auto edges_of = [&](int s) { return rod.first_edge[s + 1] - rod.first_edge[s]; };
    std::ranges::sort(order,
                      [&](int a, int b) { return edges_of(a) != edges_of(b) ? edges_of(a) > edges_of(b) : a < b; });
    std::vector<int> joint_before(rod.edges.size(), -1);  // per edge: the element that ends in it
    for (std::size_t j = 0; j < rod.elements.size(); ++j) joint_before[rod.elements[j].b] = static_cast<int>(j);

    const int particles = static_cast<int>(rod.mass.size());
    DirectStrands out;
    for (std::size_t at = 0; at < order.size(); at += kLanes) {
        DirectStrands::Group group{static_cast<int>(out.links.size()), edges_of(order[at]), {}};
        group.strand.fill(-1);
        Link nobody;
        nobody.point.fill(padding_of_group(particles, static_cast<int>(out.groups.size())));
        nobody.ghost = nobody.point;
        nobody.edge.fill(-1);
        nobody.lbar = nobody.length = nobody.ghost_distance = 1;
        out.links.resize(out.links.size() + group.edges + 1, nobody);
        for (int l = 0; l < kLanes && at + l < order.size(); ++l) {
            const int s = order[at + l];
            group.strand[l] = s;
            for (int k = 0; k < edges_of(s); ++k) {
                const int e = rod.first_edge[s] + k;
                const Rod::Edge& edge = rod.edges[e];
                Link& link = out.links[group.first + k];
                link.edge[l] = e;
                link.there.set(l, 1);
                link.point[l] = edge.p0;
                link.ghost[l] = edge.ghost;
                link.length.set(l, static_cast<double>(edge.length));
                link.ghost_distance.set(l, static_cast<double>(edge.ghost_distance));
                link.lbar.set(l, static_cast<double>(edge.length) / 2);
                out.links[group.first + k + 1].point[l] = edge.p1;
                if (k == 0) continue;
                const Rod::Element& joint = rod.elements[joint_before[e]];
                link.lbar.set(l, static_cast<double>(joint.lbar));
                set_lane(link.rest, l, joint.rest.cast<double>());
            }
            const Rod::Edge& last = rod.edges[rod.first_edge[s + 1] - 1];
            out.links[group.first + edges_of(s)].lbar.set(l, static_cast<double>(last.length) / 2);
        }
        out.longest = std::max(out.longest, group.edges);
        out.groups.push_back(group);
    }
    return out;
}

void DirectScratch::resize(const DirectStrands& strands)
{
    workspaces = std::min(kWorkspaces, static_cast<int>(strands.groups.size()));
    longest = strands.longest;
    rows.resize(static_cast<std::size_t>(workspaces) * (2 * longest + 1 + 4));  // four more: the band hangs over
    links.resize(static_cast<std::size_t>(workspaces) * (longest + 1));
}

namespace {

/// One group while it is solved.
class GroupSolve {
  public:
    GroupSolve(const Rod& rod, const DirectStrands& strands, const DirectStrands::Group& group, Real h, Row* rows,
               Gradients* links)
        : rod_(rod), link_(&strands.links[group.first]), group_(group), n_(group.edges), rows_(rows), at_(links)
    {
        const double per_h2 = 1 / (static_cast<double>(h) * static_cast<double>(h));
        const Vec3d b = rod.stiffness.cast<double>();
        joint_compliance_ = {Wide(per_h2 / b.x), Wide(per_h2 / b.y), Wide(per_h2 / b.z)};
        edge_compliance_ = Wide(per_h2 * rod.axial_compliance);
    }

    void load(std::span<const Point> before, std::span<const Point> points);
    void linearise();
    void hold_tips(std::span<const Mat3d> frames);
    void assemble();
    void factor();
    void substitute();
    void store(std::span<Point> points);

  private:
    Row& joint(int k) { return rows_[2 * k]; }
    Row& edge(int k) { return rows_[2 * k + 1]; }
    void linearise_edge(int k, const EdgeFrame<Wide>& frame);
    void linearise_joint(int k, const EdgeFrame<Wide>& a, const EdgeFrame<Wide>& b);

    const Rod& rod_;
    const Link* link_;
    const DirectStrands::Group& group_;
    int n_;
    Row* rows_;
    Gradients* at_;
    Vector joint_compliance_;
    Wide edge_compliance_;
};

void GroupSolve::load(std::span<const Point> before, std::span<const Point> points)
{
    for (int k = 0; k <= n_; ++k) {
        const PointLanes old = gather(before.data(), link_[k].point.data());
        const PointLanes now = gather(points.data(), link_[k].point.data());
        const PointLanes ghost = gather(before.data(), link_[k].ghost.data());
        const PointLanes ghost_now = gather(points.data(), link_[k].ghost.data());
        Gradients& at = at_[k];
        at.before = widen(old.x);
        at.moved = widen(now.x) - at.before;
        at.w = widen(now.w);
        at.ghost_before = widen(ghost.x);
        at.ghost_moved = widen(ghost_now.x) - at.ghost_before;
        at.ghost_w = widen(ghost_now.w);
    }
    for (int r = 0; r < 2 * n_ + 1 + 4; ++r) rows_[r] = {};
    for (int k = 0; k <= n_; ++k) {
        for (Matrix& m : at_[k].joint) m = {};
        for (Matrix& m : at_[k].edge) m = {};
    }
}

/// Columns scaled by a mask, NaNs of nobody's lanes turned to zeros.
PLIANT_INLINE Vector masked(const Wide& mask, const Vector& v)
{
    const auto on = mask > Wide(0);
    return select(on, v, Vector{Wide(0), Wide(0), Wide(0)});
}

void GroupSolve::linearise_edge(int k, const EdgeFrame<Wide>& f)
{
    Gradients& at = at_[k];
    const Vector p0 = at.before, p1 = at_[k + 1].before, g = at.ghost_before;
    const Wide mask = link_[k].there, inverse = Wide(1) / link_[k].length;
    const Vector side = g - Wide(0.5) * (p0 + p1);
    const Wide distance = sqrt(side.squared_norm());
    const Vector u = f.d.c[2], s = (Wide(1) / distance) * side, none{Wide(0), Wide(0), Wide(0)};
    at.edge[0] = {{masked(mask, -u), masked(mask, inverse * (p0 - g)), masked(mask, Wide(-0.5) * s)}};
    at.edge[1] = {{masked(mask, u), masked(mask, inverse * (g - p1)), masked(mask, Wide(-0.5) * s)}};
    at.edge[2] = {{none, masked(mask, inverse * (p1 - p0)), masked(mask, s)}};
    const Vector c{f.length - link_[k].length, inverse * side.dot(p1 - p0), distance - link_[k].ghost_distance};
    edge(k).right = masked(mask, -c);
}

void GroupSolve::linearise_joint(int k, const EdgeFrame<Wide>& a, const EdgeFrame<Wide>& b)
{
    const ElementGradient<Wide> g{gradient_of(a), gradient_of(b), relative_rotation(a.d, b.d)};
    const Vector tangent = half_tangent(g.r);
    const Wide mask = link_[k].there, per_length = Wide(1) / link_[k].lbar;
    const Matrix t = per_length * (Matrix::outer(tangent, tangent) + Matrix::skew(tangent) + Matrix::identity());
    const Matrix y = t.transposed();
    for (int i = 0; i < 3; ++i) {
        const Vector ry = g.r * y.c[i];
        for (int p = 0; p < 5; ++p) at_[k].joint[p].c[i] = masked(mask, g.transposed(p, y.c[i], ry));
    }
    joint(k).right = masked(mask, link_[k].rest - (Wide(2) * per_length) * tangent);
}

/// Gradients and -C at the start of the substep.
void GroupSolve::linearise()
{
    EdgeFrame<Wide> last;
    for (int k = 0; k < n_; ++k) {
        const EdgeFrame<Wide> frame = frame_of(at_[k].before, at_[k + 1].before, at_[k].ghost_before);
        linearise_edge(k, frame);
        if (k > 0) linearise_joint(k, last, frame);
        last = frame;
    }
}

/// The ends that are held to a frame: a joint with half an edge between the edge and the frame.
void GroupSolve::hold_tips(std::span<const Mat3d> frames)
{
    for (std::size_t t = 0; t < rod_.tips.size(); ++t) {
        const RodTip& tip = rod_.tips[t];
        for (int l = 0; l < kLanes; ++l) {
            const int s = group_.strand[l];
            if (s < 0 || tip.edge < rod_.first_edge[s] || tip.edge >= rod_.first_edge[s + 1]) continue;
            const int e = tip.edge - rod_.first_edge[s], k = tip.end == RodEnd::start ? 0 : e + 1;
            EdgePoints<double> points{
                {lane(at_[e].before, l), lane(at_[e + 1].before, l), lane(at_[e].ghost_before, l)},
                {at_[e].w[l], at_[e + 1].w[l], at_[e].ghost_w[l]}};
            const TipGradient<double> g = tip_gradient(frames[t], tip.end, points);
            const Vec3d b = half_tangent(g.r);
            const double per_length = 2 / static_cast<double>(rod_.edges[tip.edge].length);
            const Mat3d y = (per_length * (Mat3d::outer(b, b) + Mat3d::skew(b) + Mat3d::identity())).transposed();
            const int slot[3] = {tip.end == RodEnd::start ? 1 : 0, tip.end == RodEnd::start ? 2 : 1,
                                 tip.end == RodEnd::start ? 4 : 3};
            for (int i = 0; i < 3; ++i)
                for (int p = 0; p < 3; ++p) set_lane(at_[k].joint[slot[p]].c[i], l, g.transposed(p, y.c[i]));
            set_lane(joint(k).right, l, -2 * per_length * b);
        }
    }
}

/// A^T diag(w) B of transposed gradients, added.
PLIANT_INLINE void couple(const Wide& w, const Matrix& a, const Matrix& b, Matrix& sum)
{
    for (int j = 0; j < 3; ++j) {
        const Vector wb = w * b.c[j];
        for (int i = 0; i < 3; ++i) sum.c[j][i] += a.c[i].dot(wb);
    }
}

PLIANT_INLINE Vector weigh(const Matrix& a, const Vector& x) { return {a.c[0].dot(x), a.c[1].dot(x), a.c[2].dot(x)}; }

/// The band of J W J^T + alpha/h^2 below the diagonal, and the right side.
void GroupSolve::assemble()
{
    for (int k = 0; k <= n_; ++k) {
        const Gradients& at = at_[k];
        const Gradients& next = at_[std::min(k + 1, n_)];
        Row& row = joint(k);
        // bend and twist with itself: p_{k-1}, p_k, p_{k+1}, g_{k-1}, g_k
        if (k > 0) {
            couple(at_[k - 1].w, at.joint[0], at.joint[0], row.band[0]);
            couple(at_[k - 1].ghost_w, at.joint[3], at.joint[3], row.band[0]);
            row.right -= weigh(at.joint[0], at_[k - 1].moved) + weigh(at.joint[3], at_[k - 1].ghost_moved);
        }
        couple(at.w, at.joint[1], at.joint[1], row.band[0]);
        row.right -= weigh(at.joint[1], at.moved);
        const Wide per_length = Wide(1) / link_[k].lbar;
        for (int i = 0; i < 3; ++i) row.band[0](i, i) += per_length * joint_compliance_[i];
        if (k == n_) break;
        couple(next.w, at.joint[2], at.joint[2], row.band[0]);
        couple(at.ghost_w, at.joint[4], at.joint[4], row.band[0]);
        row.right -= weigh(at.joint[2], next.moved) + weigh(at.joint[4], at.ghost_moved);

        Row& own = edge(k);
        couple(at.w, at.edge[0], at.edge[0], own.band[0]);
        couple(next.w, at.edge[1], at.edge[1], own.band[0]);
        couple(at.ghost_w, at.edge[2], at.edge[2], own.band[0]);
        own.right -= weigh(at.edge[0], at.moved) + weigh(at.edge[1], next.moved) + weigh(at.edge[2], at.ghost_moved);
        own.band[0](0, 0) += edge_compliance_ * link_[k].length;
        // El_k - Ed_k
        couple(at.w, at.edge[0], at.joint[1], row.band[1]);
        couple(next.w, at.edge[1], at.joint[2], row.band[1]);
        couple(at.ghost_w, at.edge[2], at.joint[4], row.band[1]);
        // El_k - El_{k+1}, Ed_k - El_{k+1}
        couple(at.w, next.joint[0], at.joint[1], row.band[2]);
        couple(next.w, next.joint[1], at.joint[2], row.band[2]);
        couple(at.ghost_w, next.joint[3], at.joint[4], row.band[2]);
        couple(at.w, next.joint[0], at.edge[0], own.band[1]);
        couple(next.w, next.joint[1], at.edge[1], own.band[1]);
        couple(at.ghost_w, next.joint[3], at.edge[2], own.band[1]);
        if (k + 1 == n_) continue;
        // El_k - Ed_{k+1}, Ed_k - Ed_{k+1}, El_k - El_{k+2}, Ed_k - El_{k+2}: by p_{k+1}
        couple(next.w, next.edge[0], at.joint[2], row.band[3]);
        couple(next.w, next.edge[0], at.edge[1], own.band[2]);
        couple(next.w, at_[k + 2].joint[0], at.joint[2], row.band[4]);
        couple(next.w, at_[k + 2].joint[0], at.edge[1], own.band[3]);
    }
}

/// Inverse roots of the pivots of a block; the block becomes its Cholesky factor. A pivot that pins have left nothing
/// of takes no part.
PLIANT_INLINE Vector factor_block(Matrix& a)
{
    const auto inverse_root = [](const Wide& pivot, const Wide& diagonal) {
        const auto good = pivot > Wide(1e-13) * diagonal;
        return select(good, Wide(1) / sqrt(select(good, pivot, Wide(1))), Wide(0));
    };
    Vector inverse;
    inverse.x = inverse_root(a(0, 0), a(0, 0));
    a(1, 0) *= inverse.x;
    a(2, 0) *= inverse.x;
    inverse.y = inverse_root(a(1, 1) - a(1, 0) * a(1, 0), a(1, 1));
    a(2, 1) = (a(2, 1) - a(2, 0) * a(1, 0)) * inverse.y;
    inverse.z = inverse_root(a(2, 2) - a(2, 0) * a(2, 0) - a(2, 1) * a(2, 1), a(2, 2));
    return inverse;
}

/// L y = b and L^T y = b.
PLIANT_INLINE Vector forward(const Matrix& l, const Vector& inverse, const Vector& b)
{
    const Wide y0 = b.x * inverse.x, y1 = (b.y - l(1, 0) * y0) * inverse.y;
    return {y0, y1, (b.z - l(2, 0) * y0 - l(2, 1) * y1) * inverse.z};
}
PLIANT_INLINE Vector backward(const Matrix& l, const Vector& inverse, const Vector& b)
{
    const Wide y2 = b.z * inverse.z, y1 = (b.y - l(2, 1) * y2) * inverse.y;
    return {(b.x - l(1, 0) * y1 - l(2, 0) * y2) * inverse.x, y1, y2};
}

/// sum -= a b^T
PLIANT_INLINE void subtract_product(const Matrix& a, const Matrix& b, Matrix& sum)
{
    for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k) sum.c[j] -= b(j, k) * a.c[k];
}

/// Cholesky along the band, and the forward substitution with it.
void GroupSolve::factor()
{
    for (int r = 0; r <= 2 * n_; ++r) {
        Row& row = rows_[r];
        row.diagonal = factor_block(row.band[0]);
        row.right = forward(row.band[0], row.diagonal, row.right);
        for (int d = 1; d <= 4; ++d) {  // X L^T = B, row by row of X
            Matrix& b = row.band[d];
            for (int i = 0; i < 3; ++i) {
                const Vector x = forward(row.band[0], row.diagonal, {b(i, 0), b(i, 1), b(i, 2)});
                b(i, 0) = x.x;
                b(i, 1) = x.y;
                b(i, 2) = x.z;
            }
            rows_[r + d].right -= b * row.right;
        }
        for (int d = 1; d <= 4; ++d)
            for (int e = d; e <= 4; ++e) subtract_product(row.band[e], row.band[d], rows_[r + d].band[e - d]);
    }
}

void GroupSolve::substitute()
{
    for (int r = 2 * n_; r >= 0; --r) {
        Row& row = rows_[r];
        Vector right = row.right;
        for (int d = 1; d <= 4 && r + d <= 2 * n_; ++d) right -= weigh(row.band[d], rows_[r + d].right);
        row.right = backward(row.band[0], row.diagonal, right);
    }
}

/// x += W J^T lambda
void GroupSolve::store(std::span<Point> points)
{
    for (int k = 0; k <= n_; ++k) {
        const Gradients& at = at_[k];
        Vector move = at.joint[1] * joint(k).right;
        Vector ghost = at.joint[4] * joint(k).right;
        if (k > 0) move += at_[k - 1].joint[2] * joint(k - 1).right + at_[k - 1].edge[1] * edge(k - 1).right;
        if (k < n_) {
            move += at.edge[0] * edge(k).right + at_[k + 1].joint[0] * joint(k + 1).right;
            ghost += at.edge[2] * edge(k).right + at_[k + 1].joint[3] * joint(k + 1).right;
        }
        PointLanes p = gather(points.data(), link_[k].point.data());
        p.x = narrow(at.before + at.moved + at.w * move);
        scatter(p, link_[k].point.data(), points.data());
        if (k == n_) break;
        PointLanes g = gather(points.data(), link_[k].ghost.data());
        g.x = narrow(at.ghost_before + at.ghost_moved + at.ghost_w * ghost);
        scatter(g, link_[k].ghost.data(), points.data());
    }
}

}  // namespace

void solve_strands(const Rod& rod, const DirectStrands& strands, Real h, std::span<const Point> before,
                   std::span<const Mat3d> tips, DirectScratch& scratch, std::span<Point> points)
{
    const int count = static_cast<int>(strands.groups.size()), columns = scratch.workspaces;
    parallel_for(columns, 1, [&](int begin, int end) {
        for (int c = begin; c < end; ++c) {
            Row* rows = &scratch.rows[static_cast<std::size_t>(c) * (2 * scratch.longest + 5)];
            Gradients* links = &scratch.links[static_cast<std::size_t>(c) * (scratch.longest + 1)];
            const auto bound = [&](int i) { return static_cast<int>(static_cast<long long>(i) * count / columns); };
            for (int g = bound(c); g < bound(c + 1); ++g) {
                GroupSolve solve(rod, strands, strands.groups[g], h, rows, links);
                solve.load(before, points);
                solve.linearise();
                solve.hold_tips(tips);
                solve.assemble();
                solve.factor();
                solve.substitute();
                solve.store(points);
            }
        }
    });
}

}  // namespace pliant
