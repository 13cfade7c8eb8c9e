#include "pliant/cloth/triangles.h"

#include "pliant/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

using Corners = std::array<int, 3>;

/// Whether the three rest points are collinear.
bool is_line(const SurfaceMesh& mesh, const Corners& t)
{
    const Vec3d a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
    const double longest = std::max({(b - a).squared_norm(), (c - a).squared_norm(), (c - b).squared_norm()});
    return (b - a).cross(c - a).norm() <= 1e-6 * longest;
}

/// The outer corner of the neighbour across an edge of a triangle; -1 for a boundary edge.
int outer_corner(const SurfaceMesh& mesh, const MeshEdge& edge, int triangle)
{
    const int other = edge.triangle[0] == triangle ? edge.triangle[1] : edge.triangle[0];
    if (other < 0) return -1;
    for (const int v : mesh.triangles[other])
        if (v != edge.a && v != edge.b) return v;
    return -1;
}

/// Adds the clusters around one triangle.
void add_clusters(const SurfaceMesh& mesh, const MeshEdges& edges, int triangle, std::vector<Corners>& clusters)
{
    const Corners own = mesh.triangles[triangle];
    std::array<std::array<int, 2>, 3> choices;  // per slot: one outer corner twice, or the ends of the boundary edge
    bool whole = true;
    Corners outer;
    for (int s = 0; s < 3; ++s) {
        const MeshEdge& edge = edges.edges[edges.of_triangle[triangle][s]];
        outer[s] = outer_corner(mesh, edge, triangle);
        if (outer[s] >= 0 && std::find(outer.begin(), outer.begin() + s, outer[s]) != outer.begin() + s) outer[s] = -1;
        choices[s] = outer[s] >= 0 ? std::array{outer[s], -1} : std::array{edge.a, edge.b};
        whole = whole && outer[s] >= 0;
    }
    const std::size_t before = clusters.size();
    const auto add = [&](Corners c) {
        const bool distinct = c[0] != c[1] && c[1] != c[2] && c[0] != c[2];
        if (!distinct || is_line(mesh, c)) return;
        std::sort(c.begin(), c.end());
        clusters.push_back(c);
    };
    for (const int a : choices[0])
        for (const int b : choices[1])
            for (const int c : choices[2])
                if (a >= 0 && b >= 0 && c >= 0) add({a, b, c});
    if (clusters.size() > before) return;
    Corners self = own;
    std::sort(self.begin(), self.end());
    clusters.push_back(self);
}

/// The rest triangle laid flat about its weighted centre, and the direction of the warp in it.
struct FlatRest {
    FlatTriangle<double> flat;
    double warp_x, warp_y;
};
FlatRest flatten(const SurfaceMesh& rest, const Corners& c, std::span<const double> mu, const Vec3d& warp)
{
    const Vec3d origin = rest.vertices[c[0]];
    const Layout<double> at = lay_flat(rest.vertices[c[1]] - origin, rest.vertices[c[2]] - origin);
    const double total = mu[c[0]] + mu[c[1]] + mu[c[2]];
    FlatRest out{
        .flat = {.x = {0, at.length, at.foot}, .y = {0, 0, at.height}, .weight = {}}, .warp_x = 1, .warp_y = 0};
    double cx = 0, cy = 0;
    for (int i = 0; i < 3; ++i) {
        out.flat.weight[i] = mu[c[i]] / total;
        cx += out.flat.weight[i] * out.flat.x[i];
        cy += out.flat.weight[i] * out.flat.y[i];
    }
    for (int i = 0; i < 3; ++i) {
        out.flat.x[i] -= cx;
        out.flat.y[i] -= cy;
    }
    const double wx = warp.dot(at.e1), wy = warp.dot(at.e2), norm = std::sqrt(wx * wx + wy * wy);
    if (norm > 1e-6 * warp.norm()) {
        out.warp_x = wx / norm;
        out.warp_y = wy / norm;
    }
    return out;
}

/// Rotates the order of the corners so that the first two are furthest apart at rest, where lay_flat is most accurate.
Corners longest_first(const SurfaceMesh& rest, const Corners& c)
{
    const auto length = [&](int i) { return (rest.vertices[c[(i + 1) % 3]] - rest.vertices[c[i]]).squared_norm(); };
    int best = 0;
    for (int i = 1; i < 3; ++i)
        if (length(i) > length(best)) best = i;
    return {c[best], c[(best + 1) % 3], c[(best + 2) % 3]};
}

void set_lane(const FlatRest& from, int l, TriangleClusters::Group& group, TriangleClusters::Warp& warp)
{
    for (int i = 0; i < 3; ++i) {
        group.rest.x[i].set(l, static_cast<Real>(from.flat.x[i]));
        group.rest.y[i].set(l, static_cast<Real>(from.flat.y[i]));
        group.rest.weight[i].set(l, static_cast<Real>(from.flat.weight[i]));
    }
    warp.x.set(l, static_cast<Real>(from.warp_x));
    warp.y.set(l, static_cast<Real>(from.warp_y));
}

}  // namespace

std::vector<std::array<int, 3>> find_triangle_clusters(const SurfaceMesh& mesh, const MeshEdges& edges)
{
    std::vector<Corners> clusters;
    for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) add_clusters(mesh, edges, t, clusters);
    std::sort(clusters.begin(), clusters.end());
    clusters.erase(std::unique(clusters.begin(), clusters.end()), clusters.end());
    return clusters;
}

Layout<Real> lay_line(const Vec3& b1, const Vec3& b2, const Vec3& normal, const Vec3& direction)
{
    const Vec3 longest = b1.squared_norm() >= b2.squared_norm() ? b1 : b2;
    const Vec3 along = longest.squared_norm() > 0 ? longest : direction;
    const Vec3 e1 = along.squared_norm() > 0 ? along.normalized() : Vec3{1, 0, 0};
    Vec3 e2 = normal.cross(e1);
    if (!(e2.squared_norm() > Real(1e-6) * normal.squared_norm())) {
        const Vec3 other = std::abs(e1.x) < Real(0.5) ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        e2 = other.cross(e1);
    }
    return {e1, e2.normalized(), b1.dot(e1), b2.dot(e1), 0};
}

TriangleClusters make_triangle_clusters(const SurfaceMesh& rest, std::vector<std::array<int, 3>> corners,
                                        std::span<const double> mu, const Vec3d& warp_axis, std::span<int> next,
                                        int padding_slot)
{
    const int count = static_cast<int>(corners.size()), padding = static_cast<int>(rest.vertices.size());
    TriangleClusters out;
    out.groups.resize((corners.size() + kLanes - 1) / kLanes);
    out.warp.resize(out.groups.size());
    for (std::size_t g = 0; g < out.groups.size(); ++g) {
        TriangleClusters::Group& group = out.groups[g];
        for (int l = 0; l < kLanes; ++l) {
            const int c = static_cast<int>(g) * kLanes + l;
            const Corners at = longest_first(rest, corners[std::min(c, count - 1)]);
            set_lane(flatten(rest, at, mu, warp_axis), l, group, out.warp[g]);
            for (int i = 0; i < 3; ++i) {
                group.corner[i][l] = c < count ? at[i] : padding;
                group.slot[i][l] = c < count ? next[at[i]]++ : padding_slot;
            }
        }
    }
    out.corners = std::move(corners);
    return out;
}

namespace {

/// Lays out the lanes whose triangle is degenerate, in the plane that it had at the start of the substep.
void lay_lines(const TriangleClusters::Group& group, const Vector3<Lanes>& b1, const Vector3<Lanes>& b2,
               std::span<const Vec3> before, Layout<Lanes>& flat)
{
    for (int l = 0; l < kLanes; ++l) {
        const Layout<Real> at{lane(flat.e1, l), lane(flat.e2, l), flat.length[l], flat.foot[l], flat.height[l]};
        if (!degenerate(at) || group.corner[0][l] >= static_cast<int>(before.size())) continue;
        const Vec3 a = before[group.corner[0][l]];
        const Vec3 old_b1 = before[group.corner[1][l]] - a, old_b2 = before[group.corner[2][l]] - a;
        const Layout<Real> line = lay_line(lane(b1, l), lane(b2, l), old_b1.cross(old_b2), old_b1);
        set_lane(flat.e1, l, line.e1);
        set_lane(flat.e2, l, line.e2);
        flat.length.set(l, line.length);
        flat.foot.set(l, line.foot);
        flat.height.set(l, line.height);
    }
}

/// Scales a match by direction. Its displacement is E q, a linear map of the flat rest triangle; the entries of E for
/// warp, weft and shear get a factor each. The rotation that this adds is removed, which keeps both momenta.
PLIANT_INLINE void scale_match(const FlatTriangle<Lanes>& q, const TriangleClusters::Warp& axis,
                               const MatchFactors& factors, const Layout<Lanes>& flat, TriangleMatch<Lanes>& match)
{
    // in the frame of warp and weft, turned along with the triangle
    const Lanes c = match.cosine * axis.x - match.sine * axis.y;
    const Lanes s = match.sine * axis.x + match.cosine * axis.y;
    const Vector3<Lanes> warp = c * flat.e1 + s * flat.e2, weft = c * flat.e2 - s * flat.e1;
    Lanes qa[3], qb[3], da[3], db[3];
    for (int i = 0; i < 3; ++i) {
        qa[i] = q.x[i] * axis.x + q.y[i] * axis.y;
        qb[i] = q.y[i] * axis.x - q.x[i] * axis.y;
        da[i] = match.change[i].dot(warp);
        db[i] = match.change[i].dot(weft);
    }
    const Lanes a1 = qa[1] - qa[0], b1 = qb[1] - qb[0], a2 = qa[2] - qa[0], b2 = qb[2] - qb[0];
    const Lanes inverse = Lanes(1) / (a1 * b2 - a2 * b1);
    const auto along = [&](const Lanes d[3], const Lanes& first, const Lanes& second) {
        return inverse * ((d[1] - d[0]) * first - (d[2] - d[0]) * second);
    };
    const Lanes shear = Lanes(factors.shear), scale_a = Lanes(factors.warp), scale_b = Lanes(factors.weft);
    const Lanes e_aa = scale_a * along(da, b2, b1), e_ab = shear * (-along(da, a2, a1));
    const Lanes e_ba = shear * along(db, b2, b1), e_bb = scale_b * (-along(db, a2, a1));
    // p: the current corners about the centre, q - (full displacement), in the same frame
    Lanes torque = 0, inertia = 0, na[3], nb[3], pa[3], pb[3];
    for (int i = 0; i < 3; ++i) {
        na[i] = e_aa * qa[i] + e_ab * qb[i];
        nb[i] = e_ba * qa[i] + e_bb * qb[i];
        pa[i] = qa[i] - da[i];
        pb[i] = qb[i] - db[i];
        torque += q.weight[i] * (pa[i] * nb[i] - pb[i] * na[i]);
        inertia += q.weight[i] * (pa[i] * pa[i] + pb[i] * pb[i]);
    }
    const Lanes spin = torque / inertia;
    for (int i = 0; i < 3; ++i) match.change[i] = (na[i] + spin * pb[i]) * warp + (nb[i] - spin * pa[i]) * weft;
}

template <bool kScaled>
void match_groups(const TriangleClusters& clusters, const MatchFactors& factors, std::span<const Point> points,
                  std::span<const Vec3> before, std::span<Point> change)
{
    parallel_for(static_cast<int>(clusters.groups.size()), 64, [&](int begin, int end) {
        for (int g = begin; g < end; ++g) {
            const TriangleClusters::Group& group = clusters.groups[g];
            const Vector3<Lanes> a = gather(points.data(), group.corner[0].data()).x;
            const Vector3<Lanes> b1 = gather(points.data(), group.corner[1].data()).x - a;
            const Vector3<Lanes> b2 = gather(points.data(), group.corner[2].data()).x - a;
            Layout<Lanes> flat = lay_flat(b1, b2);
            if (any(degenerate(flat))) lay_lines(group, b1, b2, before, flat);
            TriangleMatch<Lanes> match = match_triangle(group.rest, flat);
            if constexpr (kScaled) scale_match(group.rest, clusters.warp[g], factors, flat, match);
            for (int i = 0; i < 3; ++i) scatter({match.change[i], Lanes(0)}, group.slot[i].data(), change.data());
        }
    });
}

}  // namespace

void match_triangles(const TriangleClusters& clusters, const MatchFactors& factors, std::span<const Point> points,
                     std::span<const Vec3> before, std::span<Point> change)
{
    if (factors.equal()) return match_groups<false>(clusters, factors, points, before, change);
    match_groups<true>(clusters, factors, points, before, change);
}

void blend_goals(const GoalSlots& slots, std::span<const Point> change, Real gain, std::span<Point> points)
{
    parallel_for(static_cast<int>(slots.first.size()) - 1, 1024, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            if (points[i].w == 0 || slots.count(i) == 0) continue;
            detail::Quad sum{};
            for (int s = slots.first[i]; s < slots.first[i + 1]; ++s) sum += detail::load_quad(change[s]);
            const Real share = gain / static_cast<Real>(slots.count(i));
            detail::store_quad(detail::load_quad(points[i]) + share * sum, points[i]);  // a change has w = 0
        }
    });
}

}  // namespace pliant
