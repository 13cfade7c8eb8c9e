#pragma once
// Nothing passes through anything (planar truncation of displacements, [Chen26]). After all corrections of a substep, for every pair near each other: along the normal
// n that separated the two at the start, they still have to be apart at the end,
//
//   min n . x_i - max n . x_j >= q > 0        i of the first side, j of the second
//
// Every such product is linear along straight paths, so they have not met in between either. Where it does not hold,
// the points of the pair are first pushed apart along n, with friction, so that bodies pressed together still carry each
// other sideways. Points that still fail after a few rounds are taken back towards their start, and the pairs around them checked
// again; at the start itself the condition holds for all pairs.
//
// Pairs that are not in the list stay apart as long as every point stays within its budget (pairs.h): a point that would
// leave it is taken back likewise.

#include "pliant/contact/pairs/pairs.h"
#include "pliant/state/rigid_bodies.h"

namespace pliant {

struct Guard {
    std::vector<Real> factor;       // per point: of its motion that stays, in this round
    std::vector<Real> body_factor;  // per rigid body: the same
    std::vector<int> touched_bodies;
    std::vector<int> touched;             // points with a factor below one
    std::vector<char> back, body_back;    // per point, per rigid body: is at its start for good
    std::vector<int> moved;               // particles that it has pushed or taken back, some of them more than once
    std::vector<std::vector<int>> parts;  // scratch: blocks that fail, per so many blocks
    int held = 0;                         // points taken back in this substep
    int open = 0;                         // pairs that could not be kept apart: what moves them is keyed
};

/// Pushes points.now apart where they are too near. Returns true if all pairs that count held to begin with, and guard_pairs
/// has nothing to do; points in guard.moved may have used up more of their budgets now, so that more pairs count.
bool push_pairs_apart(const ContactSurface& surface, const Pairs& pairs, PairPoints& points, RigidBodies& rigids,
                      Guard& guard);

/// Takes points.now back towards points.start as far as the pairs that count ask for. A rigid body goes back as a whole.
void guard_pairs(const ContactSurface& surface, const Pairs& pairs, PairPoints& points, RigidBodies& rigids,
                 Guard& guard);

}  // namespace pliant
