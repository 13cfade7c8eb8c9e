#include "pliant/contact/pairs/contact_points.h"

#include "pliant/contact/pairs/pair_kernels.h"
#include "pliant/contact/pairs/prepare_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pliant {

namespace {

// How far a point may be from its reference before pairs are found again:
constexpr Real kBudgetPerMotion = Real(1.25);  // of its motion in a substep, enough for two, but
constexpr Real kMinBudget = Real(0.12);        // of the mean edge at least, and
constexpr Real kMaxBudget = 4;                 // of it at most: faster points are held back
constexpr Real kMaxLookAhead = 3;              // substeps from a point to its new reference
constexpr Real kLookAheadShare = Real(0.8);    // of the budget between the two
constexpr Real kSearchThreshold = Real(0.9);   // of the budget that may be used up before contacts act
/// When more than one point in 12 has left its budget, points that would leave it a substep later are renewed too.
constexpr int kRenewAheadOneIn = 12;

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

Vec3 start_of(const ContactSurface& surface, const MovingBodies& bodies, const Guard& guard, int p)
{
    if (!surface.is_carried(p)) return bodies.particles.x_prev[p];
    const auto& [body, place] = surface.carrier(p);
    return to_world(guard.start[body], place);
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

CalmScene calm_scene(const ContactSurface& surface, const MovingBodies& bodies, const FeatureContacts& contact)
{
    return {surface, bodies.particles, bodies.rigids, contact.pairs.points.reach};
}

}  // namespace

void find_awake(Real h, const ContactSurface& surface, const MovingBodies& bodies, FeatureContacts& contact)
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

bool keeps_calm(Real h, const ContactSurface& surface, const MovingBodies& bodies, FeatureContacts& contact)
{
    return keeps_calm(h, calm_scene(surface, bodies, contact), contact.calm);
}

void keep_start(const RigidBodies& rigids, Guard& guard)
{
    if (guard.start.empty()) guard.start.assign(rigids.pose_prev.begin(), rigids.pose_prev.end());
}

void load_now(const ContactSurface& surface, const MovingBodies& bodies, PairPoints& points)
{
    for_each_vertex(surface, [&](int p) { load_now(surface, bodies, p, points); });
}

void store_points(const ContactSurface& surface, const PairPoints& points, Particles& particles)
{
    for_each_vertex(surface, [&](int p) {
        if (surface.is_carried(p) || particles.inv_mass[p] == 0) return;
        Vec3& x = particles.x[p];
        x += points.now[p].position() - (x - points.origin);  // exact for what has not moved
    });
}

void find_share_used(int p, PairPoints& points)
{
    const Vec3 reference = points.reference[p].position();
    const Real square = std::max((points.start[p].position() - reference).squared_norm(),
                                 (points.now[p].position() - reference).squared_norm());
    points.used[p] = std::sqrt(square) / points.budget(p);
}

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

void begin_pairs(const ContactSurface& all, const MovingBodies& bodies, FeatureContacts& contact)
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

void find_near(const ContactSurface& surface, const MovingBodies& bodies, const ColliderContacts& with,
               GuardedColliders& colliders)
{
    colliders.placed = with.colliders;
    colliders.features = &with.features;
    colliders.bound = with.bound;
    find_near_colliders(with.features, with.colliders, bodies.particles, bodies.rigids, surface, colliders.near);
    find_near_rigids(bodies.rigids, with.rigids.jointed, with.colliders, colliders.near_rigids);
}

}  // namespace pliant
