#include "pliant/contact/pairs/tiles.h"

#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/pair_lists.h"
#include "pliant/contact/pairs/pair_rules.h"
#include "pliant/geometry/box_tree.h"
#include "pliant/math/svd3.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace pliant {

namespace {

constexpr int kPointsPerTile = 32;
constexpr Real kSameRow = Real(1e-4);  // of the extent of a part: points nearer than this are in one row
constexpr double kFlat = 0.25;         // of the second extent: a tile with a smaller third one is flat
constexpr double kStraight = 0.05;     // of the first extent: one with a smaller second one is straight
constexpr double kPlane = 1e-4;        // the same of whole bodies, whose tiles then share its axes
constexpr Real kInfinite = std::numeric_limits<Real>::infinity();

/// A feature in the coordinates of a tile.
struct Placed {
    std::array<int, 3> point;
    int corners;
    Vec3 x[3];
    Box box;
};

/// Of a tile.
struct Features {
    std::vector<Placed> vertices, edges, triangles;
    Box box{};
};

struct Members {
    std::vector<int> points, vertices, edges, triangles;
};

Real distance_of(const Box& a, const Box& b)
{
    Vec3 apart{};
    for (int k = 0; k < 3; ++k) apart[k] = std::max({a.low[k] - b.high[k], b.low[k] - a.high[k], Real(0)});
    return apart.norm();
}

using Flat = std::array<double, 2>;

double area(const Flat& a, const Flat& b, const Flat& c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// The corners of the hull, counterclockwise (Andrew's monotone chain).
std::vector<Flat> hull_of(std::vector<Flat> points)
{
    std::ranges::sort(points);
    std::vector<Flat> hull;
    for (int side = 0; side < 2; ++side) {
        const std::size_t first = hull.size();
        for (const Flat& p : points) {
            while (hull.size() >= first + 2 && area(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
            hull.push_back(p);
        }
        hull.pop_back();
        std::ranges::reverse(points);
    }
    return hull;
}

/// Whether points lie beyond one side of a convex polygon, or on it.
bool are_beside(const std::vector<Flat>& polygon, const std::vector<Flat>& points, double rounding)
{
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Flat &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
        const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
        if (std::ranges::all_of(points, [&](const Flat& p) { return area(a, b, p) <= rounding * length; })) return true;
    }
    return false;
}

/// Whether triangles cover a convex part of the plane of two axes, each place once: they are turned the same way, and their
/// boundary is that of the hull. Then the straight line between any two of their points lies in them.
bool is_convex_sheet(const ContactSurface& surface, const std::vector<int>& triangles, const Vec3 axis[3])
{
    constexpr double kAreaRounding = 1e-4;  // of the hull
    if (triangles.empty()) return false;
    const auto flat = [&](int p) {
        const Vec3d x = surface.rest[p].cast<double>();
        return Flat{axis[0].cast<double>().dot(x), axis[1].cast<double>().dot(x)};
    };
    std::vector<Flat> points;
    std::map<std::pair<int, int>, int> sides;  // how often each is passed, in either direction
    double covered = 0, absolute = 0;
    for (const int t : triangles) {
        const auto& point = surface.triangles[t].point;
        for (std::size_t k = 0; k < 3; ++k) {
            points.push_back(flat(point[k]));
            ++sides[{point[k], point[(k + 1) % 3]}];
        }
        const double signed_area = area(flat(point[0]), flat(point[1]), flat(point[2]));
        covered += signed_area;
        absolute += std::abs(signed_area);
    }
    const std::vector<Flat> hull = hull_of(points);
    if (hull.size() < 3 || std::abs(std::abs(covered) - absolute) > 1e-9 * absolute) return false;
    double whole = 0;
    for (std::size_t k = 1; k + 1 < hull.size(); ++k) whole += area(hull[0], hull[k], hull[k + 1]);
    if (std::abs(absolute - whole) > kAreaRounding * whole) return false;
    for (const auto& [side, times] : sides) {
        if (times > 1) return false;
        if (sides.contains({side.second, side.first})) continue;
        const Flat a = flat(side.first), b = flat(side.second);
        for (const Flat& corner : hull)
            if (std::copysign(1., covered) * area(a, b, corner) < -kAreaRounding * whole) return false;
    }
    return true;
}

class TileMaker {
  public:
    TileMaker(const ContactSurface& surface, std::span<const Real> reach) : surface_(surface), reach_(reach)
    {
        tile_of_.assign(static_cast<std::size_t>(surface.points()), -1);
        features_.resize(static_cast<std::size_t>(surface.bodies));
        for (int v = 0; v < size_of(surface.vertices); ++v) features_[surface.vertices[v].body].vertices.push_back(v);
        for (int e = 0; e < size_of(surface.edges); ++e) features_[surface.edges[e].body].edges.push_back(e);
        for (int t = 0; t < size_of(surface.triangles); ++t)
            features_[surface.triangles[t].body].triangles.push_back(t);
    }

    Tiles make()
    {
        out_.bodies.resize(static_cast<std::size_t>(surface_.bodies));
        out_.of_edge.resize(surface_.edges.size());
        out_.of_triangle.resize(surface_.triangles.size());
        for (int b = 0; b < surface_.bodies; ++b) {
            TiledBody& body = out_.bodies[b];
            body.first_tile = size_of(out_.tiles);
            body.range = surface_.ranges[b];
            if (body.range.count > 0) add_soft(b, body);
            else add_rigid(b, body);
            body.tiles = size_of(out_.tiles) - body.first_tile;
        }
        return std::move(out_);
    }

  private:
    void add_rigid(int b, TiledBody& body)
    {
        for (const int v : features_[b].vertices) {
            const int carried = surface_.vertices[v].point - surface_.particles;
            body.rigid = surface_.carried[carried].body;
            if (body.carried == 0 || carried < body.first_carried) body.first_carried = carried;
            ++body.carried;
            body.distance = std::max(body.distance, 2 * reach_[surface_.vertices[v].point]);
        }
        Tile tile;
        tile.body = b;
        tile.first_near = size_of(out_.near);
        name_tile(features_[b], size_of(out_.tiles));
        out_.tiles.push_back(tile);
    }
    void name_tile(const Members& members, int tile)
    {
        for (const int e : members.edges) out_.of_edge[e] = tile;
        for (const int t : members.triangles) out_.of_triangle[t] = tile;
    }

    void add_soft(int b, TiledBody& body)
    {
        measure(b, body);
        std::vector<int> points = points_of(b, body);
        members_.assign(1, {});
        members_[0] = features_[b];
        members_[0].points = points;
        body.whole = make_tile(b, members_[0], kPlane, kPlane);
        const bool shared = body.whole.dimensions < 3;

        std::vector<std::vector<int>> parts;
        split(points, parts);
        members_.assign(parts.size(), {});
        for (int t = 0; t < size_of(parts); ++t)
            for (const int p : parts[t]) tile_of_[p] = t;
        share_out(b);
        for (int t = 0; t < size_of(parts); ++t) {
            join(parts[t], members_[t]);
            name_tile(members_[t], size_of(out_.tiles));
            Tile tile = make_tile(b, members_[t], kFlat, kStraight, shared ? &body.whole : nullptr);
            out_.tiles.push_back(tile);
        }
        find_near(body);
        if (is_convex_sheet(surface_, features_[b].triangles, body.whole.axis)) add_rings(body);
    }

    /// Features of a body that lies in a plane or on a line are as far apart in it as they are in space.
    void find_near(TiledBody& body)
    {
        std::vector<Box> boxes(members_.size());
        for (std::size_t t = 0; t < members_.size(); ++t) boxes[t] = rest_box(members_[t].points);
        BoxTree tree(size_of(boxes));
        tree.refit([&](int t) { return boxes[t]; });
        placed_.resize(members_.size());
        for (std::size_t t = 0; t < members_.size(); ++t) placed_[t] = place_all(body.whole, members_[t]);
        std::vector<std::vector<NearTile>> near(members_.size());
        std::vector<Real> least(members_.size(), kInfinite);
        parallel_for(size_of(boxes), 1, [&](int begin, int end) {
            for (int t = begin; t < end; ++t) {
                const Real around = std::max(body.horizon, (boxes[t].high - boxes[t].low).norm() / 2);
                const Vec3 more{around, around, around};
                tree.find({boxes[t].low - more, boxes[t].high + more}, 0, [&](int other) {
                    const Tile& tile = out_.tiles[body.first_tile + t];
                    const bool common = tile.dimensions == body.whole.dimensions;  // or turned only
                    const Real apart = other < t ? 0 : least_gap(t, other, placed_, placed_, body.horizon);
                    Real own = apart;
                    if (!common) {
                        std::vector<Features> in_tile(2);
                        in_tile[0] = place_all(tile, members_[t]);
                        if (other != t) in_tile[1] = place_all(tile, members_[other]);
                        own = least_gap(0, other == t ? 0 : 1, in_tile, in_tile, body.horizon);
                    }
                    near[t].push_back({body.first_tile + other, own});
                    if (other >= t) least[t] = std::min(least[t], apart);
                });
            }
        });
        copy_common(body, near);
        // others are further apart
        body.whole_near = {0, std::min(std::ranges::min(least), members_.size() > 1 ? body.horizon : kInfinite)};
        for (std::size_t t = 0; t < near.size(); ++t) {
            Tile& tile = out_.tiles[static_cast<std::size_t>(body.first_tile) + t];
            tile.first_near = size_of(out_.near);
            tile.nears = size_of(near[t]);
            out_.near.insert(out_.near.end(), near[t].begin(), near[t].end());
        }
    }

    /// In coordinates that two tiles have in common the distance is the same both ways.
    void copy_common(const TiledBody& body, std::vector<std::vector<NearTile>>& near) const
    {
        for (int t = 0; t < size_of(near); ++t) {
            if (out_.tiles[body.first_tile + t].dimensions != body.whole.dimensions) continue;
            for (NearTile& n : near[t]) {
                const int other = n.other - body.first_tile;
                if (other >= t) continue;
                const Tile& with = out_.tiles[n.other];
                n.least = with.dimensions == body.whole.dimensions
                              ? std::ranges::find(near[other], body.first_tile + t, &NearTile::other)->least
                              : least_gap(other, t, placed_, placed_, body.horizon);
            }
        }
    }

    /// The tiles around each that are at most an edge away from it, in the plane of the sheet, and the triangles of all.
    void add_rings(TiledBody& body)
    {
        std::vector<Box> boxes(members_.size());
        for (std::size_t t = 0; t < members_.size(); ++t) boxes[t] = place_all(body.whole, members_[t]).box;
        for (int t = 0; t < body_tiles(body); ++t)
            if (out_.tiles[body.first_tile + t].count > kMostTilePoints) return;
        BoxTree tree(size_of(boxes));
        tree.refit([&](int t) { return boxes[t]; });
        for (int t = 0; t < body_tiles(body); ++t) {
            Tile& tile = out_.tiles[body.first_tile + t];
            add_rows(members_[t].triangles, tile);
            tile.first_ring = size_of(out_.ring);
            tree.find(grown(boxes[t], body.edge), 0, [&](int k) { out_.ring.push_back(body.first_tile + k); });
            tile.ring = size_of(out_.ring) - tile.first_ring;
            for (int k = tile.first_near; k < tile.first_near + tile.nears; ++k)
                out_.near[k].in_ring = is_in_ring(body, t, out_.near[k].other - body.first_tile, tree);
        }
    }
    int body_tiles(const TiledBody& body) const { return size_of(out_.tiles) - body.first_tile; }
    /// Whether all triangles in the hull of two tiles are in the ring of the first.
    bool is_in_ring(const TiledBody& body, int t, int other, const BoxTree& tree) const
    {
        const Tile& tile = out_.tiles[body.first_tile + t];
        const auto ring = std::span(out_.ring).subspan(tile.first_ring, tile.ring);
        std::vector<Flat> points;
        for (const int of : {t, other})
            for (const int p : members_[of].points) points.push_back(flat(p, body.whole));
        const std::vector<Flat> hull = hull_of(points);
        bool all = true;
        tree.find(pliant::join(tree.box(t), tree.box(other)), 0, [&](int k) {
            if (!all || std::ranges::find(ring, body.first_tile + k) != ring.end()) return;
            for (const int triangle : members_[k].triangles) {
                const auto& [p, q, r] = surface_.triangles[triangle].point;
                std::vector<Flat> corners{flat(p, body.whole), flat(q, body.whole), flat(r, body.whole)};
                if (area(corners[0], corners[1], corners[2]) < 0) std::swap(corners[1], corners[2]);
                const double rounding = 1e-4 * static_cast<double>(body.edge);
                all = all && (are_beside(hull, corners, rounding) || are_beside(corners, hull, rounding));
            }
        });
        return all;
    }
    Flat flat(int p, const Tile& axes) const
    {
        const Vec3 x = surface_.rest[p];
        return {static_cast<double>(axes.axis[0].dot(x)), static_cast<double>(axes.axis[1].dot(x))};
    }
    void add_rows(const std::vector<int>& triangles, Tile& tile)
    {
        tile.first_row = size_of(out_.rows);
        const auto points = std::span(out_.point).subspan(tile.first, tile.count);
        for (std::size_t first = 0; first < triangles.size(); first += kLanes) {
            TileRow& row = out_.rows.emplace_back();
            for (int l = 0; l < kLanes; ++l) {  // the last is repeated
                const auto& point = surface_.triangles[triangles[std::min(first + l, triangles.size() - 1)]].point;
                for (std::size_t k = 0; k < 3; ++k)
                    row.corner[k][l] = static_cast<int>(std::ranges::lower_bound(points, point[k]) - points.begin());
                const Vec3 p = surface_.rest[point[1]] - surface_.rest[point[0]];
                const Vec3 q = surface_.rest[point[2]] - surface_.rest[point[0]];
                const Real pu = tile.axis[0].dot(p), pw = tile.axis[1].dot(p), qu = tile.axis[0].dot(q),
                           qw = tile.axis[1].dot(q), inverse = 1 / (pu * qw - pw * qu);
                row.of_p[0].set(l, qw * inverse);
                row.of_q[0].set(l, -pw * inverse);
                row.of_p[1].set(l, -qu * inverse);
                row.of_q[1].set(l, pu * inverse);
            }
        }
        tile.rows = size_of(out_.rows) - tile.first_row;
    }

    void measure(int b, TiledBody& body) const
    {
        double sum = 0;
        for (const int e : features_[b].edges) {
            const ContactSurface::Edge& edge = surface_.edges[e];
            sum += static_cast<double>(edge.a == edge.b ? reach_[edge.a]
                                                        : (surface_.rest[edge.a] - surface_.rest[edge.b]).norm());
        }
        if (!features_[b].edges.empty()) body.edge = static_cast<Real>(sum / size_of(features_[b].edges));
        for (const int v : features_[b].vertices)
            body.distance = std::max(body.distance, 2 * reach_[surface_.vertices[v].point]);
        body.horizon = std::max(body.edge, body.distance);
    }

    /// Those inside a solid as well: its tiles are then as deep as they are wide.
    std::vector<int> points_of(int b, const TiledBody& body) const
    {
        std::vector<int> points;
        const Members& features = features_[b];
        if (!features.triangles.empty() && body.range.count > size_of(features.vertices)) {
            for (int p = body.range.first; p < body.range.end(); ++p) points.push_back(p);
            return points;
        }
        for (const int v : features.vertices) points.push_back(surface_.vertices[v].point);
        return points;
    }

    /// Halves them across the longest extent until few are left.
    void split(std::span<int> points, std::vector<std::vector<int>>& parts) const
    {
        if (size_of(points) <= kPointsPerTile) {
            parts.emplace_back(points.begin(), points.end());
            return;
        }
        const Box box = rest_box(points);
        const Vec3 extent = box.high - box.low;
        const int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
        auto middle = points.size() / 2;
        std::ranges::nth_element(points, points.begin() + static_cast<std::ptrdiff_t>(middle), [&](int a, int c) {
            const Real x = surface_.rest[a][axis], y = surface_.rest[c][axis];
            return x != y ? x < y : a < c;
        });
        // a row of a grid stays together: tiles are then as convex as they can be
        const Real most = surface_.rest[points[middle]][axis] - kSameRow * extent[axis];
        const auto rest = std::ranges::partition(points, [&](int p) { return surface_.rest[p][axis] < most; });
        const std::size_t below = points.size() - rest.size();
        if (4 * below > points.size()) middle = below;
        std::ranges::sort(points.first(middle));
        std::ranges::sort(points.subspan(middle));
        split(points.first(middle), parts);
        split(points.subspan(middle), parts);
    }

    /// Each feature goes to the lowest tile at its corners.
    void share_out(int b)
    {
        for (const int v : features_[b].vertices) members_[tile_of_[surface_.vertices[v].point]].vertices.push_back(v);
        for (const int e : features_[b].edges) {
            const auto& [p, q, body] = surface_.edges[e];
            members_[std::min(tile_of_[p], tile_of_[q])].edges.push_back(e);
        }
        for (const int t : features_[b].triangles) {
            const auto& [p, q, r] = surface_.triangles[t].point;
            members_[std::min({tile_of_[p], tile_of_[q], tile_of_[r]})].triangles.push_back(t);
        }
    }
    void join(const std::vector<int>& own, Members& members) const
    {
        members.points = own;
        for (const int e : members.edges)
            members.points.insert(members.points.end(), {surface_.edges[e].a, surface_.edges[e].b});
        for (const int t : members.triangles)
            for (const int p : surface_.triangles[t].point) members.points.push_back(p);
        std::ranges::sort(members.points);
        const auto rest = std::ranges::unique(members.points);
        members.points.erase(rest.begin(), rest.end());
    }

    Box rest_box(std::span<const int> points) const
    {
        Box box{surface_.rest[points[0]], surface_.rest[points[0]]};
        for (const int p : points) box = pliant::join(box, {surface_.rest[p], surface_.rest[p]});
        return box;
    }

    Tile make_tile(int b, const Members& members, double flat, double straight, const Tile* whole = nullptr)
    {
        Tile tile;
        tile.body = b;
        tile.first = size_of(out_.point);
        tile.count = size_of(members.points);
        Vec3d middle{};
        for (const int p : members.points) middle += surface_.rest[p].cast<double>();
        middle = (1. / tile.count) * middle;
        tile.middle = middle.cast<Real>();
        if (whole != nullptr) std::ranges::copy(whole->axis, tile.axis);
        else set_axes(members.points, tile);
        add_coordinates(members.points, tile);
        const Vec3 h = tile.half;
        tile.dimensions = h.y <= static_cast<Real>(straight) * h.x ? 1 : h.z <= static_cast<Real>(flat) * h.y ? 2 : 3;
        if (whole != nullptr) tile.dimensions = whole->dimensions;
        set_moments(tile);
        return tile;
    }

    void set_axes(std::span<const int> points, Tile& tile) const
    {
        Mat3d moments{};
        for (const int p : points) {
            const Vec3d d = (surface_.rest[p] - tile.middle).cast<double>();
            moments += Mat3d::outer(d, d);
        }
        const auto svd = signed_svd(moments);
        std::array<int, 3> order{0, 1, 2};
        std::ranges::sort(order, [&](int a, int c) { return std::abs(svd.s[a]) > std::abs(svd.s[c]); });
        for (std::size_t k = 0; k < 3; ++k) tile.axis[k] = svd.u.c[order[k]].cast<Real>();
    }

    void add_coordinates(const std::vector<int>& points, Tile& tile)
    {
        const std::size_t padded = (points.size() + kLanes - 1) / kLanes * kLanes;
        for (std::size_t i = 0; i < padded; ++i) {
            const int p = points[std::min(i, points.size() - 1)];
            out_.point.push_back(p);
            for (int k = 0; k < 3; ++k) {
                const Real u = tile.axis[k].dot(surface_.rest[p] - tile.middle);
                out_.u[k].push_back(u);
                tile.half[k] = std::max(tile.half[k], std::abs(u));
            }
        }
    }

    void set_moments(Tile& tile) const
    {
        for (int k = 0; k < tile.dimensions; ++k) {
            double moment = 0;
            for (int i = tile.first; i < tile.first + tile.count; ++i) {
                const auto u = static_cast<double>(out_.u[k][i]);
                moment += u * u;
            }
            tile.per_moment[k] = moment > 0 ? static_cast<Real>(1 / moment) : 0;
        }
    }

    Placed place(const Tile& tile, std::initializer_list<int> points) const
    {
        Placed placed{};
        for (const int p : points) {
            Vec3& x = placed.x[placed.corners];
            for (int k = 0; k < tile.dimensions; ++k) x[k] = tile.axis[k].dot(surface_.rest[p] - tile.middle);
            placed.box = placed.corners == 0 ? Box{x, x} : pliant::join(placed.box, {x, x});
            placed.point[placed.corners++] = p;
        }
        return placed;
    }
    Features place_all(const Tile& tile, const Members& of) const
    {
        Features all;
        for (const int v : of.vertices) all.vertices.push_back(place(tile, {surface_.vertices[v].point}));
        for (const int e : of.edges) all.edges.push_back(place(tile, {surface_.edges[e].a, surface_.edges[e].b}));
        for (const int t : of.triangles) {
            const auto& [p, q, r] = surface_.triangles[t].point;
            all.triangles.push_back(place(tile, {p, q, r}));
        }
        all.box = place(tile, {of.points[0]}).box;
        for (const int p : of.points) all.box = pliant::join(all.box, place(tile, {p}).box);
        return all;
    }

    /// Of two features of one body, up to the horizon; infinite if they have a common corner or may not touch.
    template <PairKind kind>
    Real gap_of(const Placed& a, const Placed& b, Real horizon) const
    {
        for (int i = 0; i < a.corners; ++i)
            for (int j = 0; j < b.corners; ++j)
                if (a.point[i] == b.point[j]) return kInfinite;
        if (!overlap(a.box, b.box, horizon)) return horizon;
        Vec3 x[4];
        std::copy_n(a.x, a.corners, x);
        std::copy_n(b.x, b.corners, x + a.corners);
        if (kind == PairKind::edge_edge && a.point[0] == a.point[1] && b.point[0] == b.point[1]) {
            const Real apart = kMinBallSpacing / kReach * (reach_[a.point[0]] + reach_[b.point[0]]);
            if ((surface_.rest[a.point[0]] - surface_.rest[b.point[0]]).squared_norm() < apart * apart)
                return kInfinite;
        }
        return std::min(closest<kind>(x).gap, horizon);
    }

    template <PairKind kind>
    Real least_gap(const std::vector<Placed>& from, const Box& box, const std::vector<Placed>& to, const Box& other,
                   Real horizon) const
    {
        Real least = kInfinite;
        std::vector<const Placed*> near;
        for (const Placed& q : to)
            if (overlap(q.box, box, horizon)) near.push_back(&q);
        for (const Placed& p : from) {
            if (!overlap(p.box, other, horizon)) continue;
            for (const Placed* q : near)
                if (least > 0) least = std::min(least, gap_of<kind>(p, *q, horizon));
        }
        return least;
    }
    Real least_gap(int first, int second, const std::vector<Features>& of_first, const std::vector<Features>& of_second,
                   Real horizon) const
    {
        const Features &a = of_first[first], &b = of_second[second];
        Real least = first != second ? horizon : kInfinite;  // of one tile all pairs are looked at
        if (!overlap(a.box, b.box, horizon)) return std::max(horizon, distance_of(a.box, b.box));
        least = std::min(least, least_gap<PairKind::edge_edge>(a.edges, a.box, b.edges, b.box, horizon));
        least = std::min(least, least_gap<PairKind::vertex_triangle>(a.vertices, a.box, b.triangles, b.box, horizon));
        if (first == second) return least;
        return std::min(least, least_gap<PairKind::vertex_triangle>(b.vertices, b.box, a.triangles, a.box, horizon));
    }

    const ContactSurface& surface_;
    std::span<const Real> reach_;
    std::vector<int> tile_of_;       // per point: in its body
    std::vector<Members> features_;  // per body
    std::vector<Members> members_;   // per tile of a body
    std::vector<Features> placed_;   // the same, in the coordinates of the whole body
    Tiles out_;
};

}  // namespace

Tiles make_tiles(const ContactSurface& surface, std::span<const Real> reach)
{
    return TileMaker(surface, reach).make();
}

}  // namespace pliant
