#include "pliant/solids/solid_system.h"

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
}

namespace {

/// k = 3 E / (rho <r^2>) per cluster: corotational elasticity with no lateral contraction.
std::vector<Real> stiffness_of(const Clusters& clusters, const SolidParams& params)
{
    if (params.youngs_modulus == 0) return {};
    std::vector<Real> k;
    for (const Real r2 : clusters.mean_square_radius)
        k.push_back(r2 > 0 ? 3 * params.youngs_modulus / (params.density * r2) : 0);
    return k;
}

}  // namespace

SolidSystem make_system(const Solid& solid)
{
    SolidSystem system;
    system.clusters = make_clusters(solid.memberships, solid.rest, solid.mass);
    system.stiffness = stiffness_of(system.clusters, solid.params);
    system.scratch.resize(system.clusters);
    return system;
}

int stable_substeps(const SolidSystem& system, Real dt)
{
    if (system.stiffness.empty()) return 1;
    const Clusters& clusters = system.clusters;
    double stiffest = 0;  // max_i sum_c lambda_ic k_c, a bound of the highest squared frequency
    for (int b = 0; b < clusters.blocks(); ++b) {
        Lanes k = 0;
        for (int slot = clusters.first_slot[b]; slot < clusters.first_slot[b + 1]; ++slot) {
            k += clusters.share[slot] * Lanes(system.stiffness[clusters.cluster_of_slot[slot]]);
        }
        stiffest = std::max(stiffest, static_cast<double>(largest(k)));
    }
    constexpr double kMargin = 1.1;
    return std::max(1, static_cast<int>(std::ceil(kMargin * static_cast<double>(dt) * std::sqrt(stiffest) / 2)));
}

}  // namespace pliant
