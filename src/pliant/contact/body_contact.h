#pragma once
// Contact of bodies with each other and with themselves, in this order:
//
//   begin_frame_contact     forgets the pairs of the last frame: a frame depends on the world only
//   begin_body_contact      at the start of a substep
//   project_body_contact    in every iteration: pairs that are near (pairs.h), contacts among them (project_pairs.h)
//   finish_body_contact     after the last iteration: what would pass through something is held back (guard.h)

#include "pliant/contact/contact.h"
#include "pliant/contact/guard.h"
#include "pliant/contact/project_pairs.h"

namespace pliant {

/// Scratch, sized by the first step.
struct BodyContact {
    Pairs pairs;
    PairContacts contacts;
    Guard guard;
    bool found = false;          // pairs, in this frame
    bool measured = false;       // pairs, in this substep
    int sixteenths = 0;          // of the pairs that count in this substep
    std::vector<int> supported;  // particles that touch a collider

    // of this frame
    int searches = 0;    // how often pairs were found
    int passes = 0;      // over the contacts
    long long held = 0;  // points that were held back, summed over the substeps
    int open = 0;        // pairs that could not be kept apart
};

void begin_frame_contact(BodyContact& contact);
void begin_body_contact(BodyContact& contact);
/// What touches a collider is pushed out of it again after every sweep: it does not give way.
void project_body_contact(const ContactSurface& surface, const ContactParams& params, Real h,
                          std::span<const Collider> colliders, Contacts& with_colliders, Particles& particles,
                          std::vector<Vec3>& predicted, BodyContact& contact);
void finish_body_contact(const ContactSurface& surface, Particles& particles, BodyContact& contact);

}  // namespace pliant
