#pragma once
// Nothing passes through anything, for convex rigid bodies and colliders: one plane for a pair. If a plane has all of one on
// one side and all of the other on the other, at the start of the substep and at its end, straight paths have not met; where
// bodies turn, their motion is cut into pieces so small that arcs differ from chords by less than the gap. A pair for which no
// plane is found goes back towards its start.
//
// What a keyed body or a collider runs into is carried along: it goes back to where that motion takes its start. A carrier is the
// number of a rigid body or, behind these, of a collider; a free body is its own if features have found what carries it
// (pairs/shared_carriers.h).

#include "pliant/contact/rigid/islands.h"

#include <array>

namespace pliant {

/// Takes bodies back; returns how many. Every round takes more of them back; after a few they stay at their start.
int guard_islands(const RigidScene& scene, int round, Islands& islands);

/// Pairs that could not be kept apart, because what moves them is keyed.
struct OpenPairs {
    int count = 0;
    std::array<int, 2> between{-1, -1};  // what moves the two of the first: rigid bodies, or behind these colliders
};
/// After the guard has moved all that it can.
OpenPairs find_open_pairs(const RigidScene& scene, Islands& islands);

void keep_poses(const RigidScene& scene, Islands& islands);
/// Whether a rigid body of an island has been moved since keep_poses.
bool have_moved_since(const RigidScene& scene, const Islands& islands);

}  // namespace pliant
