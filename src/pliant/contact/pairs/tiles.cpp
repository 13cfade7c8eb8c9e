#include "pliant/contact/pairs/tiles.h"

#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/convex_sheet.h"
#include "pliant/contact/pairs/pair_lists.h"
#include "pliant/contact/pairs/tile_features.h"
#include "pliant/geometry/box_tree.h"
#include "pliant/math/svd3.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pliant {

namespace {

constexpr int kPointsPerTile = 32;
constexpr Real kSameRow = Real(1e-4);  // of the extent of a part: points nearer than this are in one row
constexpr double kFlat = 0.25;         // of the second extent: a tile with a smaller third one is flat
constexpr double kStraight = 0.05;     // of the first extent: one with a smaller second one is straight
constexpr double kPlane = 1e-4;        // the same of whole bodies, whose tiles then share its axes

class TileMaker {
  public:
    TileMaker(const ContactSurface& surface, std::span<const Real> reach)
        : surface_(surface), reach_(reach), at_rest_(surface, reach)
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
    void name_tile(const TileMembers& members, int tile)
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
        body.whole_near = {0, kInfinite};
        if (!surface_.pairing(b, b).on) return;  // nobody asks how near its parts are
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
        for (std::size_t t = 0; t < members_.size(); ++t) placed_[t] = at_rest_.place(body.whole, members_[t]);
        std::vector<std::vector<NearTile>> near(members_.size());
        std::vector<Real> least(members_.size(), kInfinite);
        parallel_for(size_of(boxes), 1, [&](int begin, int end) {
            for (int t = begin; t < end; ++t) {
                const Real around = std::max(body.horizon, (boxes[t].high - boxes[t].low).norm() / 2);
                const Vec3 more{around, around, around};
                tree.find({boxes[t].low - more, boxes[t].high + more}, 0, [&](int other) {
                    const Tile& tile = out_.tiles[body.first_tile + t];
                    const bool common = tile.dimensions == body.whole.dimensions;  // or turned only
                    const Real apart = other < t ? 0 : least_gap(placed_, t, other, body.horizon);
                    Real own = apart;
                    if (!common) {
                        std::vector<PlacedFeatures> in_tile{at_rest_.place(tile, members_[t])};
                        if (other != t) in_tile.push_back(at_rest_.place(tile, members_[other]));
                        own = least_gap(in_tile, 0, size_of(in_tile) - 1, body.horizon);
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

    Real least_gap(const std::vector<PlacedFeatures>& placed, int first, int second, Real horizon) const
    {
        if (first == second) return at_rest_.least_gap(placed[first], horizon);
        return at_rest_.least_gap(placed[first], placed[second], horizon);
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
                              : least_gap(placed_, other, t, body.horizon);
            }
        }
    }

    /// The tiles around each that are at most an edge away from it, in the plane of the sheet, and the triangles of all.
    void add_rings(TiledBody& body)
    {
        std::vector<Box> boxes(members_.size());
        for (std::size_t t = 0; t < members_.size(); ++t) boxes[t] = at_rest_.place(body.whole, members_[t]).box;
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
        const TileMembers& features = features_[b];
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
    void join(const std::vector<int>& own, TileMembers& members) const
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

    Tile make_tile(int b, const TileMembers& members, double flat, double straight, const Tile* whole = nullptr)
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

    const ContactSurface& surface_;
    std::span<const Real> reach_;
    FeaturesAtRest at_rest_;
    std::vector<int> tile_of_;            // per point: in its body
    std::vector<TileMembers> features_;   // per body
    std::vector<TileMembers> members_;    // per tile of a body
    std::vector<PlacedFeatures> placed_;  // the same, in the coordinates of the whole body
    Tiles out_;
};

}  // namespace

Tiles make_tiles(const ContactSurface& surface, std::span<const Real> reach)
{
    return TileMaker(surface, reach).make();
}

}  // namespace pliant
