#pragma once
// Features against colliders: triangles, edges of rods and balls, which a convex collider may touch anywhere, not only at
// particles. A feature is certified by a plane: if n . x > h(n) for all its corners at the start and at the end of a substep,
// in the frame of the collider, its straight paths have not met the collider (geometry/support.h). n comes from the nearest
// points at the start, or separates the whole sweep from the collider. Where it fails, the corners have to be moved
// beyond the plane, or back.
//
// Features are looked at in chunks: far ones by a box around start and end, near ones eight at a time with a normal that is
// cheap to find; what that does not certify gets the best plane (geometry/separation.h). A collider with a mesh is as many
// convex colliders as it has triangles.

#include "pliant/contact/colliders/colliders.h"
#include "pliant/contact/pairs/surface.h"
#include "pliant/shape/points.h"
#include "pliant/state/rigid_bodies.h"

#include <span>
#include <vector>

namespace pliant {

inline constexpr int kFeaturesPerChunk = 64;

struct FeatureChunk {
    int first_row = 0, rows = 0;      // of eight features
    int first_point = 0, points = 0;  // of ColliderFeatures::points
};

struct ColliderFeatures {
    struct Body {
        int body = 0;             // of the surface
        int first = 0, last = 0;  // its points, and what is between them
        int first_chunk = 0, chunks = 0;
    };
    std::vector<Body> bodies;
    std::vector<FeatureChunk> chunks;
    std::vector<std::array<IndexLanes, 3>> rows;  // corners, counted from the first point of their chunk
    std::vector<int> points;                      // of the surface; per chunk, none of them twice
};

/// Of all bodies but rigid ones that are convex: these are looked at as a whole.
ColliderFeatures make_collider_features(const ContactSurface& surface, const RigidBodies& rigids);

/// A feature that comes nearer to a collider than it may.
struct ColliderHold {
    int collider;
    int point[3];    // of an edge the last two are equal, of a ball all
    Vec3 n;          // of the plane at the end of the substep, away from the collider
    Real offset;     // n . x of the plane that touches the collider [m]
    Real clearance;  // at the start: of all corners from the plane [m]
    Real left;       // the same at the end [m]
    Real radius;     // the largest of the corners [m]
    Real w[3];       // the nearest point at the start is the sum of w_i x_i
    int triangle;    // of a collider with a mesh; -1 for convex ones
};

/// What colliders see of the features.
struct FeaturePlaces {
    const ContactSurface& surface;
    std::span<const Point> start, now;  // per point of the surface, relative to the origins
    std::span<const Real> radius;       // the same [m]
    Vec3 start_origin, origin;
};

struct NearColliders {
    std::vector<std::pair<int, int>> near;         // chunks and colliders that may meet in this substep
    std::vector<std::vector<ColliderHold>> parts;  // per pair of these
};

/// Finds chunks that may meet a collider between start and end of the substep.
void find_near_colliders(const ColliderFeatures& features, std::span<const PlacedCollider> colliders,
                         const Particles& particles, const RigidBodies& rigids, const ContactSurface& surface,
                         NearColliders& near);

/// Of those near, all features that come nearer than `share` of their radius; a feature that overlaps a collider at the
/// start is left to the particle contacts.
void find_holds(const ColliderFeatures& features, std::span<const PlacedCollider> colliders,
                const FeaturePlaces& places, Real share, NearColliders& near);

}  // namespace pliant
