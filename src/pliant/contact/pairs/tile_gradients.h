#pragma once
// A second proof that tiles of a sheet do not touch themselves, for deformations that vary within a tile: with F the
// deformation gradient of the triangles and A the map of a tile, two points at a distance r at rest are at least
// (s - max |F - A|) r apart, seen in the plane that A spans, if the straight line between them at rest lies in the mesh and its
// triangles are among those measured. It does in a sheet that is convex at rest; the triangles are those of the tiles around.

#include "pliant/contact/pairs/tile_fit.h"

namespace pliant {

/// The largest |F - A| of a tile's triangles, at x + t v: its part in the plane of A, and beside it. Infinite where it is not known.
void measure_gradients(const Tiles& tiles, const Tile& tile, std::span<const Vec3> x, std::span<const Vec3> v, Real t,
                       TileFit& fit);

/// What the tiles around one differ from its map, over a motion.
struct RingBound {
    Real inside, beside;
};
RingBound bound_ring(const Tiles& tiles, const Tile& tile, std::span<const TileMotion> motions);

/// As slack_of, for a tile near this one that is in its ring.
Real slack_in_ring(const Tile& tile, const TileMotion& motion, const RingBound& ring, const NearTile& near,
                   Real distance);

}  // namespace pliant
