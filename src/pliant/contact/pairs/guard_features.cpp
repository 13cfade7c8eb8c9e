// guard_feature_contacts: what contact has left goes back, in pairs and at colliders.

#include "pliant/contact/pairs/contact_points.h"
#include "pliant/contact/pairs/pair_kernels.h"
#include "pliant/contact/pairs/take_back.h"
#include "pliant/contact/pairs/turned_normals.h"

#include <algorithm>
#include <span>
#include <utility>

namespace pliant {

namespace {

constexpr int kMaxSearches = 8;  // by the guard in a substep, for what keyed bodies carry out of its budget

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
    const auto store_all = [&] {
        store_points(contact.rest_loaded ? surface : scope.surface, points, bodies.particles);
    };
    if (push_pairs_apart(scope, guard)) return;
    if (in_pairs) {
        // what goes back from here on may go back into a collider, which does not follow the others
        store_points(surface, points, bodies.particles);
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
    if (!contact.measured || !contact.found) begin_pairs(surface, bodies, contact);
    begin_guard(surface, bodies, contact);
    guard_all(h, true, surface, bodies, with, contact);
}

}  // namespace

void guard_feature_contacts(Real h, const ContactSurface& surface, const MovingBodies& bodies,
                            const ColliderContacts& with_colliders, FeatureContacts& contact)
{
    GuardedColliders& colliders = contact.colliders;
    keep_start(bodies.rigids, contact.guard);
    find_near(surface, bodies, with_colliders, colliders);
    colliders.listed = false;
    colliders.touching.clear();
    contact.guard.open = 0;
    ++contact.guard.rounds;
    contact.guard.moved.clear();
    const bool on = takes_part(surface);
    contact.awake = nullptr;
    if (on) find_awake(h, surface, bodies, contact);
    if (contact.awake == nullptr) {
        if (colliders.empty()) return;
        load_alone(surface, bodies, contact);
        guard_all(h, false, surface, bodies, with_colliders, contact);
        if (on) find_awake(h, surface, bodies, contact);
        if (contact.awake == nullptr) return;
    }
    guard_awake(h, surface, bodies, with_colliders, contact);
    if (contact.awake == &surface || keeps_calm(h, surface, bodies, contact)) return;
    contact.calm.awake = Awake::all;  // what is not awake has been pushed off its course
    contact.awake = &surface;
    contact.found = false;
    guard_awake(h, surface, bodies, with_colliders, contact);
}

}  // namespace pliant
