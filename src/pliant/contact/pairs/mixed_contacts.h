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

/// What a contact of two rigid bodies has pushed in a substep: the warm start of the next one. Not with particles: they are
/// light, and a wrong guess would throw them about. Friction starts from zero: wrong guesses of it make tall stacks sway.
struct MixedPush {
    std::array<int, 5> name;  // its points and its kind
    Real lambda;              // [kg m]
};

/// The gap is measured with all digits of the poses, low parts included: rounding would shake bodies at rest.
MixedContact make_mixed_contact(const ContactSurface& surface, Real h, const PairPoints& points,
                                const RigidBodies& bodies, const ActivePair& pair);

/// Gauss-Seidel sweeps until the largest correction of a sweep is below 1e-4 of the largest so far in this substep, or 1000
/// contacts have been solved: they are few, stacks have to stand, and a body that friction barely holds must not creep.
void solve_mixed_contacts(std::span<MixedContact> contacts, Real& most_moved, PairPoints& points, RigidBodies& bodies);

/// Moves the rigid body at one side of a contact alone, as if the other side did not give way.
void lift_body(const MixedContact& contact, int side, PairPoints& points, RigidBodies& bodies);

/// Warm start: contacts begin with their push of the previous substep, which is consumed.
void begin_mixed_contacts(std::vector<MixedPush>& before, std::span<MixedContact> contacts, Real& most_moved,
                          PairPoints& points, RigidBodies& bodies);
/// Stores their pushes for the next substep, sorted by name.
void keep_pushes(std::span<const MixedContact> contacts, std::vector<MixedPush>& pushes);

}  // namespace pliant
