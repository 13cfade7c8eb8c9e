#pragma once
// Contacts with a rigid body on one side or both, one at a time: the same multipliers as among particles
// (project_pairs.h), with the body's mobility in place of an inverse mass.

#include "pliant/contact/pairs/pairs.h"
#include "pliant/state/rigid_bodies.h"

namespace pliant {

struct MixedContact {
    PairKind kind;
    int point[4];
    Real w[4];
    int body[2];    // rigid body of each side, -1 for particles
    Vec3 place[2];  // of the contact in the body's frame [m]
    Vec3 n;
    Real target;  // [m]
    Real gap;     // along n, at the start [m]
    Real friction, sliding;
    Real lambda = 0;  // [kg m]
    Vec3 tau{};       // the same
};

/// What a contact of two rigid bodies has pushed in a substep: a good guess for the next one. Not with particles: they are
/// light, and a guess would throw them about. Friction is found anew: wrong guesses of it make tall stacks sway.
struct MixedPush {
    std::array<int, 5> name;  // its points and its kind
    Real lambda;              // [kg m]
};

/// Its gap is measured with all digits that poses have: rounding would shake what is at rest.
MixedContact make_mixed_contact(const ContactSurface& surface, Real h, const PairPoints& points,
                                const RigidBodies& bodies, const ActivePair& pair);

/// Sweeps over them until one moves little of the most that any has moved in this substep: they are few, stacks have to
/// stand, and what friction hardly holds must not creep.
void solve_mixed_contacts(std::span<MixedContact> contacts, Real& most_moved, PairPoints& points, RigidBodies& bodies);

/// Lets them begin with what they have pushed in the substep before, which is used up.
void begin_mixed_contacts(std::vector<MixedPush>& before, std::span<MixedContact> contacts, Real& most_moved,
                          PairPoints& points, RigidBodies& bodies);
/// Keeps what they have pushed for the next substep, in order of their names.
void keep_pushes(std::span<const MixedContact> contacts, std::vector<MixedPush>& pushes);

}  // namespace pliant
