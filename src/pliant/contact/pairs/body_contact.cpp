#include "pliant/contact/pairs/body_contact.h"

#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/crossings.h"
#include "pliant/contact/pairs/pair_kernels.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace pliant {

namespace {

constexpr int kPointGrain = 2048;
constexpr int kSupportedGrain = 128;
// How far a point may be from its reference before pairs are found again:
constexpr Real kOfTheMotion = Real(1.25);   // of its motion in a substep, enough for two, but
constexpr Real kBudget = Real(0.12);        // of the mean edge at least, and
constexpr Real kMostBudget = 4;             // of it at most: what is faster is held back
constexpr Real kMostAhead = 3;              // substeps from a point to its new reference
constexpr Real kShareAhead = Real(0.8);     // of the budget between the two
constexpr Real kShareForeseen = Real(0.9);  // of the budget that may be used up before contacts act
constexpr int kManyOf = 12;                 // one in so many points to be renewed is many
constexpr Real kLeastRadius = Real(0.02);   // of the mean edge

bool takes_part(const ContactSurface& surface, const ContactParams& params)
{
    return params.on && !surface.vertices.empty();
}

void prepare(const ContactSurface& surface, const Particles& particles, PairPoints& points)
{
    points.resize(surface.points());
    for (const ContactSurface::Triangle& triangle : surface.triangles)
        for (const int p : triangle.point) points.meshed[p] = 1;
    const Real least = kLeastRadius * static_cast<Real>(surface.edge_length);
    for (const auto& [p, body] : surface.vertices)
        points.reach[p] = kReach * (surface.is_carried(p) ? least : std::max(particles.radius[p], least));
}

template <class Body>
void for_each_vertex(const ContactSurface& surface, const Body& body)
{
    parallel_for(static_cast<int>(surface.vertices.size()), kPointGrain, [&](int begin, int end) {
        for (int v = begin; v < end; ++v) body(surface.vertices[v].point);
    });
}

void load_now(const ContactState& state, PairPoints& points)
{
    for_each_vertex(state.surface, [&](int p) {
        if (state.surface.is_carried(p)) {
            const auto& [body, place] = state.surface.carrier(p);
            points.now[p] =
                point_at(to_world(state.rigids.pose[body], place) - points.origin, state.rigids.inv_mass[body]);
        } else {
            points.now[p] = point_at(state.particles.x[p] - points.origin, state.particles.inv_mass[p]);
        }
    });
}

Vec3 start_of(const ContactState& state, int p)
{
    if (!state.surface.is_carried(p)) return state.particles.x_prev[p];
    const auto& [body, place] = state.surface.carrier(p);
    return to_world(state.rigids.pose_prev[body], place);
}

/// Rigid bodies have been moved themselves.
void store(const ContactState& state, const PairPoints& points)
{
    for_each_vertex(state.surface, [&](int p) {
        if (state.surface.is_carried(p) || state.particles.inv_mass[p] == 0) return;
        Vec3& x = state.particles.x[p];
        x += points.now[p].position() - (x - points.origin);  // exact for what has not moved
    });
}

/// How all points have moved together in this substep. Only where all of them are free: what is held back stays with the
/// others, and nothing else may be in its way.
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
void renew(Real edge_length, int p, PairPoints& points)
{
    const Vec3 start = points.start[p].position(), moved = points.now[p].position() - start;
    const Real way = moved.norm();
    const Real budget = std::clamp(kOfTheMotion * way, kBudget * edge_length, kMostBudget * edge_length);
    const Real ahead = std::min(kMostAhead, kShareAhead * budget / std::max(way, std::numeric_limits<Real>::min()));
    points.reference[p] = point_at(start + ahead * moved, budget);
}

/// Marks the points that have used up more than a share of their budgets, or all; false if there are none. Where there are
/// many, those too that will have done so a substep later: two searches in one.
bool mark_renewed(const ContactSurface& surface, bool all, Real share, PairPoints& points)
{
    std::size_t count = 0;
    for (const auto& [p, body] : surface.vertices) {
        points.renewed[p] = all || points.used[p] > share ? 1 : 0;
        count += static_cast<std::size_t>(points.renewed[p]);
    }
    if (!all && kManyOf * count > surface.vertices.size()) {
        for_each_vertex(surface, [&](int p) {
            const Vec3 now = points.now[p].position(), next = now + (now - points.start[p].position());
            const Real most = share * points.budget(p);
            if ((next - points.reference[p].position()).squared_norm() > most * most) points.renewed[p] = 1;
        });
    }
    return count > 0;
}

/// Finds pairs for the first time in a frame, or again for points that have used up more than a share of their budgets;
/// measures those that count.
void update_pairs(const ContactSurface& surface, Real share, BodyContact& contact)
{
    PairPoints& points = contact.pairs.points;
    const bool first = !contact.found;
    if (!first) for_each_vertex(surface, [&](int p) { find_share_used(p, points); });
    if (mark_renewed(surface, first, share, points)) {
        for_each_vertex(surface, [&](int p) {
            if (points.renewed[p] == 0) return;
            renew(static_cast<Real>(surface.edge_length), p, points);
            find_share_used(p, points);
        });
        find_pairs(surface, contact.pairs);
        contact.found = true;
        ++contact.report.searches;
    }
    measure_pairs(surface, contact.pairs);
}

void list_supported(const ContactSurface& surface, const Contacts& with_colliders, const Particles& particles,
                    std::vector<int>& supported)
{
    supported.clear();
    if (with_colliders.of.empty()) return;
    for (const auto& [p, body] : surface.vertices)
        if (!surface.is_carried(p) && with_colliders.of[p].collider >= 0 && particles.inv_mass[p] > 0)
            supported.push_back(p);
}

/// Start positions move along with all others: what falls freely has not moved at all.
void begin(const ContactState& state, BodyContact& contact)
{
    const ContactSurface& surface = state.surface;
    PairPoints& points = contact.pairs.points;
    if (!contact.found) {
        prepare(surface, state.particles, points);
        points.origin = start_of(state, surface.vertices[0].point);
    }
    // References and the trees around them stay as they are: the origin that they are relative to moves.
    const Vec3 before = points.origin;
    points.origin += common_motion(surface, contact.supported.empty(), state.particles);
    load_now(state, points);
    for_each_vertex(surface, [&](int p) { points.start[p] = point_at(start_of(state, p) - before, points.now[p].w); });
    count_no_pairs(contact.pairs);
    update_pairs(surface, kShareForeseen, contact);
}

/// All pairs of an edge and a triangle that it passes through.
void exempt(const ContactSurface::Edge& edge, const ContactSurface::Triangle& triangle, Pairs& pairs)
{
    const auto& q = triangle.point;
    for (const int p : {edge.a, edge.b}) {
        const int pair[4] = {p, q[0], q[1], q[2]};
        pairs.exempt[0].push_back(name_of_pair(PairKind::vertex_triangle, pair));
    }
    for (std::size_t k = 0; k < 3; ++k) {
        const int pair[4] = {edge.a, edge.b, q[k], q[(k + 1) % 3]};
        pairs.exempt[1].push_back(name_of_pair(PairKind::edge_edge, pair));
    }
}

}  // namespace

bool begin_frame_contact(const ContactSurface& surface, const Particles& particles, const RigidBodies& rigids,
                         BodyContact& contact)
{
    contact.found = contact.measured = false;
    contact.contacts.pushed.clear();
    contact.report = {};
    Pairs& pairs = contact.pairs;
    pairs.tangled.clear();
    pairs.stars.made = false;
    for (auto& exempt : pairs.exempt) exempt.clear();
    if (!surface.tangled || surface.vertices.empty()) return false;
    const std::vector<Crossing> crossings = find_deep_crossings(surface, places_of_points(surface, particles, rigids));
    if (crossings.empty()) return false;
    const auto bodies = static_cast<std::size_t>(surface.bodies);
    pairs.tangled.assign(bodies * bodies, 0);
    for (const auto& [e, t] : crossings) {
        const ContactSurface::Edge& edge = surface.edges[e];
        const auto a = static_cast<std::size_t>(edge.body), b = static_cast<std::size_t>(surface.triangles[t].body);
        if (a == b) exempt(edge, surface.triangles[t], pairs);
        else pairs.tangled[a * bodies + b] = pairs.tangled[b * bodies + a] = 1;
    }
    for (auto& exempt : pairs.exempt) std::ranges::sort(exempt);
    return true;
}

void begin_body_contact(BodyContact& contact) { contact.measured = false; }

void project_body_contact(Real h, const ContactState& state, BodyContact& contact)
{
    if (!takes_part(state.surface, state.params)) return;
    PairPoints& points = contact.pairs.points;
    list_supported(state.surface, state.with_colliders, state.particles, contact.supported);
    const bool first = !contact.measured;
    if (first) begin(state, contact);
    else load_now(state, points);
    contact.measured = true;
    PairContacts& contacts = contact.contacts;
    find_contacts(state.surface, h, contact.pairs, state.rigids, contacts);
    contact.report.contacts = contacts.count;
    if (first) begin_mixed_contacts(contacts.pushed, contacts.mixed, contacts.mixed_moved, points, state.rigids);
    if (contacts.count == 0) return;
    for (int s = 0; s < state.params.sweeps; ++s) {
        solve_contacts(s % 2 != 0, contacts, points);
        solve_mixed_contacts(contacts.mixed, contacts.mixed_moved, points, state.rigids);
        if (!contacts.mixed.empty())
            project_rigid_contacts(state.colliders, state.with_colliders.poses, h, state.slow, state.rigids,
                                   state.predicted_poses, state.rigids_with_colliders);
        parallel_for(static_cast<int>(contact.supported.size()), kSupportedGrain, [&](int begin, int end) {
            for (const int p : std::span(contact.supported).subspan(begin, end - begin)) {
                state.particles.x[p] = points.now[p].position() + points.origin;
                project_contact_again(state.colliders, h, p, state.with_colliders, state.particles, state.predicted);
                points.now[p] = point_at(state.particles.x[p] - points.origin, state.particles.inv_mass[p]);
            }
        });
    }
    if (first) keep_pushes(contacts.mixed, contacts.pushed);
    contact.report.passes += state.params.sweeps;
    store(state, points);
}

void finish_body_contact(Real h, const ContactState& state, BodyContact& contact)
{
    if (!contact.measured) return;
    PairPoints& points = contact.pairs.points;
    load_now(state, points);
    update_pairs(state.surface, 1, contact);  // contacts may have moved something further than was foreseen
    Guard& guard = contact.guard;
    if (push_pairs_apart(state.surface, contact.pairs, points, state.rigids, guard)) return;
    for (const int i : guard.moved) find_share_used(i, points);
    measure_pairs(state.surface, contact.pairs);
    guard_pairs(state.surface, contact.pairs, points, state.rigids, guard);
    store(state, points);
    for (const int i : guard.moved) state.predicted[i] = state.particles.x_prev[i] + h * state.particles.v[i];
    contact.report.held += guard.held;
    contact.report.open += guard.open;
}

}  // namespace pliant
