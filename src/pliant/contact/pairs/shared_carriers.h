#pragma once
// The guards of features and of rigid bodies act in turn. What one of them has found to be carried along by something keyed has
// to be carried along for the other too: otherwise each would take it back to where the other cannot leave it.

#include "pliant/contact/pairs/guard.h"
#include "pliant/contact/rigid/islands.h"

namespace pliant {

/// Tells each guard which rigid bodies the other has carried along in this substep.
void share_carriers(const RigidBodies& rigids, std::span<const PlacedCollider> colliders, Guard& guard,
                    Islands& islands);

}  // namespace pliant
