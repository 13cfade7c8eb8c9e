#include "pliant/contact/pairs/tile_gradients.h"

#include "pliant/contact/pairs/pair_kernels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pliant {

namespace {

/// The larger singular value of a map of the plane into space, squared.
template <class S>
PLIANT_INLINE S larger_square(const Vector3<S>& a, const Vector3<S>& b)
{
    const S aa = a.squared_norm(), bb = b.squared_norm(), ab = a.dot(b), half = S(Real(0.5)) * (aa - bb);
    return S(Real(0.5)) * (aa + bb) + sqrt(half * half + ab * ab);
}

struct Difference {
    Real inside, beside;
};

/// Of the maps of two tiles with the same axes, and what the triangles of the second add; seen from the first.
Difference difference(const TileFit& fit, const TileFit& other)
{
    Real inside = 0, beside = 0;
    for (int k = 0; k < 2; ++k) {
        const Vec3 d = other.a[k] - fit.a[k];
        const Real along = d.dot(fit.across);
        inside += (d - along * fit.across).squared_norm();
        beside += along * along;
    }
    const Real cosine = fit.across.dot(other.across), sine = std::sqrt(std::max(1 - cosine * cosine, Real(0)));
    return {std::sqrt(inside) + other.gradient_inside + sine * other.gradient_beside,
            std::sqrt(beside) + sine * other.gradient_inside + other.gradient_beside};
}

}  // namespace

void measure_gradients(const Tiles& tiles, const Tile& tile, std::span<const Vec3> x, std::span<const Vec3> v, Real t,
                       TileFit& fit)
{
    std::array<Point, kMostTilePoints> place;
    const Vec3 origin = x[tiles.point[tile.first]];
    for (int i = 0; i < tile.count; ++i) {
        const int p = tiles.point[tile.first + i];
        place[i] = point_at(x[p] - origin + t * v[p], 0);
    }
    const Vector3<Lanes> across = spread(fit.across), a = spread(fit.a[0]), b = spread(fit.a[1]);
    Lanes inside(0), beside(0);
    for (int r = tile.first_row; r < tile.first_row + tile.rows; ++r) {
        const TileRow& row = tiles.rows[r];
        const Vector3<Lanes> first = gather(place.data(), row.corner[0].data()).x;
        const Vector3<Lanes> p = gather(place.data(), row.corner[1].data()).x - first;
        const Vector3<Lanes> q = gather(place.data(), row.corner[2].data()).x - first;
        Vector3<Lanes> f = row.of_p[0] * p + row.of_q[0] * q - a, g = row.of_p[1] * p + row.of_q[1] * q - b;
        const Lanes fn = across.dot(f), gn = across.dot(g);
        f -= fn * across;
        g -= gn * across;
        inside = max(inside, larger_square(f, g));
        beside = max(beside, fn * fn + gn * gn);
    }
    constexpr Real kRounding = Real(1e-4);
    fit.gradient_inside = std::sqrt(largest(inside)) + kRounding;
    fit.gradient_beside = std::sqrt(largest(beside)) + kRounding;
}

RingBound bound_ring(const Tiles& tiles, const Tile& tile, std::span<const TileMotion> motions)
{
    RingBound bound{0, 0};
    const auto self = static_cast<std::size_t>(&tile - tiles.tiles.data());
    for (int k = tile.first_ring; k < tile.first_ring + tile.ring; ++k) {
        for (int end = 0; end < 2; ++end) {
            const Difference d = difference(motions[self].at[end], motions[tiles.ring[k]].at[end]);
            bound.inside = std::max(bound.inside, d.inside);
            bound.beside = std::max(bound.beside, d.beside);
        }
    }
    return bound;
}

Real slack_in_ring(const Tile& tile, const TileMotion& motion, const RingBound& ring, const NearTile& near,
                   Real distance)
{
    const MapRange map = range_of_map(tile, motion);
    if (!(map.smallest > 0)) return -1;
    const Real kept = map.smallest - ring.inside - ring.beside * map.turned / map.smallest;
    return std::max((kept - kKeptAtRest) * near.least, kept * near.least - distance) / 2;
}

}  // namespace pliant
