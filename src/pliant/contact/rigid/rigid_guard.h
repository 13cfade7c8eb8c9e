#pragma once
// Nothing passes through anything, for convex rigid bodies and colliders: one plane for a pair. If a plane has all of one on
// one side and all of the other on the other, at the start of the substep and at its end, straight paths have not met; where
// bodies turn, their motion is cut into pieces so small that arcs differ from chords by less than the gap. A pair for which no
// plane is found goes back towards its start.

#include "pliant/contact/rigid/islands.h"

namespace pliant {

/// Takes bodies back; returns how many. Every round takes more of them back; after a few they stay at their start.
int guard_islands(const RigidScene& scene, int round, Islands& islands);

void keep_poses(const RigidScene& scene, Islands& islands);
/// Whether a rigid body of an island has been moved since keep_poses.
bool have_moved_since(const RigidScene& scene, const Islands& islands);

}  // namespace pliant
