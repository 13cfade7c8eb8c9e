#include "pliant/solids/shape_matching.h"

#include "pliant/base/parallel.h"
#include "pliant/shape/balance.h"
#include "pliant/solids/material.h"

#include <utility>

namespace pliant {

Vector3<Lanes> blend_goals(const Clusters& clusters, int block, const SolidScratch& scratch, std::span<const Real> gain)
{
    const Vector3<Lanes> x = scratch.x[block], r = clusters.rest[block];
    Vector3<Lanes> blend{};
    for (int slot = clusters.first_slot[block]; slot < clusters.first_slot[block + 1]; ++slot) {
        const int c = clusters.cluster_of_slot[slot];
        const ClusterFit& fit = scratch.fits[c];
        const Lanes weight = gain.empty() ? clusters.share[slot] : clusters.share[slot] * Lanes(gain[c]);
        blend += weight * (spread(fit.rotation) * r + (spread(fit.shift) - x));
    }
    return blend;
}

namespace {

void match_shape(Real h, Solid& solid, Particles& particles, SolidSystem& system)
{
    const Clusters& clusters = system.clusters;
    SolidScratch& scratch = system.scratch;
    const bool physical = !system.stiffness.empty();
    if (!physical && alpha_of(solid.params) == 0) return;

    const std::span<const Real> inv_mass = solid.particles.of(particles.inv_mass);
    const std::span<Vec3> v = solid.particles.of(particles.v);
    load_blocks(clusters, solid.particles, particles.x[solid.particles.first], particles, scratch.x);
    fit_clusters(clusters, scratch.x, solid.rotation, scratch.fits);
    // v += alpha (g - x) / h, where alpha_c = h^2 k_c in physical terms
    const Real scale = physical ? h : alpha_of(solid.params) / h;
    parallel_for(clusters.blocks(), kBlockGrain, [&](int begin, int end) {
        for (int b = begin; b < end; ++b)
            scratch.move[b] = Lanes(scale) * blend_goals(clusters, b, scratch, system.stiffness);
    });
    // Momentum is conserved up to rounding; but that may be the same in every substep, and would add up.
    if (!any_pinned(solid.particles, particles))
        balance_blocks(clusters, solid.particles.of(std::as_const(particles.x)),
                       solid.particles.of(std::as_const(particles.mass)), scratch.motion, scratch.move);
    parallel_for(clusters.blocks(), kBlockGrain, [&](int begin, int end) {
        for (int b = begin; b < end; ++b) add_to_block(clusters, b, scratch.move[b], inv_mass, v);
    });
}

}  // namespace

void match_shapes(Real h, std::span<Solid> solids, Particles& particles, std::span<SolidSystem> systems)
{
    parallel_for(static_cast<int>(solids.size()), 1, [&](int begin, int end) {
        for (int s = begin; s < end; ++s) match_shape(h, solids[s], particles, systems[s]);
    });
}

}  // namespace pliant
