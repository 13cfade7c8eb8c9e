#include "pliant/contact/pairs/tile_features.h"

#include "pliant/contact/pairs/pair_rules.h"

#include <algorithm>

namespace pliant {

namespace {

Real distance_of(const Box& a, const Box& b)
{
    Vec3 apart{};
    for (int k = 0; k < 3; ++k) apart[k] = std::max({a.low[k] - b.high[k], b.low[k] - a.high[k], Real(0)});
    return apart.norm();
}

}  // namespace

PlacedFeature FeaturesAtRest::place(const Tile& tile, std::initializer_list<int> points) const
{
    PlacedFeature placed{};
    for (const int p : points) {
        Vec3& x = placed.x[placed.corners];
        for (int k = 0; k < tile.dimensions; ++k) x[k] = tile.axis[k].dot(surface_.rest[p] - tile.middle);
        placed.box = placed.corners == 0 ? Box{x, x} : pliant::join(placed.box, {x, x});
        placed.point[placed.corners++] = p;
    }
    return placed;
}

PlacedFeatures FeaturesAtRest::place(const Tile& tile, const TileMembers& of) const
{
    PlacedFeatures all;
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
Real FeaturesAtRest::gap_of(const PlacedFeature& a, const PlacedFeature& b, Real horizon) const
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
        if ((surface_.rest[a.point[0]] - surface_.rest[b.point[0]]).squared_norm() < apart * apart) return kInfinite;
    }
    return std::min(closest<kind>(x).gap, horizon);
}

template <PairKind kind>
Real FeaturesAtRest::least_gap(const std::vector<PlacedFeature>& from, const Box& box,
                               const std::vector<PlacedFeature>& to, const Box& other, Real horizon) const
{
    Real least = kInfinite;
    std::vector<const PlacedFeature*> near;
    for (const PlacedFeature& q : to)
        if (overlap(q.box, box, horizon)) near.push_back(&q);
    for (const PlacedFeature& p : from) {
        if (!overlap(p.box, other, horizon)) continue;
        for (const PlacedFeature* q : near)
            if (least > 0) least = std::min(least, gap_of<kind>(p, *q, horizon));
    }
    return least;
}

Real FeaturesAtRest::least_gap(const PlacedFeatures& a, const PlacedFeatures& b, Real horizon) const
{
    if (!overlap(a.box, b.box, horizon)) return std::max(horizon, distance_of(a.box, b.box));
    const Real least = std::min(horizon, least_gap<PairKind::edge_edge>(a.edges, a.box, b.edges, b.box, horizon));
    return std::min({least, least_gap<PairKind::vertex_triangle>(a.vertices, a.box, b.triangles, b.box, horizon),
                     least_gap<PairKind::vertex_triangle>(b.vertices, b.box, a.triangles, a.box, horizon)});
}

Real FeaturesAtRest::least_gap(const PlacedFeatures& own, Real horizon) const
{
    return std::min(least_gap<PairKind::edge_edge>(own.edges, own.box, own.edges, own.box, horizon),
                    least_gap<PairKind::vertex_triangle>(own.vertices, own.box, own.triangles, own.box, horizon));
}

}  // namespace pliant
