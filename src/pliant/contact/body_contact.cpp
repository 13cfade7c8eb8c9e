#include "pliant/contact/body_contact.h"

#include "pliant/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr int kGrain = 2048;
constexpr Real kBudget =
    Real(0.15);  // of the mean edge: how far things may move before pairs are found again, at least
constexpr Real kSubstepsAhead = Real(1.25);
constexpr Real kLeastRadius = Real(0.02);  // of the mean edge

bool takes_part(const ContactSurface& surface, const ContactParams& params)
{
    return params.on && !surface.vertices.empty();
}

Point point_at(const Vec3& x, Real w) { return {x.x, x.y, x.z, w}; }

void resize(const ContactSurface& surface, const Particles& particles, PairPoints& points)
{
    const std::size_t count = particles.x.size() + 1;
    points.start.resize(count);
    points.now.resize(count);
    points.reference.resize(count);
    points.budget.resize(count);
    points.reach.resize(count);
    points.renewed.resize(count);
    const Real least = kLeastRadius * static_cast<Real>(surface.edge_length);
    for (const auto& [p, body] : surface.vertices) points.reach[p] = kReach * std::max(particles.radius[p], least);
    points.origin = particles.x[surface.vertices[0].point];
}

template <class Body>
void for_each_vertex(const ContactSurface& surface, const Body& body)
{
    parallel_for(static_cast<int>(surface.vertices.size()), kGrain, [&](int begin, int end) {
        for (int v = begin; v < end; ++v) body(surface.vertices[v].point);
    });
}

void load_now(const ContactSurface& surface, const Particles& particles, PairPoints& points)
{
    for_each_vertex(surface,
                    [&](int p) { points.now[p] = point_at(particles.x[p] - points.origin, particles.inv_mass[p]); });
}

void store(const ContactSurface& surface, const PairPoints& points, Particles& particles)
{
    for_each_vertex(surface, [&](int p) {
        if (particles.inv_mass[p] > 0) particles.x[p] = points.now[p].position() + points.origin;
    });
}

/// How all points have moved together in this substep. Only where all of them are free: what is held back stays with the
/// others, and nothing else may be in its way.
Vec3 common_motion(const ContactSurface& surface, bool free, const Particles& particles)
{
    Vec3d sum{};
    if (!free) return {};
    for (const auto& [p, body] : surface.vertices) {
        if (particles.inv_mass[p] == 0) return {};
        sum += (particles.x[p] - particles.x_prev[p]).cast<double>();
    }
    return (sum / static_cast<double>(surface.vertices.size())).cast<Real>();
}

/// How far a point is from its reference at the start of the substep or now, whichever is more: squared, as a share of its
/// budget.
Real square_used(const PairPoints& points, int p)
{
    const Vec3 reference = points.reference[p].position();
    const Real moved = std::max((points.start[p].position() - reference).squared_norm(),
                                (points.now[p].position() - reference).squared_norm());
    return moved / (points.budget[p] * points.budget[p]);
}
Real share_used(const ContactSurface& surface, const PairPoints& points)
{
    Real most = 0;
    for (const auto& [p, body] : surface.vertices) most = std::max(most, square_used(points, p));
    return std::sqrt(most);
}

/// The reference of a point becomes its start, with a budget for this substep and a few like it.
void renew(Real edge_length, int p, PairPoints& points)
{
    const Real moved = (points.now[p].position() - points.start[p].position()).norm();
    points.reference[p] = points.start[p];
    points.budget[p] = std::max(kBudget * edge_length, kSubstepsAhead * moved);
}

/// Finds pairs for the first time in a frame, or again for points that have used up their budgets.
void find(const ContactSurface& surface, BodyContact& contact)
{
    PairPoints& points = contact.pairs.points;
    const auto edge_length = static_cast<Real>(surface.edge_length);
    if (!contact.found) {
        for_each_vertex(surface, [&](int p) { renew(edge_length, p, points); });
        find_pairs(surface, contact.pairs);
        contact.found = true;
        ++contact.searches;
        return;
    }
    bool any = false;
    for (const auto& [p, body] : surface.vertices) {
        points.renewed[p] = square_used(points, p) > 1 ? 1 : 0;
        any = any || points.renewed[p] != 0;
    }
    if (!any) return;
    for_each_vertex(surface, [&](int p) {
        if (points.renewed[p] != 0) renew(edge_length, p, points);
    });
    find_pairs_again(surface, contact.pairs);
    ++contact.searches;
}

void list_supported(const ContactSurface& surface, const Contacts& with_colliders, const Particles& particles,
                    std::vector<int>& supported)
{
    supported.clear();
    if (with_colliders.of.empty()) return;
    for (const auto& [p, body] : surface.vertices)
        if (with_colliders.of[p].collider >= 0 && particles.inv_mass[p] > 0) supported.push_back(p);
}

/// Measures the pairs that count where the points are now.
void measure_more(const ContactSurface& surface, BodyContact& contact)
{
    const Real share = 16 * share_used(surface, contact.pairs.points);
    const int sixteenths = std::min(static_cast<int>(std::ceil(share)), 16);
    measure_pairs(contact.sixteenths, sixteenths, contact.pairs);
    contact.sixteenths = std::max(contact.sixteenths, sixteenths);
}

/// Start positions move along with all others: what falls freely has not moved at all.
void begin(const ContactSurface& surface, bool free, const Particles& particles, BodyContact& contact)
{
    PairPoints& points = contact.pairs.points;
    if (!contact.found) resize(surface, particles, points);
    load_now(surface, particles, points);
    const Vec3 common = common_motion(surface, free, particles);
    for_each_vertex(surface, [&](int p) {
        points.start[p] = point_at(particles.x_prev[p] - points.origin + common, particles.inv_mass[p]);
        points.reference[p] = point_at(points.reference[p].position() + common, 0);
    });
    find(surface, contact);
    contact.sixteenths = 0;
    measure_more(surface, contact);
}

}  // namespace

void begin_frame_contact(BodyContact& contact)
{
    contact.found = false;
    contact.searches = contact.passes = contact.open = 0;
    contact.held = 0;
}

void begin_body_contact(BodyContact& contact) { contact.measured = false; }

void project_body_contact(const ContactSurface& surface, const ContactParams& params, Real h,
                          std::span<const Collider> colliders, Contacts& with_colliders, Particles& particles,
                          std::vector<Vec3>& predicted, BodyContact& contact)
{
    if (!takes_part(surface, params)) return;
    PairPoints& points = contact.pairs.points;
    list_supported(surface, with_colliders, particles, contact.supported);
    if (!contact.measured) {
        begin(surface, contact.supported.empty(), particles, contact);
        contact.measured = true;
    } else {
        load_now(surface, particles, points);
    }
    find_contacts(contact.sixteenths, h, contact.pairs, contact.contacts);
    if (contact.contacts.count == 0) return;
    for (int s = 0; s < params.sweeps; ++s) {
        solve_contacts(s % 2 != 0, contact.contacts, points);
        for (const int p : contact.supported) {
            particles.x[p] = points.now[p].position() + points.origin;
            project_contact_again(colliders, h, p, with_colliders, particles, predicted);
            points.now[p] = point_at(particles.x[p] - points.origin, particles.inv_mass[p]);
        }
    }
    contact.passes += params.sweeps;
    store(surface, points, particles);
}

void finish_body_contact(const ContactSurface& surface, Particles& particles, BodyContact& contact)
{
    if (!contact.measured) return;
    PairPoints& points = contact.pairs.points;
    load_now(surface, particles, points);
    measure_more(surface, contact);
    guard_pairs(contact.sixteenths, contact.pairs, points, contact.guard);
    if (contact.guard.held > 0) store(surface, points, particles);
    contact.held += contact.guard.held;
    contact.open += contact.guard.open;
}

}  // namespace pliant
