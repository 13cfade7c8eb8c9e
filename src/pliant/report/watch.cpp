#include "pliant/report/watch.h"

#include "pliant/geometry/box_tree.h"
#include "pliant/solids/material.h"
#include "pliant/state/effort.h"
#include "pliant/world/bodies.h"
#include "pliant/world/contact_surface.h"
#include "pliant/world/edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr int kInterval = 6;  // frames

bool moves(const Motion& motion) { return !motion.keys.empty(); }

/// Whether something in the scene may add energy, or store some that measure_energy does not include.
bool is_driven(const World& w)
{
    const auto stored = [&](const Glue& g) {
        const Vec3d gap =
            place_of(g.a, w.time, w.particles, w.rigid_bodies) - place_of(g.b, w.time, w.particles, w.rigid_bodies);
        return moves(g.a.motion) || moves(g.b.motion) || stiffness_at(g.params, 0) >= 0 || gap.norm() > 1e-4 ||
               !g.params.keys.empty();
    };
    const auto published = [](const Solid& s) { return is_published(s.params); };
    return std::ranges::any_of(w.drivers->pins,
                               [](const PinnedSet& p) { return moves(p.motion) || !p.goal.empty(); }) ||
           std::ranges::any_of(w.drivers->held, [](const HeldRigid& h) { return moves(h.motion); }) ||
           std::ranges::any_of(w.colliders, [](const Collider& c) { return moves(c.motion); }) ||
           std::ranges::any_of(w.rods, [](const Rod& r) { return r.params.rest == RestShape::straight; }) ||
           std::ranges::any_of(w.cloths, [](const Cloth& c) { return c.params.pressure != 0; }) ||
           std::ranges::any_of(w.cloths, [&](const Cloth& c) { return measure_strain(w, c).max > 1e-3; }) ||
           std::ranges::any_of(w.glues, stored) || std::ranges::any_of(w.solids, published) || !w.grabs.empty() ||
           !w.tracks->empty() || w.forces->wind.squared_norm() > 0;
}

/// Stretched by whoever moves it.
bool is_animated(const World& world, Range range)
{
    return std::ranges::all_of(range.of(world.particles->inv_mass), [](Real w) { return w == 0; });
}

// The largest strain, at the 99th percentile, that still looks as intended; 0: no limit.
double allowed_strain(const Cloth& cloth)
{
    const ClothParams& p = cloth.params;
    return p.warp_stiffness > 0 || p.weft_stiffness > 0 || p.shear_stiffness > 0 ? 0 : 0.1;
}
double allowed_strain(const Rod& rod)
{
    const double e = youngs_modulus_of(rod);
    const double own = e > 0 ? static_cast<double>(rod.params.density) * kStandardGravity * rod.longest / e : 0;
    return std::max(0.1, 3 * own);
}
double allowed_strain(const Solid& solid) { return std::max(0.5, 2 * static_cast<double>(gamma_of(solid.params))); }

const char* remedy_of(const Cloth&) { return "use quality \"fine\" or more substeps, or reduce its load"; }
const char* remedy_of(const Rod&) { return "raise its youngs_modulus, or use more substeps"; }
const char* remedy_of(const Solid&) { return "raise its youngs_modulus, or use more substeps"; }

double kinetic_energy(const World& world, const Range& range)
{
    double sum = 0;
    for (int i = range.first; i < range.end(); ++i)
        sum += 0.5 * double(world.particles->mass[i]) * world.particles->v[i].cast<double>().squared_norm();
    return sum;
}

/// The body with the most kinetic energy.
std::string most_energetic(const World& world)
{
    double most = -1;
    std::string name;
    const auto compare = [&](double energy, const char* kind, const std::string& body) {
        if (energy > most) name = fmt::format("{} \"{}\"", kind, body);
        most = std::max(most, energy);
    };
    const auto compare_all = [&](const auto& bodies) {
        for (const auto& body : bodies) compare(kinetic_energy(world, body.particles), body.kKind, body.name);
    };
    compare_all(world.solids);
    compare_all(world.cloths);
    compare_all(world.rods);
    for (std::size_t i = 0; i < world.rigids.size(); ++i) {
        const double m = double(world.rigid_bodies->mass[i]);
        compare(0.5 * m * world.rigid_bodies->v[i].cast<double>().squared_norm(), Rigid::kKind, world.rigids[i].name);
    }
    return name;
}

}  // namespace

Watch::Watch(const World& world)
{
    state_.driven = is_driven(world);
    state_.start = measure_energy(world);
    state_.lowest = state_.start.potential;
    state_.closest_gap.assign(world.glues.size(), -1);
    for (const Real m : world.particles->mass) state_.mass += double(m);
    for (const Real m : world.rigid_bodies->mass) state_.mass += double(m);
}

std::string Watch::Finding::text() const
{
    if (limit < 0) return fmt::format("{} {} since frame {}; {}", subject, what, frame, remedy);
    return fmt::format("{}: {} of {:.3g}{}, above {:.3g}{} since frame {}; {}", subject, what, worst, unit, limit, unit,
                       frame, remedy);
}

void Watch::note(int frame, Finding finding)
{
    const auto same = [&](const Finding& f) { return f.subject == finding.subject && f.what == finding.what; };
    const auto known = std::ranges::find_if(state_.findings, same);
    if (known == state_.findings.end()) {
        finding.frame = frame;
        state_.findings.push_back(std::move(finding));
    } else {
        known->worst = std::max(known->worst, finding.worst);
    }
}

void Watch::look_at_strain(int frame, const World& world)
{
    const auto look_at = [&](const auto& bodies) {
        for (const auto& body : bodies) {
            const double limit = allowed_strain(body);
            if (limit == 0 || is_animated(world, body.particles)) continue;
            const double strain = measure_strain(world, body).p99;
            if (strain > limit)
                note(frame, {fmt::format("{} \"{}\"", body.kKind, body.name), "strain (99th percentile)", "",
                             remedy_of(body), limit, strain});
        }
    };
    look_at(world.solids);
    look_at(world.cloths);
    look_at(world.rods);
}

void Watch::look_at_glue(int frame, const World& world)
{
    constexpr double kMaxGap = 0.01;  // [m]
    state_.closest_gap.resize(world.glues.size(), -1);
    for (std::size_t i = 0; i < world.glues.size(); ++i) {
        const Glue& glue = world.glues[i];
        if (!glue.on || stiffness_at(glue.params, world.time) >= 0) {
            state_.closest_gap[i] = -1;
            continue;
        }
        const double gap = (place_of(glue.a, world.time, world.particles, world.rigid_bodies) -
                            place_of(glue.b, world.time, world.particles, world.rigid_bodies))
                               .norm();
        state_.closest_gap[i] = state_.closest_gap[i] < 0 ? gap : std::min(state_.closest_gap[i], gap);
        if (gap > state_.closest_gap[i] + kMaxGap)
            note(frame, {fmt::format("glue \"{}\"", glue.name), "gap", " m",
                         "use quality \"fine\" or more substeps, or bodies whose masses differ less", kMaxGap, gap});
    }
}

void Watch::look_at_energy(int frame, const World& world)
{
    constexpr double kMaxGain = 0.25;  // relative to the energy that was available
    const Energy now = measure_energy(world);
    state_.lowest = std::min(state_.lowest, now.potential);
    const double had = std::max(state_.start.kinetic, state_.start.potential - state_.lowest);
    const double over = now.kinetic + now.potential - state_.start.kinetic - state_.start.potential;
    // [J]: speeds of about 1 cm/s, and rounding of positions
    const double noise = 1e-4 * state_.mass + 1e-5 * (state_.start.kinetic + std::abs(state_.start.potential));
    if (over > kMaxGain * had + noise)
        note(frame, {most_energetic(world), "unexplained energy gain", " J",
                     "no body has more kinetic energy; use quality \"fine\" or more substeps, or damping",
                     kMaxGain * had + noise, over});
}

std::vector<std::string> Watch::look(int frame, const World& world)
{
    if (frame % kInterval != 0) return {};
    look_at_strain(frame, world);
    look_at_glue(frame, world);
    if (!state_.driven) look_at_energy(frame, world);
    std::vector<std::string> lines;
    for (; state_.told < std::ssize(state_.findings); ++state_.told)
        lines.push_back(state_.findings[static_cast<std::size_t>(state_.told)].text());
    return lines;
}

std::vector<std::string> Watch::summary() const
{
    std::vector<std::string> lines;
    for (const Finding& finding : state_.findings) lines.push_back(finding.text());
    return lines;
}

}  // namespace pliant
