#pragma once
// Which features pass into colliders: a measurement, not part of the step.

#include "pliant/contact/colliders/collider_crossing.h"
#include "pliant/contact/colliders/collider_features.h"

namespace pliant {

/// Features that overlap a collider by more than the rounding of coordinates, and convex rigid bodies that do so by
/// more than contact leaves (rigid_holds.h). Features with a pinned point do not count: they are where they were put.
std::vector<ColliderCrossing> find_collider_crossings(const ColliderFeatures& features,
                                                      std::span<const PlacedCollider> colliders,
                                                      const ContactSurface& surface, const Particles& particles,
                                                      const RigidBodies& rigids);

}  // namespace pliant
