#include "pliant/contact/body_contact.h"

#include "pliant/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr int kGrain = 2048;
constexpr Real kBudget = Real(0.15);      // of the mean edge: how far things may move before pairs are found again, at least
constexpr Real kMoreThanMoved = Real(1.2);
constexpr Real kLeastRadius = Real(0.02);  // of the mean edge

bool takes_part(const ContactSurface& surface, const ContactParams& params) { return params.on && !surface.vertices.empty(); }

Point point_at(const Vec3& x, Real w) { return {x.x, x.y, x.z, w}; }

void resize(const ContactSurface& surface, const Particles& particles, PairPoints& points)
{
    const std::size_t count = particles.x.size() + 1;
    points.start.resize(count);
    points.now.resize(count);
    points.found_at.resize(count);
    points.budget.resize(count);
    points.reach.resize(count);
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
    for_each_vertex(surface, [&](int p) { points.now[p] = point_at(particles.x[p] - points.origin, particles.inv_mass[p]); });
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

/// The largest share of its budget that any point has used up, or will have at the end of the substep.
Real share_used(const ContactSurface& surface, const PairPoints& points)
{
    Real most = 0;
    for (const auto& [p, body] : surface.vertices) {
        const Real moved = std::max((points.start[p].position() - points.found_at[p]).squared_norm(),
                                    (points.now[p].position() - points.found_at[p]).squared_norm());
        most = std::max(most, moved / (points.budget[p] * points.budget[p]));
    }
    return std::sqrt(most);
}

void find(const ContactSurface& surface, Pairs& pairs)
{
    PairPoints& points = pairs.points;
    const Real least = kBudget * static_cast<Real>(surface.edge_length);
    for_each_vertex(surface, [&](int p) {
        points.found_at[p] = points.start[p].position();
        points.budget[p] = std::max(least, kMoreThanMoved * (points.now[p].position() - points.found_at[p]).norm());
    });
    find_pairs(surface, pairs);
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
        points.found_at[p] += common;
    });
    if (!contact.found || share_used(surface, points) > 1) {
        find(surface, contact.pairs);
        contact.found = true;
        ++contact.searches;
    }
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

void project_body_contact(const ContactSurface& surface, const ContactParams& params, bool free, Real h,
                          Particles& particles, BodyContact& contact)
{
    if (!takes_part(surface, params)) return;
    PairPoints& points = contact.pairs.points;
    if (!contact.measured) {
        begin(surface, free, particles, contact);
        contact.measured = true;
    } else {
        load_now(surface, particles, points);
    }
    find_contacts(contact.sixteenths, h, contact.pairs, contact.contacts);
    if (contact.contacts.count == 0) return;
    solve_contacts(params.sweeps, contact.contacts, points);
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
