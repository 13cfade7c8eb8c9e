#include "pliant/contact/pairs/tile_fit.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr Real kRoundingShare = Real(0.9999);  // of a singular value, for rounding

/// Eight points from number i of the lists on, at x + t v from an origin.
class Places {
  public:
    Places(const Tiles& tiles, std::span<const Vec3> x, std::span<const Vec3> v, Real t, const Vec3& origin)
        : tiles_(tiles), x_(x), v_(v), t_(t), origin_(origin)
    {}
    Vector3<Lanes> operator[](int i) const
    {
        Vector3<Lanes> p;
        for (int l = 0; l < kLanes; ++l) set_lane(p, l, at(tiles_.point[i + l]));
        return p;
    }
    Vec3 at(int point) const { return x_[point] - origin_ + t_ * v_[point]; }

  private:
    const Tiles& tiles_;
    std::span<const Vec3> x_, v_;
    Real t_;
    Vec3 origin_;
};

int end_of(const Tile& tile) { return tile.first + (tile.count + kLanes - 1) / kLanes * kLanes; }

Vec3 sum_of(const Vector3<Lanes>& a) { return {sum(a.x), sum(a.y), sum(a.z)}; }

void find_map(const Tiles& tiles, const Tile& tile, const Places& places, TileFit& fit)
{
    Vector3<Lanes> all{}, along[3];
    Vector3<Lanes> low = places[tile.first], high = low;
    const int end = end_of(tile);
    for (int i = tile.first; i < end; i += kLanes) {
        const Vector3<Lanes> p = places[i];
        all += p;
        for (int k = 0; k < tile.dimensions; ++k) along[k] += load(&tiles.u[k][i]) * p;
        for (int k = 0; k < 3; ++k) {
            low[k] = min(low[k], p[k]);
            high[k] = max(high[k], p[k]);
        }
    }
    const int last = tile.first + tile.count - 1;  // repeated up to the end
    const Real repeated = static_cast<Real>(end - 1 - last);
    const Vec3 p = places.at(tiles.point[last]);
    fit.b = (sum_of(all) - repeated * p) / static_cast<Real>(tile.count);
    for (int k = 0; k < tile.dimensions; ++k)
        fit.a[k] = tile.per_moment[k] * (sum_of(along[k]) - repeated * tiles.u[k][last] * p);
    for (int k = 0; k < 3; ++k) {
        fit.low[k] = -largest(-low[k]);
        fit.high[k] = largest(high[k]);
    }
}

Vec3 unit_vector(const Vec3& a)
{
    const Real length = a.norm();
    return length > 0 ? a / length : Vec3{};
}

/// The smallest singular value, and what the map spans.
void measure_map(int dimensions, TileFit& fit)
{
    const Vec3* a = fit.a;
    const Real g00 = a[0].squared_norm(), g11 = a[1].squared_norm(), g01 = a[0].dot(a[1]);
    Real square = g00;
    if (dimensions == 2) {
        const Real half = (g00 - g11) / 2;
        square = (g00 + g11) / 2 - std::sqrt(half * half + g01 * g01);
    } else if (dimensions == 3) {  // Gershgorin
        const Real g02 = std::abs(a[0].dot(a[2])), g12 = std::abs(a[1].dot(a[2]));
        square = std::min({g00 - std::abs(g01) - g02, g11 - std::abs(g01) - g12, a[2].squared_norm() - g02 - g12});
    }
    fit.smallest = kRoundingShare * std::sqrt(std::max(square, Real(0)));
    fit.across = dimensions == 1 ? unit_vector(a[0]) : dimensions == 2 ? unit_vector(a[0].cross(a[1])) : Vec3{};
}

void measure_residuals(const Tiles& tiles, const Tile& tile, const Places& places, TileFit& fit)
{
    Lanes inside(0), beside(0);
    const Vector3<Lanes> b = spread(fit.b), across = spread(fit.across);
    const int end = end_of(tile);
    for (int i = tile.first; i < end; i += kLanes) {
        Vector3<Lanes> e = places[i] - b;
        for (int k = 0; k < tile.dimensions; ++k) e -= load(&tiles.u[k][i]) * spread(fit.a[k]);
        const Lanes square = e.squared_norm(), along = across.dot(e), rest = max(square - along * along, Lanes(0));
        inside = max(inside, tile.dimensions == 1 ? along * along : rest);
        beside = max(beside, tile.dimensions == 1 ? rest : along * along);
    }
    fit.inside = std::sqrt(largest(inside));
    fit.beside = std::sqrt(largest(beside));
}

/// The part of a vector in the space that a map spans.
Real inside_of(int dimensions, const TileFit& fit, const Vec3& a)
{
    if (dimensions == 3) return a.norm();
    const Real along = a.dot(fit.across);
    return dimensions == 1 ? std::abs(along) : (a - along * fit.across).norm();
}

struct Residual {
    Real inside, all;
};

/// Of the other tile's points from the map of the first.
Residual residual_of_other(const Tile& tile, const TileFit& fit, const Tile& other, const TileFit& others)
{
    Vec3 shift = others.b - fit.b;
    for (int k = 0; k < tile.dimensions; ++k) shift -= tile.axis[k].dot(other.middle - tile.middle) * fit.a[k];
    Residual sum{inside_of(tile.dimensions, fit, shift), shift.norm()};
    for (int j = 0; j < 3; ++j) {
        Vec3 column = j < other.dimensions ? others.a[j] : Vec3{};
        for (int k = 0; k < tile.dimensions; ++k) column -= tile.axis[k].dot(other.axis[j]) * fit.a[k];
        sum.inside += other.half[j] * inside_of(tile.dimensions, fit, column);
        sum.all += other.half[j] * column.norm();
    }
    const Real cosine = fit.across.dot(others.across);
    const bool both_turn = tile.dimensions < 3 && tile.dimensions == other.dimensions;
    const Real sine = both_turn ? std::sqrt(std::max(1 - cosine * cosine, Real(0))) : Real(1);
    sum.inside += others.inside + sine * others.beside;
    sum.all += others.inside + others.beside;
    return sum;
}

}  // namespace

TileFit fit_tile(const Tiles& tiles, const Tile& tile, std::span<const Vec3> x, std::span<const Vec3> v, Real t)
{
    TileFit fit;
    const Vec3 origin = x[tiles.point[tile.first]];
    const Places places(tiles, x, v, t, origin);
    find_map(tiles, tile, places, fit);
    measure_map(tile.dimensions, fit);
    measure_residuals(tiles, tile, places, fit);
    for (Vec3* p : {&fit.b, &fit.low, &fit.high}) *p += origin;
    return fit;
}

MapRange range_of_map(const Tile& tile, const TileMotion& motion)
{
    Real square = 0;
    for (int k = 0; k < tile.dimensions; ++k) square += (motion.at[1].a[k] - motion.at[0].a[k]).squared_norm();
    const Real turned = std::sqrt(square);
    return {std::min(motion.at[0].smallest, motion.at[1].smallest) - turned / 2, turned};
}

Real slack_of(const Tile& tile, const TileMotion& motion, const Tile& other, const TileMotion& others,
              const NearTile& near, Real distance)
{
    Real inside = 0, beside = 0;
    // in between, the map is between those at the ends, and so are all residuals
    const auto [smallest, turned] = range_of_map(tile, motion);
    if (!(smallest > 0)) return -1;
    for (int end = 0; end < 2; ++end) {
        const TileFit& fit = motion.at[end];
        Residual second{fit.inside, fit.inside + fit.beside};
        if (&tile != &other) second = residual_of_other(tile, fit, other, others.at[end]);
        inside = std::max(inside, fit.inside + second.inside);
        beside = std::max(beside, fit.beside + second.all);
    }
    if (tile.dimensions < 3) inside += beside * turned / smallest;
    const Real half = (smallest - kKeptAtRest) * near.least - inside, apart = smallest * near.least - inside - distance;
    return std::max(half, apart) / 2;
}

}  // namespace pliant
