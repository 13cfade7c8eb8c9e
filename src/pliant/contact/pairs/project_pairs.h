#pragma once
// The contacts among pairs, and how they are solved: Gauss-Seidel over positions, with multipliers that only push.
//
//   C = n . sum w_i x_i - target >= 0       target: the distance to keep, or a little more than there is now
//   dlambda = max(-C / W, -lambda)          W = sum w_i^2 / m_i
//   x_i += w_i / m_i (dlambda n + dtau)     tau: friction, inside the cone |tau| <= mu lambda
//
// Both momenta of the points are kept. Contacts of one colour share no point: eight of them are solved at a time, and
// threads may take different ones.

#include "pliant/contact/pairs/mixed_contacts.h"
#include "pliant/contact/pairs/pairs.h"

#include <cstdint>

namespace pliant {

struct PairContact {
    IndexLanes point[4];
    Vector3<Lanes> n;
    Lanes w[4];
    Lanes target;         // [m]
    Lanes inverse;        // 1 / W [kg]
    Vector3<Lanes> from;  // sum w_i x_i at the start [m]
    Lanes friction, sliding;
    Lanes lambda;        // [kg m]
    Vector3<Lanes> tau;  // the same
};

struct PairContacts {
    std::vector<PairContact> blocks;
    std::vector<int> first_block;     // per colour, and one past the end
    std::vector<MixedContact> mixed;  // those with rigid bodies
    std::vector<MixedPush> pushed;    // by these in the substep before
    Real mixed_moved = 0;             // the most that a sweep over them has moved anything [m]
    int count = 0;

    std::vector<std::vector<ActivePair>> active;  // scratch: per so many blocks of pairs
    std::vector<const ActivePair*> placed;        // the same: per lane of the blocks
    std::vector<std::uint64_t> colours;           // the same: per point, those that are taken
};

/// Clears which pairs count, at the start of a substep.
void count_no_pairs(Pairs& pairs);

/// Finds which pairs count, with the shares points.used, besides those that do already: their normals, weights and gaps at
/// points.start.
void measure_pairs(const ContactSurface& surface, Pairs& pairs);

/// Makes contacts of the pairs that count and are within reach at points.now.
void find_contacts(const ContactSurface& surface, Real h, const Pairs& pairs, const RigidBodies& bodies,
                   PairContacts& contacts);

/// One Gauss-Seidel sweep over the contacts among particles: moves points.now. Sweeps should alternate between forward and backward.
void solve_contacts(bool backward, PairContacts& contacts, PairPoints& points);

}  // namespace pliant
