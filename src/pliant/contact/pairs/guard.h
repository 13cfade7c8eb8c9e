#pragma once
// Nothing passes through anything (planar truncation of displacements, [Chen26]). After all corrections of a substep, for
// every pair near each other: along the normal n that separated the two at the start, they still have to be apart at the end,
//
//   min n . x_i - max n . x_j >= q > 0        i of the first side, j of the second
//
// Every such product is linear along straight paths, so they have not met in between either. Where it does not hold,
// the points of the pair are first pushed apart along n, with friction, so that bodies pressed together still carry each
// other sideways. Points that still fail after a few rounds are taken back towards their start, and the pairs around them checked
// again; at the start itself the condition holds for all pairs. Next to a keyed body, n turns with the body, and points go back
// to where it has carried their start (carriers.h).
//
// Features near a collider are checked, pushed and taken back in the same rounds (colliders/collider_features.h), and so are
// rigid bodies (colliders/rigid_holds.h).
//
// Pairs that are not in the list stay apart as long as every point stays within its budget (pairs.h): a point that would
// leave it is taken back likewise.

#include "pliant/contact/colliders/collider_features.h"
#include "pliant/contact/colliders/rigid_holds.h"
#include "pliant/contact/pairs/carriers.h"
#include "pliant/contact/pairs/pairs.h"
#include "pliant/state/rigid_bodies.h"

namespace pliant {

/// The colliders of this substep, and what may meet them.
struct GuardedColliders {
    std::span<const PlacedCollider> placed;
    const ColliderFeatures* features = nullptr;
    NearColliders near;
    NearRigids near_rigids;
    std::vector<ColliderHold> touching;  // features nearer than kTouchShare of their radius
    bool listed = false;                 // these, in this substep
    std::span<const char> bound;         // per particle: glue has placed it, and it stays there; may be empty

    bool stays(int point) const { return point < static_cast<int>(bound.size()) && bound[point] != 0; }

    bool empty() const { return near.near.empty() && near_rigids.near.empty(); }
};

/// Features within this share of their radius from a collider become contacts (colliders/feature_pushes.h).
inline constexpr Real kTouchShare = Real(0.8);

/// What colliders see.
inline FeaturePlaces places_of(const ContactSurface& surface, const PairPoints& points)
{
    return {surface, points.start, points.now, points.radius, points.start_origin, points.origin};
}

/// Copies what find_holds has found.
void list_touching(GuardedColliders& colliders);

struct Guard {
    std::vector<Real> factor;       // per point: of its motion that stays, in this round
    std::vector<Real> body_factor;  // per rigid body: the same
    std::vector<int> touched_bodies;
    std::vector<int> touched;                // points with a factor below one
    std::vector<char> back, body_back;       // per point, per rigid body: is at its start for good
    std::vector<char> body_moved;            // per rigid body: its points are in `moved`
    std::vector<Pose> start;                 // per rigid body: at the start of the substep
    std::vector<int> carrier, body_carrier;  // the same: of `carriers`, or -1; for the whole substep
    Carriers carriers;
    int rounds = 0;  // times that it has acted in this substep, in turn with that of rigid bodies
    std::vector<int>
        moved;  // particles that it has pushed or taken back, some of them more than once, and points of bodies
    std::vector<std::vector<int>> parts;  // scratch: blocks that fail, per so many blocks
    int held = 0;                         // points taken back in this substep
    int open = 0;                         // pairs that could not be kept apart: what moves them is keyed
    std::array<int, 2> squeezed{-1, -1};  // two of `carriers` that one of these is between; -2 - c is collider c
};

/// Everything that is guarded together.
struct GuardScope {
    const ContactSurface& surface;
    const Pairs& pairs;
    PairPoints& points;
    RigidBodies& rigids;
    GuardedColliders& colliders;
    std::span<const char> joined;  // per rigid body: joints hold it, which pushes would open
    bool in_pairs;                 // contact between bodies is on: points have budgets
};

/// From this many times in a substep on, the guard pushes nothing, and takes back for good: it has to end.
inline constexpr int kMaxPushingRounds = 12;

/// Pushes points.now apart where they are too near. Returns true if all that is checked held to begin with, and guard_pairs
/// has nothing to do; points in guard.moved may have used up more of their budgets now, so that more pairs count.
bool push_pairs_apart(const GuardScope& scope, Guard& guard);

/// After push_pairs_apart: takes points.now back as far as the pairs that count and the colliders ask for. A rigid body goes
/// back as a whole.
void guard_pairs(const GuardScope& scope, Guard& guard);

}  // namespace pliant
