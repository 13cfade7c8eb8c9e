#include "pliant/solids/solid_system.h"

#include "pliant/solids/material.h"

#include <algorithm>
#include <cmath>

namespace pliant {

void SolidScratch::resize(const Clusters& clusters)
{
    x.resize(clusters.rest.size());
    fits.resize(clusters.mass.size());
    limits.resize(clusters.mass.size());
    resize_motion({0, clusters.particles}, motion);
    move.resize(clusters.rest.size());
    impulse.resize(clusters.share.size());
    travel.resize(clusters.rest.size());
}

namespace {

/// k = 3 E / (rho <r^2>) per cluster: corotational elasticity with no lateral contraction.
std::vector<Real> stiffness_of(const Clusters& clusters, const Solid& solid)
{
    const auto e = static_cast<Real>(youngs_modulus_of(solid));
    if (e == 0) return {};
    std::vector<Real> k;
    for (const Real r2 : clusters.mean_square_radius) k.push_back(r2 > 0 ? 3 * e / (solid.params.density * r2) : 0);
    return k;
}

double stiffest_of(const Clusters& clusters, std::span<const Real> stiffness)
{
    double stiffest = 0;
    for (int b = 0; b < clusters.blocks() && !stiffness.empty(); ++b) {
        Lanes k = 0;
        for (int slot = clusters.first_slot[b]; slot < clusters.first_slot[b + 1]; ++slot)
            k += clusters.share[slot] * Lanes(stiffness[clusters.cluster_of_slot[slot]]);
        stiffest = std::max(stiffest, static_cast<double>(largest(k)));
    }
    return stiffest;
}

/// Substeps at the stability limit of the explicit spring, h^2 k = 4; not rounded.
double substeps_at_bound(const SolidSystem& system, double dt) { return dt * std::sqrt(system.stiffest) / 2; }

}  // namespace

SolidSystem make_system(const Solid& solid)
{
    SolidSystem system;
    system.clusters = make_clusters(solid.memberships, solid.rest, solid.mass);
    system.stiffness = stiffness_of(system.clusters, solid);
    system.stiffest = stiffest_of(system.clusters, system.stiffness);
    for (const ClusterRest& c : solid.clusters) system.reach += c.radius / static_cast<double>(solid.clusters.size());
    system.scratch.resize(system.clusters);
    return system;
}

int stable_substeps(const SolidSystem& system, Real dt)
{
    constexpr double kMargin = 1.1;
    return std::max(1, static_cast<int>(std::ceil(kMargin * substeps_at_bound(system, static_cast<double>(dt)))));
}

WantedSubsteps wanted_substeps(const SolidSystem& system, const Outlook& outlook, std::span<const Vec3> v)
{
    constexpr double kMargin = 2;       // over the stability limit; with 1.1 a spinning solid gains 3 % of energy
    constexpr double kMaxTravel = 0.5;  // cluster radii per substep at the highest speed
    WantedSubsteps wanted = more_of({}, {kMargin * substeps_at_bound(system, outlook.dt), "stiffness"});
    if (!outlook.obstacles || !(system.reach > 0)) return wanted;
    const double speed = std::max(highest_speed(v), outlook.approach);
    return more_of(wanted, {outlook.dt * speed / (kMaxTravel * system.reach), "speed"});
}

}  // namespace pliant
