#pragma once
// Contact of bodies with each other and with themselves, in this order:
//
//   begin_frame_contact     forgets the pairs of the last frame: a frame depends on the world only
//   begin_body_contact      at the start of a substep
//   project_body_contact    in every iteration: pairs that are near (pairs.h), contacts among them (project_pairs.h)
//   finish_body_contact     after the last iteration: what would pass through something is held back (guard.h)

#include "pliant/contact/colliders/particle_contacts.h"
#include "pliant/contact/pairs/guard.h"
#include "pliant/contact/pairs/project_pairs.h"
#include "pliant/contact/pairs/report.h"
#include "pliant/contact/rigid/rigid_contact.h"
#include "pliant/state/rigid_bodies.h"

namespace pliant {

/// Scratch, sized by the first step.
struct BodyContact {
    Pairs pairs;
    PairContacts contacts;
    Guard guard;
    bool found = false;          // pairs, in this frame
    bool measured = false;       // pairs, in this substep
    std::vector<int> supported;  // particles that touch a collider
    BodyContactReport report;    // of this frame
};

/// The bodies, and what of them is moved.
struct ContactState {
    const ContactSurface& surface;
    const ContactParams& params;
    std::span<const Collider> colliders;
    Contacts& with_colliders;
    Particles& particles;
    std::vector<Vec3>& predicted;
    RigidBodies& rigids;
    std::vector<Pose>& predicted_poses;
    RigidContacts& rigids_with_colliders;
    Real slow;  // [m/s]: what comes slower than that does not bounce
};

/// Pairs that pass through each other at the start of the frame are let go on; returns whether there are any.
bool begin_frame_contact(const ContactSurface& surface, const Particles& particles, const RigidBodies& rigids,
                         BodyContact& contact);
void begin_body_contact(BodyContact& contact);
/// What touches a collider is pushed out of it again after every sweep: it does not give way.
void project_body_contact(Real h, const ContactState& state, BodyContact& contact);
/// What the guard has moved has the velocity of the way that it has really gone, whatever has pushed it before without
/// giving it speed: `predicted` is where it would have gone by itself.
void finish_body_contact(Real h, const ContactState& state, BodyContact& contact);

}  // namespace pliant
