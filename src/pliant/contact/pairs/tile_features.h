#pragma once
// How far apart the features of two tiles are at rest.

#include "pliant/contact/pairs/pair_kernels.h"
#include "pliant/contact/pairs/surface.h"
#include "pliant/contact/pairs/tiles.h"
#include "pliant/geometry/box_tree.h"

#include <array>
#include <initializer_list>
#include <limits>
#include <span>
#include <vector>

namespace pliant {

/// Of what never comes near.
inline constexpr Real kInfinite = std::numeric_limits<Real>::infinity();

/// A feature in the coordinates of a tile.
struct PlacedFeature {
    std::array<int, 3> point;
    int corners;
    Vec3 x[3];
    Box box;
};

/// Of a tile.
struct PlacedFeatures {
    std::vector<PlacedFeature> vertices, edges, triangles;
    Box box{};
};

/// Numbers in the surface: of points that are corners, and of features.
struct TileMembers {
    std::vector<int> points, vertices, edges, triangles;
};

class FeaturesAtRest {
  public:
    /// `reach` per point [m].
    FeaturesAtRest(const ContactSurface& surface, std::span<const Real> reach) : surface_(surface), reach_(reach) {}

    /// All features of a tile in its coordinates, those that count.
    PlacedFeatures place(const Tile& tile, const TileMembers& of) const;

    /// The least distance of two features without a common corner, one of each tile, no more than `horizon` [m].
    Real least_gap(const PlacedFeatures& a, const PlacedFeatures& b, Real horizon) const;
    /// The same of one tile with itself; infinite if there are none.
    Real least_gap(const PlacedFeatures& own, Real horizon) const;

  private:
    PlacedFeature place(const Tile& tile, std::initializer_list<int> points) const;
    template <PairKind kind>
    Real gap_of(const PlacedFeature& a, const PlacedFeature& b, Real horizon) const;
    template <PairKind kind>
    Real least_gap(const std::vector<PlacedFeature>& from, const Box& box, const std::vector<PlacedFeature>& to,
                   const Box& other, Real horizon) const;

    const ContactSurface& surface_;
    std::span<const Real> reach_;
};

}  // namespace pliant
