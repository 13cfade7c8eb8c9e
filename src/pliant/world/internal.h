#pragma once
// Functions shared by the edits.

#include "pliant/state/writable.h"
#include "pliant/world/edits.h"

#include <span>
#include <string>

namespace pliant {

/// Bodies were added, removed, or changed their surfaces: contact is compiled again.
void bodies_changed(World& world);
/// Glue was added, removed or changed.
void glues_changed(World& world);
/// Something was moved by an edit: it may now intersect something.
inline void moved_by_hand(World& world) { writable(world.tangled) = true; }

/// The name of a body in messages, such as solid "bunny".
inline std::string title(const char* kind, const std::string& name) { return std::string(kind) + " \"" + name + "\""; }

/// Releases the glue on particles that are about to be erased; later particles move up.
void release_from_particles(World& world, Range gone);
void release_from_rigid(World& world, int gone);

// Checks of what no parameter table has limits for. They throw InputError; `what` stands in front of the message.
/// A vector must be finite, also as a Real.
void check_vector(const Vec3d& v, const char* what);
/// So must be the positions of the particles of a body [m].
void check_positions(std::span<const Vec3d> positions, const std::string& what);
/// And a placement, with the places that it gives to particles.
void check_placement(const Placement& placement, std::span<const Vec3> particles, const char* what);
/// Keys must be finite and in order, and the release a time [s].
void check_hold(const Motion& motion, double release, const char* what);
/// Triangles and tetrahedra of a solid must be of vertices and points that it has.
void check_indices(const SolidShape& shape, const std::string& what);

}  // namespace pliant
