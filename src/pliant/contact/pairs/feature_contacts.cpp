#include "pliant/contact/pairs/feature_contacts.h"

#include "pliant/contact/pairs/contact_points.h"
#include "pliant/contact/pairs/crossings.h"
#include "pliant/contact/pairs/pair_kernels.h"
#include "pliant/contact/pairs/prepare_points.h"
#include "pliant/contact/pairs/take_back.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <span>
#include <utility>

namespace pliant {

void begin_feature_frame(Real dt, FeatureContacts& contact)
{
    contact.dt = dt;
    begin_calm_frame(dt, contact.calm);
    contact.found = contact.measured = contact.pushes_begun = contact.pushes_listed = false;
    contact.contacts.pushed.clear();
    contact.report = {};
    Pairs& pairs = contact.pairs;
    pairs.tangles = {};
    pairs.stars.made = false;
}

std::vector<Real> overlap_radii(const ContactSurface& surface, const Particles& particles)
{
    PairPoints points;
    prepare_points(surface, particles, points);
    std::vector<Real> radii(static_cast<std::size_t>(surface.points()), 0);
    for (const auto& [p, body] : surface.vertices)
        if (!surface.is_carried(p)) radii[p] = std::clamp(particles.radius[p], Real(0), points.reach[p] / kReach);
    return radii;
}

bool find_tangles(const ContactSurface& surface, const Particles& particles, const RigidBodies& rigids,
                  FeatureContacts& contact)
{
    if (surface.vertices.empty()) return false;
    const std::vector<Vec3> x = places_of_points(surface, particles, rigids);
    const std::vector<Crossing> crossings = find_deep_crossings(surface, x);
    contact.pairs.tangles = find_tangles(surface, particles, crossings, x, contact.pairs.stars);
    return contact.pairs.tangles.any();
}

void begin_feature_contacts(FeatureContacts& contact)
{
    contact.measured = contact.pushes_begun = contact.looked = contact.rest_loaded = false;
    contact.guard.carrier.clear();
    contact.guard.body_carrier.clear();
    contact.guard.carriers.clear();
    contact.guard.rounds = 0;
    contact.guard.start.clear();
}

void end_feature_contacts(Real h, FeatureContacts& contact) { end_calm_substep(h, contact.calm); }

namespace {

constexpr int kSupportedGrain = 128;

void list_supported(const ContactSurface& surface, const ParticleContacts& with_colliders, const Particles& particles,
                    std::vector<int>& supported)
{
    supported.clear();
    if (with_colliders.of.empty()) return;
    for (const auto& [p, body] : surface.vertices)
        if (!surface.is_carried(p) && with_colliders.of[p].collider >= 0 && particles.inv_mass[p] > 0)
            supported.push_back(p);
}

/// Once, so that nothing is allocated when something touches a collider for the first time.
void reserve_scratch(const ContactSurface& surface, const MovingBodies& bodies, FeatureContacts& contact)
{
    PairPoints& points = contact.pairs.points;
    GuardedColliders& colliders = contact.colliders;
    if (points.start.size() == static_cast<std::size_t>(surface.points()) + 1) return;
    prepare_points(surface, bodies.particles, points);
    for (PairList& list : contact.pairs.lists) list.within.assign(kSixteenths + 1, 0);
    begin_take_back({surface, contact.pairs, points, bodies.rigids, colliders, {}, false}, contact.guard);
    contact.guard.moved.reserve(4 * surface.vertices.size());
    contact.guard.touched.reserve(surface.vertices.size());
    contact.guard.touched_bodies.reserve(bodies.rigids.pose.size());
    colliders.near_rigids.near.reserve(4 * bodies.rigids.pose.size());
    colliders.touching.reserve(surface.vertices.size());
}

/// The features that touch colliders: those of the last substep, or in the first one of a frame of a search.
void begin_pushes(Real h, const ContactSurface& surface, const MovingBodies& bodies, const ColliderContacts& with,
                  FeatureContacts& contact)
{
    contact.pushes_begun = true;
    contact.pushes.clear();
    // seams pull harder than a sweep over these contacts can share out: glued cloth is left to particles and guard
    if (with.colliders.empty() || !surface.glue.empty()) return;
    GuardedColliders& colliders = contact.colliders;
    PairPoints& points = contact.pairs.points;
    if (!contact.pushes_listed) {
        contact.pushes_listed = true;
        colliders.touching.clear();
        find_near(surface, bodies, with, colliders);
        if (colliders.near.near.empty()) return;
        if (contact.measured) load_rest(surface, bodies, contact);
        else load_alone(surface, bodies, contact);
        find_holds(with.features, with.colliders, places_of(surface, points), kTouchShare, colliders.near);
        list_touching(colliders);
    }
    begin_feature_pushes(colliders.touching, with.colliders, h, bodies.particles, points.radius, contact.pushes);
}

/// One sweep over all contacts of features, and over those with colliders after it.
void sweep(Real h, bool backward, const MovingBodies& bodies, const ColliderContacts& with, FeatureContacts& contact)
{
    PairPoints& points = contact.pairs.points;
    PairContacts& contacts = contact.contacts;
    solve_contacts(backward, contacts, points);
    solve_mixed_contacts(contacts.mixed, contacts.mixed_moved, points, bodies.rigids);
    project_feature_pushes(
        contact.pushes, with.colliders, bodies.particles,
        [&](int p) { return points.is_awake(p) ? points.now[p].position() + points.origin : bodies.particles.x[p]; },
        [&](int p, const Vec3& by) {
            if (points.is_awake(p)) points.now[p] = point_at(points.now[p].position() + by, points.now[p].w);
            else bodies.particles.x[p] += by;
        });
    if (!contacts.mixed.empty())
        project_rigid_contacts(with.colliders, h, with.slow, bodies.rigids, bodies.predicted_poses, with.rigids);
    Particles& particles = bodies.particles;
    parallel_for(static_cast<int>(contact.supported.size()), kSupportedGrain, [&](int begin, int end) {
        for (const int p : std::span(contact.supported).subspan(begin, end - begin)) {
            particles.x[p] = points.now[p].position() + points.origin;
            project_particle_contact_again(with.colliders, h, p, with.particles, particles, bodies.predicted);
            points.now[p] = point_at(particles.x[p] - points.origin, particles.inv_mass[p]);
        }
    });
}

/// Features that touch colliders, where no bodies touch each other.
void push_features_alone(Particles& particles, const ColliderContacts& with, FeatureContacts& contact)
{
    project_feature_pushes(
        contact.pushes, with.colliders, particles, [&](int p) { return particles.x[p]; },
        [&](int p, const Vec3& by) { particles.x[p] += by; });
}

}  // namespace

void project_feature_contacts(Real h, const ContactSurface& surface, const ContactParams& params,
                              const MovingBodies& bodies, const ColliderContacts& with_colliders,
                              FeatureContacts& contact)
{
    keep_start(bodies.rigids, contact.guard);
    const bool first_pass = !contact.looked && !contact.measured;
    if (takes_part(surface) && first_pass && contact.pairs.tangles.any())
        part_tangles(h, contact.dt, surface, bodies.rigids, contact.pairs.tangles, bodies.particles);
    if (!takes_part(surface)) contact.awake = nullptr;
    else if (!contact.looked) find_awake(h, surface, bodies, contact);
    if (contact.awake == nullptr) {
        contact.contacts.count = 0;
        if (!contact.pushes_begun) {
            if (!contact.pushes_listed && !with_colliders.colliders.empty()) reserve_scratch(surface, bodies, contact);
            begin_pushes(h, surface, bodies, with_colliders, contact);
        }
        push_features_alone(bodies.particles, with_colliders, contact);
        return;
    }
    PairPoints& points = contact.pairs.points;
    list_supported(*contact.awake, with_colliders.particles, bodies.particles, contact.supported);
    const bool first = !contact.measured;
    if (first) begin_pairs(surface, bodies, contact);
    else load_now(*contact.awake, bodies, points);
    if (first) begin_pushes(h, surface, bodies, with_colliders, contact);
    PairContacts& contacts = contact.contacts;
    find_contacts(surface, h, contact.pairs, bodies.rigids, contacts);
    contact.report.contacts = contacts.count;
    if (first) begin_mixed_contacts(contacts.pushed, contacts.mixed, contacts.mixed_moved, points, bodies.rigids);
    if (contacts.count == 0) return push_features_alone(bodies.particles, with_colliders, contact);
    for (int s = 0; s < params.sweeps; ++s) sweep(h, s % 2 != 0, bodies, with_colliders, contact);
    carry_loads(with_colliders.particles, surface.edge_length, contacts, points, bodies.rigids, contact.column);
    if (first) keep_pushes(contacts.mixed, contacts.pushed);
    contact.report.passes += params.sweeps;
    store_points(*contact.awake, points, bodies.particles);
}

}  // namespace pliant
