#pragma once
// A chunk of features against a collider, for collider_features.h.

#include "pliant/contact/colliders/collider_features.h"
#include "pliant/geometry/separation.h"

#include <array>
#include <vector>

namespace pliant {

/// A lower bound of the distance to the surface of a shape, for a point in its frame; below zero at most if it is inside.
Real least_distance(const Shape& shape, const Vec3& p);

/// Places are in the frame of the collider, at the start and at the end of the substep.
class ChunkCheck {
  public:
    ChunkCheck(const ColliderFeatures& features, const FeatureChunk& chunk, const PlacedCollider& collider, int which,
               const FeaturePlaces& places, Real share);

    /// Adds the features that come too near.
    void find(std::vector<ColliderHold>& holds) const;

  private:
    using Row = std::array<IndexLanes, 3>;
    /// Eight features; of each the largest radius.
    struct RowPlaces {
        Vector3<Lanes> start[3], now[3];
        Lanes radius;
    };
    RowPlaces places_of(const Row& row) const;
    static bool is_empty(const Row& row, int l);
    unsigned uncertain(const RowPlaces& at) const;
    void find_in_mesh(const Row& row, std::vector<ColliderHold>& holds) const;
    unsigned uncertain(const RowPlaces& at, const std::array<Vec3, 3>& triangle) const;
    bool is_inside(const Row& row, int l) const;

    /// Of a feature and something convex in the frame of the collider: `separate(points)` and `support(n)`. False if they
    /// overlap at the start.
    template <class Separate, class Support>
    bool look(const Row& row, int l, const Separate& separate, const Support& support, int triangle,
              std::vector<ColliderHold>& holds) const;

    const ColliderFeatures& features_;
    const FeatureChunk& chunk_;
    const PlacedCollider& collider_;
    int which_;
    const FeaturePlaces& places_;
    Real share_;
    std::array<Point, 3 * kFeaturesPerChunk> start_, now_;  // per point of the chunk; w is the radius
};

}  // namespace pliant
