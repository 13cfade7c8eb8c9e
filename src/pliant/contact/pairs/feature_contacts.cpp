#include "pliant/contact/pairs/feature_contacts.h"

#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/crossings.h"
#include "pliant/contact/pairs/pair_kernels.h"
#include "pliant/contact/pairs/prepare_points.h"
#include "pliant/contact/pairs/take_back.h"
#include "pliant/contact/pairs/turned_normals.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace pliant {

namespace {

constexpr int kPointGrain = 2048;
constexpr int kMaxSearches = 8;  // by the guard in a substep, for what keyed bodies carry out of its budget
constexpr int kSupportedGrain = 128;
// How far a point may be from its reference before pairs are found again:
constexpr Real kBudgetPerMotion = Real(1.25);  // of its motion in a substep, enough for two, but
constexpr Real kMinBudget = Real(0.12);        // of the mean edge at least, and
constexpr Real kMaxBudget = 4;                 // of it at most: faster points are held back
constexpr Real kMaxLookAhead = 3;              // substeps from a point to its new reference
constexpr Real kLookAheadShare = Real(0.8);    // of the budget between the two
constexpr Real kSearchThreshold = Real(0.9);   // of the budget that may be used up before contacts act
/// When more than one point in 12 has left its budget, points that would leave it a substep later are renewed too.
constexpr int kRenewAheadOneIn = 12;

bool takes_part(const ContactSurface& surface, const ContactParams& params)
{
    return params.on && !surface.vertices.empty() && !surface.only_islands;
}

template <class Body>
void for_each_vertex(const ContactSurface& surface, const Body& body)
{
    parallel_for(static_cast<int>(surface.vertices.size()), kPointGrain, [&](int begin, int end) {
        for (int v = begin; v < end; ++v) body(surface.vertices[v].point);
    });
}

void load_now(const ContactSurface& surface, const MovingBodies& bodies, int p, PairPoints& points)
{
    if (surface.is_carried(p)) {
        const auto& [body, place] = surface.carrier(p);
        points.now[p] =
            point_at(to_world(bodies.rigids.pose[body], place) - points.origin, bodies.rigids.inv_mass[body]);
    } else {
        points.now[p] = point_at(bodies.particles.x[p] - points.origin, bodies.particles.inv_mass[p]);
    }
}

void load_now(const ContactSurface& surface, const MovingBodies& bodies, PairPoints& points)
{
    for_each_vertex(surface, [&](int p) { load_now(surface, bodies, p, points); });
}

Vec3 start_of(const ContactSurface& surface, const MovingBodies& bodies, const Guard& guard, int p)
{
    if (!surface.is_carried(p)) return bodies.particles.x_prev[p];
    const auto& [body, place] = surface.carrier(p);
    return to_world(guard.start[body], place);
}

/// Once in a substep: what a collider pushes out of itself has its pose_prev moved along.
void keep_start(const RigidBodies& rigids, Guard& guard)
{
    if (guard.start.empty()) guard.start.assign(rigids.pose_prev.begin(), rigids.pose_prev.end());
}

/// Particles only: rigid bodies are moved in place.
void store(const ContactSurface& surface, const PairPoints& points, Particles& particles)
{
    for_each_vertex(surface, [&](int p) {
        if (surface.is_carried(p) || particles.inv_mass[p] == 0) return;
        Vec3& x = particles.x[p];
        x += points.now[p].position() - (x - points.origin);  // exact for what has not moved
    });
}

/// The common motion of all points in this substep. Zero unless all of them are free: a point that the guard takes back stays
/// with the others then, and there is no obstacle that it could be pushed into.
Vec3 common_motion(const ContactSurface& surface, bool free, const Particles& particles)
{
    Vec3d sum{};
    if (!free || !surface.carried.empty()) return {};
    for (const auto& [p, body] : surface.vertices) {
        if (particles.inv_mass[p] == 0) return {};
        sum += (particles.x[p] - particles.x_prev[p]).cast<double>();
    }
    return (sum / static_cast<double>(surface.vertices.size())).cast<Real>();
}

/// How far a point is from its reference at the start of the substep or now, whichever is more.
void find_share_used(int p, PairPoints& points)
{
    const Vec3 reference = points.reference[p].position();
    const Real square = std::max((points.start[p].position() - reference).squared_norm(),
                                 (points.now[p].position() - reference).squared_norm());
    points.used[p] = std::sqrt(square) / points.budget(p);
}

/// The reference of a point goes ahead of it, as far as its budget allows: it serves for this substep and a few like it.
void renew(Real edge_length, bool is_rigid, bool is_carried_along, int p, PairPoints& points)
{
    const Vec3 start = points.start[p].position(), moved = points.now[p].position() - start;
    const Real way = moved.norm();
    const Real least = is_rigid ? std::min(points.edge[p], edge_length) : edge_length;
    Real budget = std::max(kBudgetPerMotion * way, kMinBudget * least);
    // what is keyed is not held back, nor what it carries along
    if (points.now[p].w > 0 && !is_carried_along) budget = std::min(budget, kMaxBudget * edge_length);
    const Real ahead =
        std::min(kMaxLookAhead, kLookAheadShare * budget / std::max(way, std::numeric_limits<Real>::min()));
    points.reference[p] = point_at(start + ahead * moved, budget);
}

/// Marks the points that have used up more than a share of their budgets, or all; false if there are none. If there are
/// many, also those that will have done so a substep later, which saves a search.
bool mark_renewed(const ContactSurface& surface, bool all, Real share, PairPoints& points)
{
    std::size_t count = 0;
    for (const auto& [p, body] : surface.vertices) {
        points.renewed[p] = all || points.used[p] > share ? 1 : 0;
        count += static_cast<std::size_t>(points.renewed[p]);
    }
    if (!all && kRenewAheadOneIn * count > surface.vertices.size()) {
        for_each_vertex(surface, [&](int p) {
            const Vec3 now = points.now[p].position(), next = now + (now - points.start[p].position());
            const Real most = share * points.budget(p);
            if ((next - points.reference[p].position()).squared_norm() > most * most) points.renewed[p] = 1;
        });
    }
    return count > 0;
}

/// By something keyed, in this substep.
bool is_carried_along(const ContactSurface& surface, const Guard& guard, int p)
{
    if (!surface.is_carried(p)) return !guard.carrier.empty() && guard.carrier[p] >= 0;
    return !guard.body_carrier.empty() && guard.body_carrier[surface.carrier(p).body] >= 0;
}

/// Finds pairs for the first time in a frame, or again for points that have used up more than a share of their budgets;
/// measures those that count.
void update_pairs(const ContactSurface& all, Real share, FeatureContacts& contact)
{
    const ContactSurface& surface = *contact.awake;
    PairPoints& points = contact.pairs.points;
    const bool first = !contact.found;
    if (!first) for_each_vertex(surface, [&](int p) { find_share_used(p, points); });
    if (mark_renewed(surface, first, share, points)) {
        for_each_vertex(surface, [&](int p) {
            if (points.renewed[p] == 0) return;
            renew(static_cast<Real>(surface.edge_length), surface.is_carried(p),
                  is_carried_along(surface, contact.guard, p), p, points);
            find_share_used(p, points);
        });
        find_pairs(surface, contact.pairs);
        contact.found = true;
        ++contact.report.searches;
    }
    measure_pairs(all, contact.pairs);
}

void list_supported(const ContactSurface& surface, const ParticleContacts& with_colliders, const Particles& particles,
                    std::vector<int>& supported)
{
    supported.clear();
    if (with_colliders.of.empty()) return;
    for (const auto& [p, body] : surface.vertices)
        if (!surface.is_carried(p) && with_colliders.of[p].collider >= 0 && particles.inv_mass[p] > 0)
            supported.push_back(p);
}

void find_near(const ContactSurface& surface, const MovingBodies& bodies, const ColliderContacts& with,
               GuardedColliders& colliders)
{
    colliders.placed = with.colliders;
    colliders.features = &with.features;
    colliders.bound = with.bound;
    find_near_colliders(with.features, with.colliders, bodies.particles, bodies.rigids, surface, colliders.near);
    find_near_rigids(bodies.rigids, with.rigids.jointed, with.colliders, colliders.near_rigids);
}

/// Start positions follow the common motion: relative to it, bodies in free fall have not moved at all.
void begin(const ContactSurface& all, const MovingBodies& bodies, FeatureContacts& contact)
{
    const ContactSurface& surface = *contact.awake;
    PairPoints& points = contact.pairs.points;
    if (!contact.found) {
        prepare_points(all, bodies.particles, points);
        points.forget_references();
        points.origin = start_of(surface, bodies, contact.guard, surface.vertices[0].point);
    }
    contact.measured = true;
    contact.rest_loaded = &surface == &all;
    // References and the trees around them stay as they are: the origin that they are relative to moves.
    const Vec3 before = points.origin;
    points.start_origin = before;
    contact.common = common_motion(surface, contact.supported.empty(), bodies.particles);
    points.origin += contact.common;
    load_now(surface, bodies, points);
    for_each_vertex(surface, [&](int p) {
        points.start[p] = point_at(start_of(surface, bodies, contact.guard, p) - before, points.now[p].w);
    });
    count_no_pairs(contact.pairs);
    update_pairs(all, kSearchThreshold, contact);
}

/// Colliders look at all points.
void load_rest(const ContactSurface& all, const MovingBodies& bodies, FeatureContacts& contact)
{
    if (std::exchange(contact.rest_loaded, true)) return;
    PairPoints& points = contact.pairs.points;
    for_each_vertex(all, [&](int p) {
        if (points.is_awake(p)) return;
        load_now(all, bodies, p, points);
        points.start[p] = point_at(start_of(all, bodies, contact.guard, p) - points.start_origin, points.now[p].w);
    });
}

}  // namespace

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

/// Start and current positions without pairs: contact between bodies is off.
void load_alone(const ContactSurface& surface, const MovingBodies& bodies, FeatureContacts& contact)
{
    PairPoints& points = contact.pairs.points;
    prepare_points(surface, bodies.particles, points);
    points.forget_references();
    contact.rest_loaded = true;
    contact.found = false;
    points.origin =
        surface.vertices.empty() ? Vec3{} : start_of(surface, bodies, contact.guard, surface.vertices[0].point);
    points.start_origin = points.origin;
    contact.common = {};
    for (PairList& list : contact.pairs.lists) {
        list.within.assign(kSixteenths + 1, 0);
        list.counting.clear();
    }
    load_now(surface, bodies, points);
    for_each_vertex(surface, [&](int p) {
        points.start[p] = point_at(start_of(surface, bodies, contact.guard, p) - points.origin, points.now[p].w);
    });
}

CalmScene calm_scene(const ContactSurface& surface, const MovingBodies& bodies, const FeatureContacts& contact)
{
    return {surface, bodies.particles, bodies.rigids, contact.pairs.points.reach};
}

/// What may touch something in this substep. Pairs that have been found serve as long as it stays the same.
void look(Real h, const ContactSurface& surface, const MovingBodies& bodies, FeatureContacts& contact)
{
    Calm& calm = contact.calm;
    if (!calm.tiles) {
        prepare_points(surface, bodies.particles, contact.pairs.points);
        contact.part = surface;
    }
    const int proofs = calm.proofs;
    const Awake before = calm.awake, awake = find_awake(h, calm_scene(surface, bodies, contact), calm);
    contact.looked = true;
    contact.awake = awake == Awake::none ? nullptr : awake == Awake::all ? &surface : &contact.part;
    if (calm.proofs == proofs && before == awake) return;
    contact.found = false;
    if (awake == Awake::some) take_awake(surface, calm, contact.part);
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
    if (takes_part(surface, params) && first_pass && contact.pairs.tangles.any())
        part_tangles(h, contact.dt, surface, bodies.rigids, contact.pairs.tangles, bodies.particles);
    if (!takes_part(surface, params)) contact.awake = nullptr;
    else if (!contact.looked) look(h, surface, bodies, contact);
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
    if (first) begin(surface, bodies, contact);
    else load_now(*contact.awake, bodies, points);
    if (first) begin_pushes(h, surface, bodies, with_colliders, contact);
    PairContacts& contacts = contact.contacts;
    find_contacts(surface, h, contact.pairs, bodies.rigids, contacts);
    contact.report.contacts = contacts.count;
    if (first) begin_mixed_contacts(contacts.pushed, contacts.mixed, contacts.mixed_moved, points, bodies.rigids);
    if (contacts.count == 0) return push_features_alone(bodies.particles, with_colliders, contact);
    for (int s = 0; s < params.sweeps; ++s) sweep(h, s % 2 != 0, bodies, with_colliders, contact);
    if (first) keep_pushes(contacts.mixed, contacts.pushed);
    contact.report.passes += params.sweeps;
    store(*contact.awake, points, bodies.particles);
}

namespace {

/// The origin stays where it was at the start: a collider does not take part in the common motion.
void undo_common_motion(const ContactSurface& surface, FeatureContacts& contact)
{
    PairPoints& points = contact.pairs.points;
    const Vec3 common = std::exchange(contact.common, Vec3{});
    points.origin = points.start_origin;
    for_each_vertex(surface, [&](int p) {
        points.now[p] = point_at(points.now[p].position() + common, points.now[p].w);
        points.reference[p] = point_at(points.reference[p].position() + common, points.reference[p].w);
    });
    contact.found = false;  // the trees are around the references as they were
}

/// Whether a collider has to push something: exact, since most that is near only passes by.
bool meets_collider(const ContactSurface& surface, FeatureContacts& contact)
{
    GuardedColliders& colliders = contact.colliders;
    if (!colliders.near_rigids.near.empty()) return true;
    if (colliders.near.near.empty()) return false;
    find_holds(*colliders.features, colliders.placed, places_of(surface, contact.pairs.points), kTouchShare,
               colliders.near);
    return std::ranges::any_of(colliders.near.parts, [](const auto& part) { return !part.empty(); });
}

/// Brings points and pairs up to date with the end of the substep.
void begin_guard(const ContactSurface& surface, const MovingBodies& bodies, FeatureContacts& contact)
{
    load_now(*contact.awake, bodies, contact.pairs.points);
    update_pairs(surface, 1, contact);  // contacts may have moved points beyond their budgets
    contact.rest_loaded = contact.awake == &surface;
    if (!contact.colliders.empty()) load_rest(surface, bodies, contact);
    if (contact.common.squared_norm() > 0 && meets_collider(surface, contact)) undo_common_motion(surface, contact);
    turn_normals(surface, bodies.rigids, contact.pairs);
}

bool have_left_budget(std::span<const int> moved, PairPoints& points)
{
    bool any = false;
    for (const int i : moved) {
        find_share_used(i, points);
        any = any || points.used[i] > 1;
    }
    return any;
}

/// Guards colliders, and pairs of features where these count. Points that the guard has moved get the velocity of that motion.
void guard_all(Real h, bool in_pairs, const ContactSurface& surface, const MovingBodies& bodies,
               const ColliderContacts& with, FeatureContacts& contact)
{
    GuardedColliders& colliders = contact.colliders;
    PairPoints& points = contact.pairs.points;
    Guard& guard = contact.guard;
    const GuardScope scope{in_pairs ? *contact.awake : surface,
                           contact.pairs,
                           points,
                           bodies.rigids,
                           colliders,
                           with.rigids.joined,
                           in_pairs};
    const auto store_all = [&] { store(contact.rest_loaded ? surface : scope.surface, points, bodies.particles); };
    if (push_pairs_apart(scope, guard)) return;
    if (in_pairs) {
        // what goes back from here on may go back into a collider, which does not follow the others
        store(surface, points, bodies.particles);
        find_near(surface, bodies, with, colliders);
        if (contact.common.squared_norm() > 0 && !colliders.empty()) undo_common_motion(surface, contact);
        for (const int i : guard.moved) find_share_used(i, points);
        measure_pairs(surface, contact.pairs);
        turn_normals(surface, bodies.rigids, contact.pairs);
    }
    for (int k = 0; k < kMaxSearches; ++k) {
        store_all();
        find_near(surface, bodies, with, colliders);  // pushes may have come near to others
        if (!colliders.empty()) load_rest(surface, bodies, contact);
        guard_pairs(scope, guard);
        if (!in_pairs || !have_left_budget(guard.moved, points)) break;
        update_pairs(surface, 1, contact);  // something keyed has carried them along
        turn_normals(surface, bodies.rigids, contact.pairs);
    }
    store_all();
    for (const int i : guard.moved)
        if (!surface.is_carried(i)) bodies.predicted[i] = bodies.particles.x_prev[i] + h * bodies.particles.v[i];
    contact.report.held += guard.held;
    contact.report.open += guard.open;
}

/// Guards what is awake, and colliders.
void guard_awake(Real h, const ContactSurface& surface, const MovingBodies& bodies, const ColliderContacts& with,
                 FeatureContacts& contact)
{
    // without iterations, or awake only since
    if (!contact.measured || !contact.found) begin(surface, bodies, contact);
    begin_guard(surface, bodies, contact);
    guard_all(h, true, surface, bodies, with, contact);
}

}  // namespace

void guard_feature_contacts(Real h, const ContactSurface& surface, const ContactParams& params,
                            const MovingBodies& bodies, const ColliderContacts& with_colliders,
                            FeatureContacts& contact)
{
    GuardedColliders& colliders = contact.colliders;
    keep_start(bodies.rigids, contact.guard);
    find_near(surface, bodies, with_colliders, colliders);
    colliders.listed = false;
    colliders.touching.clear();
    contact.guard.open = 0;
    ++contact.guard.rounds;
    contact.guard.moved.clear();
    const bool on = takes_part(surface, params);
    contact.awake = nullptr;
    if (on) look(h, surface, bodies, contact);
    if (contact.awake == nullptr) {
        if (colliders.empty()) return;
        load_alone(surface, bodies, contact);
        guard_all(h, false, surface, bodies, with_colliders, contact);
        if (on) look(h, surface, bodies, contact);
        if (contact.awake == nullptr) return;
    }
    guard_awake(h, surface, bodies, with_colliders, contact);
    if (contact.awake == &surface || keeps_calm(h, calm_scene(surface, bodies, contact), contact.calm)) return;
    contact.calm.awake = Awake::all;  // what is not awake has been pushed off its course
    contact.awake = &surface;
    contact.found = false;
    guard_awake(h, surface, bodies, with_colliders, contact);
}

}  // namespace pliant
