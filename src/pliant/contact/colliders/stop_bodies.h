#pragma once
// Bodies that move by more than a part of their own size in a substep: pushed out of a collider particle by particle they would
// be crushed flat, and elasticity would throw them apart. So the whole body is moved back first, as far as its hull needs.

#include "pliant/contact/colliders/collider_features.h"

namespace pliant {

/// After the prediction: soft bodies that would pass into or through a collider that fast are moved back out of it along the normal
/// of the plane between their hull and the collider at the start.
void stop_bodies_at_colliders(const ColliderFeatures& features, std::span<const PlacedCollider> colliders,
                              const ContactSurface& surface, Particles& particles);

}  // namespace pliant
