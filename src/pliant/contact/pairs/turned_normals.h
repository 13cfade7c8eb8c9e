#pragma once

#include "pliant/contact/pairs/pairs.h"
#include "pliant/state/rigid_bodies.h"

namespace pliant {

/// Turns the normals of pairs with a point of a keyed body by as much as the body has turned in this substep, once: seen from
/// the body its own points are at rest, and the paths of others are straight there too.
void turn_normals(const ContactSurface& surface, const RigidBodies& rigids, Pairs& pairs);

}  // namespace pliant
