#pragma once
// Where glue joins two bodies they often overlap: a rod that ends inside a ball, two boxes welded face to face. Contact would
// push apart there what glue holds together, in every substep, and the two would never rest. So what overlaps when a
// glue attaches belongs to the bond: these points of two bodies do not touch, all others do.

#include "pliant/world/world.h"

namespace pliant {

/// For glue that has attached or let go since the last call. What overlaps between bodies that hang together by it now, of which
/// at least one is a side of such glue, is a bond; bonds end with the last glue between their bodies.
void update_bonds(World& world);

/// Whether update_bonds would change nothing.
bool bonds_are_known(const World& world);

/// Forgets the bonds between bodies that no glue connects any more. What overlaps there may separate in its own time
/// (World::tangled).
void prune_bonds(World& world);

}  // namespace pliant
