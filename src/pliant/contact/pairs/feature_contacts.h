#pragma once
// Feature contacts: contacts between bodies, and self-contact, as pairs of features: a vertex and a triangle or
// two edges. In this order:
//
//   begin_feature_frame        clears the pairs of the last frame: a frame depends on the World only
//   find_tangles               what passes through what already, to be parted
//   begin_feature_contacts     at the start of a substep
//   project_feature_contacts   in every iteration: pairs that are near (pairs.h), contacts among them (project_pairs.h)
//   guard_feature_contacts     after the last iteration: holds back points that would pass through something (guard.h)
//
// Edges and triangles that touch a convex collider, and all features that would pass into one, take part also where contact
// between bodies is off.

#include "pliant/contact/colliders/feature_pushes.h"
#include "pliant/contact/colliders/particle_contacts.h"
#include "pliant/contact/pairs/calm.h"
#include "pliant/contact/pairs/carry_loads.h"
#include "pliant/contact/pairs/guard.h"
#include "pliant/contact/pairs/project_pairs.h"
#include "pliant/contact/pairs/report.h"
#include "pliant/contact/rigid/rigid_contacts.h"
#include "pliant/state/rigid_bodies.h"

namespace pliant {

/// Scratch, sized by the first step.
struct FeatureContacts {
    Pairs pairs;
    PairContacts contacts;
    Guard guard;
    Calm calm;
    Real dt = 0;            // of the frame [s]
    bool looked = false;    // what is awake in this substep
    bool found = false;     // pairs of what is awake
    bool measured = false;  // pairs, in this substep
    // The features that may touch something: the whole surface, a part of it, or null for none.
    const ContactSurface* awake = nullptr;
    ContactSurface part;
    bool rest_loaded = false;    // the points that are not awake, for colliders
    std::vector<int> supported;  // particles that touch a collider
    LoadColumn column;
    Vec3 common;  // motion of all points in this substep, which their origin follows [m]
    GuardedColliders colliders;
    std::vector<FeaturePush> pushes;  // of features that touch a collider
    bool pushes_begun = false;        // in this substep
    bool pushes_listed = false;       // in this frame: `colliders` has features that touch
    FeatureContactReport report;      // of this frame
};

/// The state that contact changes, and the predicted positions.
struct MovingBodies {
    Particles& particles;
    std::vector<Vec3>& predicted;  // per particle
    RigidBodies& rigids;
    std::vector<Pose>& predicted_poses;  // per rigid body
};

/// The contacts with colliders in this substep, which must still hold while bodies push each other.
struct ColliderContacts {
    std::span<const PlacedCollider> colliders;
    ParticleContacts& particles;
    RigidContacts& rigids;
    Real slow;  // [m/s]: slower impacts do not bounce
    const ColliderFeatures& features;
    std::span<const char> bound{};  // per particle: glue places it; may be empty
};

/// How thick the surface is at a point, no more than contact takes it to be; 0 for rigid bodies.
std::vector<Real> overlap_radii(const ContactSurface& surface, const Particles& particles);
/// A frame of length dt [s].
void begin_feature_frame(Real dt, FeatureContacts& contact);
/// Looks for what intersects at the start of the frame: it is parted in this frame, and features near it are exempt. Returns
/// whether there is any.
bool find_tangles(const ContactSurface& surface, const Particles& particles, const RigidBodies& rigids,
                  FeatureContacts& contact);
void begin_feature_contacts(FeatureContacts& contact);
void end_feature_contacts(Real h, FeatureContacts& contact);
/// Particles and bodies that touch a collider are pushed out of it again after every sweep, since it does not move.
void project_feature_contacts(Real h, const ContactSurface& surface, const ContactParams& params,
                              const MovingBodies& bodies, const ColliderContacts& with_colliders,
                              FeatureContacts& contact);
/// Points that the guard has moved get the velocity of their actual motion, even if something pushed them before without
/// giving them speed: `predicted` are the positions without contact.
void guard_feature_contacts(Real h, const ContactSurface& surface, const MovingBodies& bodies,
                            const ColliderContacts& with_colliders, FeatureContacts& contact);

}  // namespace pliant
