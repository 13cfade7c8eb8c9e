#pragma once
// Functions shared by the edits.

#include "pliant/state/writable.h"
#include "pliant/world/edits.h"

#include <span>
#include <string>

namespace pliant {

/// Bodies were added or removed, or their surfaces have changed: contact is compiled again.
void bodies_changed(World& world);
/// Glue was added, removed or changed.
void glues_changed(World& world);
/// Forces at contacts name rigid bodies and colliders by their numbers.
inline void forget_pushes(World& world)
{
    writable(world.rigid_pushes).assign(kPushesPerBody * world.rigid_bodies->pose.size(), {});
}
/// Something was moved by an edit: it may now intersect something.
inline void moved_by_hand(World& world) { writable(world.tangled) = true; }

/// Wakes all rigid bodies, or those that a box touches.
void wake_all(World& world);
void wake_within(World& world, const Box3& box);
/// A collider comes, goes or changes.
void wake_at(World& world, const Collider& collider);
/// A rigid body is changed, moved or removed: all that sleep with it wake, or lie on it while it is held.
void wake_around(World& world, int rigid);

/// The name of a body in messages, such as solid "bunny".
inline std::string title(const char* kind, const std::string& name) { return std::string(kind) + " \"" + name + "\""; }

/// Releases the glue on particles that are about to be erased; later particles move up.
void release_from_particles(World& world, Range gone);
void release_from_rigid(World& world, int gone);

// Checks of values that no parameter table has limits for. They throw InputError, prefixed with `what`.
/// A vector must be finite, also as a Real.
void check_vector(const Vec3d& v, const char* what);
/// The positions of the particles of a body must be finite [m].
void check_positions(std::span<const Vec3d> positions, const std::string& what);
/// A placement, and the positions that it gives to particles, must be finite.
void check_placement(const Placement& placement, std::span<const Vec3> particles, const char* what);
/// Keys must be finite and in order of time, and the release time must be finite [s].
void check_hold(const Motion& motion, double release, const char* what);
/// Triangles and tetrahedra of a solid must refer to existing vertices and points.
void check_indices(const SolidShape& shape, const std::string& what);

}  // namespace pliant
