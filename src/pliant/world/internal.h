#pragma once
// What the edits share.

#include "pliant/state/writable.h"
#include "pliant/world/world.h"

#include <string>

namespace pliant {

/// Bodies have come, gone, or changed their surfaces: contact starts over.
void bodies_changed(World& world);
/// Glues have come, gone or changed.
void glues_changed(World& world);
/// Something was put elsewhere by hand: it may now intersect something.
inline void moved_by_hand(World& world) { writable(world.tangled) = true; }

/// What messages call a thing: solid "bunny".
inline std::string title(const char* kind, const std::string& name) { return std::string(kind) + " \"" + name + "\""; }

/// Releases the glue on particles that are about to be erased; what comes after them moves up.
void release_from_particles(World& world, Range gone);
void release_from_rigid(World& world, int gone);

}  // namespace pliant
