#pragma once
// Rods that rub against held bodies: a strap over a drum. (Against colliders: point_touches.h.)

#include "pliant/solver/compiled.h"

namespace pliant {

/// Marks the rods that something held has pushed in the last substep (Rod::rubs). Friction acts on their points
/// after every solve, and passes on to a load at their end only if the rod is solved apart from it: in one solve with the
/// load, which does not know of friction, the light points would follow it and creep.
void mark_rubbing_rods(World& world, const Compiled& compiled);

/// Marks the strands that contact has pushed in the substep (Rod::touched).
void mark_touched_strands(World& world, Compiled& compiled);

}  // namespace pliant
