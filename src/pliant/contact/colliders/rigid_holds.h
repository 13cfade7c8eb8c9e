#pragma once
// Rigid bodies with convex shapes against colliders, of a mesh its triangles: a plane between the two at the start of a substep has to
// separate them at its end too, in the frame of the collider (collider_features.h has the argument). Bodies
// that no joint holds are in islands, whose guard keeps them out of colliders at rest (contact/rigid/rigid_guard.h): of these,
// only those near a mesh or a collider in motion are looked at here.

#include "pliant/contact/colliders/colliders.h"
#include "pliant/state/rigid_bodies.h"

#include <optional>
#include <span>
#include <vector>

namespace pliant {

/// A body that goes deeper into a collider than it may.
struct RigidHold {
    int body, collider;
    Vec3 n;          // of the plane at the end of the substep, away from the collider
    Real clearance;  // from it at the start [m]
    Real left;       // the same at the end [m]
    Real least;      // what has to be left [m]
};

/// Contact leaves bodies this deep in a collider [m]: a thousandth of their extent.
Real allowed_depth(const Shape& shape);
/// A shape that is smaller on all sides [m].
Shape shrunk(Shape shape, Real by);

struct NearRigids {
    std::vector<std::pair<int, int>> near;  // bodies and colliders that may meet in this substep
};

/// `jointed`: per body, whether joints hold it.
void find_near_rigids(const RigidBodies& rigids, std::span<const char> jointed,
                      std::span<const PlacedCollider> colliders, NearRigids& near);

std::optional<RigidHold> check_rigid(const RigidBodies& rigids, int body, const PlacedCollider& collider, int which);

/// After the prediction: bodies that would pass into or through a collider are moved back out of it along the plane's
/// normal, all but a little, so that contact finds them touching.
void stop_rigids_at_colliders(std::span<const char> jointed, std::span<const PlacedCollider> colliders,
                              RigidBodies& rigids);

}  // namespace pliant
