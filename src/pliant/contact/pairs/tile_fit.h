#pragma once
// How far the points of a tile are from an affine map of its rest shape.

#include "pliant/contact/pairs/tiles.h"
#include "pliant/math/lanes.h"

#include <limits>
#include <span>

namespace pliant {

/// x_i = b + sum a_k u_ki + e_i, at one time.
struct TileFit {
    Vec3 b, a[3];
    Vec3 across;        // of a flat tile its normal, of a straight one its direction
    Real smallest = 0;  // no singular value of the map is smaller
    Real inside = 0;    // the largest part of e in the space that the map spans [m],
    Real beside = 0;    // and of the rest of e [m]
    // the same of the gradients of its triangles, less the map; infinite if they are not known (tile_gradients.h)
    Real gradient_inside = std::numeric_limits<Real>::infinity(), gradient_beside = gradient_inside;
    Vec3 low, high;  // around the points [m]
};

/// Of the points at x + t v.
TileFit fit_tile(const Tiles& tiles, const Tile& tile, std::span<const Vec3> x, std::span<const Vec3> v, Real t);

/// A tile at both ends of a straight motion of its points.
struct TileMotion {
    TileFit at[2];
};

/// The smallest singular value of its map at any time of the motion, and how far the map turns.
struct MapRange {
    Real smallest, turned;
};
MapRange range_of_map(const Tile& tile, const TileMotion& motion);

/// Features of one body keep this share of their distance at rest.
inline constexpr Real kKeptAtRest = Real(0.5);

/// How far all points may be from that motion, in any direction, so that no two features of a tile and of one near it have
/// come nearer than half of their distance at rest, or than `distance`, at any time of it [m]; negative if they may have
/// anyhow. `near.least` is in the coordinates of the first.
Real slack_of(const Tile& tile, const TileMotion& motion, const Tile& other, const TileMotion& others,
              const NearTile& near, Real distance);

}  // namespace pliant
