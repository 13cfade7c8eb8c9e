#pragma once
// What becomes of glue when bodies go; for the other edits.

#include "pliant/world/world.h"

namespace pliant {

/// Releases the glue on particles that are about to be erased; what comes after them moves up.
void release_from_particles(World& world, Range gone);
void release_from_rigid(World& world, int gone);

}  // namespace pliant
