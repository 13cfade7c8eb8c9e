#pragma once
// Tiles: patches of some dozens of neighbouring points of a body, with the edges and triangles at them. Every feature of
// the contact surface belongs to one tile, and all its corners are points of it. Tiles tell cheaply that nothing can touch:
// far ones by their boxes, those next to each other by how much they are bent (calm.h).
//
// Each has coordinates of its own at rest, along the principal axes of its points. Of a flat tile the third does not count,
// of a straight one the last two.

#include "pliant/contact/pairs/surface.h"
#include "pliant/math/lanes.h"
#include "pliant/shape/points.h"
#include "pliant/state/range.h"

#include <span>
#include <vector>

namespace pliant {

struct Tile {
    int body = 0;                   // of the surface
    int first = 0, count = 0;       // of Tiles::point
    int first_near = 0, nears = 0;  // of Tiles::near
    int first_row = 0, rows = 0;    // of Tiles::rows
    int first_ring = 0, ring = 0;   // of Tiles::ring
    int dimensions = 3;             // coordinates that count
    Vec3 middle;                    // of the points at rest [m]
    Vec3 axis[3];                   // at rest, the longest first
    Vec3 half;                      // extents along these from the middle, at most [m]
    Vec3 per_moment;                // 1 / sum u_k^2 of the coordinates that count [1/m^2]
};

/// Two tiles near each other at rest, or one with itself.
struct NearTile {
    int other;
    /// The least distance at rest, in the coordinates of the first that count, of two features without a common corner that
    /// may touch; no more than TiledBody::horizon [m]. Infinite if there are none.
    Real least;
    bool in_ring = false;  // all between the two is in the ring of the first
};

/// Eight triangles of a flat tile, and how the deformation gradient comes from their edges p and q from the first corner:
/// F_k = of_p[k] p + of_q[k] q.
struct TileRow {
    std::array<IndexLanes, 3> corner;  // of the points of the tile
    Lanes of_p[2], of_q[2];            // [1/m]
};

/// A tile with more has no rows.
inline constexpr int kMostTilePoints = 128;

struct TiledBody {
    int first_tile = 0, tiles = 0;
    Tile whole;  // all points as one tile, with itself as the only one near it; without points for none
    NearTile whole_near{};
    Range range;                         // of its particles; empty for a rigid body
    int rigid = -1;                      // of the world: one tile without points stands for it
    int first_carried = 0, carried = 0;  // of ContactSurface::carried
    Real edge = 0;                       // mean of its edges, or of the radii of its balls [m]
    Real distance = 0;                   // at which two of its features would count as touching, at most [m]
    Real horizon = 0;                    // [m]
};

struct Tiles {
    std::vector<TiledBody> bodies;
    std::vector<Tile> tiles;
    std::vector<int> point;  // per tile its points, the last repeated up to a multiple of eight
    std::vector<Real> u[3];  // their coordinates at rest [m]
    std::vector<NearTile> near;
    std::vector<TileRow> rows;              // of bodies that are flat and convex at rest
    std::vector<int> ring;                  // per tile of these: the tiles around it, and itself
    std::vector<int> of_edge, of_triangle;  // per feature of the surface: its tile

    const NearTile* find_near(const Tile& tile, int other) const
    {
        for (int k = tile.first_near; k < tile.first_near + tile.nears; ++k)
            if (near[k].other == other) return &near[k];
        return nullptr;
    }
};

/// `reach` per point [m].
Tiles make_tiles(const ContactSurface& surface, std::span<const Real> reach);

}  // namespace pliant
