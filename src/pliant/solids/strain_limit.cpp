#include "pliant/solids/strain_limit.h"

#include "pliant/base/parallel.h"
#include "pliant/shape/inertia.h"
#include "pliant/solids/shape_matching.h"

namespace pliant {

namespace {

/// Where eight members of a cluster are: rho = x - t, and d = x - g.
struct Offsets {
    Vector3<Lanes> rho, d;
};

PLIANT_INLINE Offsets offsets(const Clusters& clusters, int block, int c, const SolidScratch& scratch)
{
    const ClusterFit& fit = scratch.fits[c];
    const Vector3<Lanes> rho = (scratch.x[block] - spread(fit.origin)) - spread(fit.offset);
    const Vector3<Lanes> v = clusters.rest[block] - spread(clusters.rest_center[c]);
    return {rho, rho - spread(fit.rotation) * v};
}

/// Finds who is beyond the limit, keeps the factors by which they come back, and sums up what that would
/// do to the momentum of the cluster.
void limit_members(const Clusters& clusters, int c, Limiter limiter, SolidScratch& scratch)
{
    LimitFit& limit = scratch.limits[c];
    const Lanes longest = limit.limit;
    Vector3<Lanes> linear{}, angular{};
    limit.active = false;
    for (int e = clusters.first_entry[c]; e < clusters.first_entry[c + 1]; ++e) {
        const int block = clusters.entry[e].block;
        const auto [rho, d] = offsets(clusters, block, c, scratch);
        const Lanes squared = d.squared_norm();
        const auto beyond = (squared > longest * longest) & (clusters.share[e] > Lanes(0));
        if (!any(beyond)) {
            scratch.factor[e] = 0;
            continue;
        }
        limit.active = true;
        const Lanes factor = select(beyond, longest / sqrt(select(beyond, squared, Lanes(1))) - Lanes(1), Lanes(0));
        scratch.factor[e] = factor;
        const Vector3<Lanes> p = (clusters.share[e] * clusters.block_mass[block] * factor) * d;
        linear += p;
        angular += rho.cross(p);
    }
    limit.mean = limit.spin = Vec3{};
    if (!limit.active || limiter != Limiter::corrected) return;
    limit.mean = (1 / clusters.mass[c]) * sum(linear);
    limit.spin =
        spin_of(cluster_inertia(clusters, c, scratch.fits[c].origin, scratch.fits[c].offset, scratch.x), sum(angular));
}

/// One factor for all members: that of the farthest.
void limit_cluster(const Clusters& clusters, int c, SolidScratch& scratch)
{
    LimitFit& limit = scratch.limits[c];
    Lanes farthest = 0;
    for (int e = clusters.first_entry[c]; e < clusters.first_entry[c + 1]; ++e) {
        const Lanes squared = offsets(clusters, clusters.entry[e].block, c, scratch).d.squared_norm();
        farthest = max(farthest, select(clusters.share[e] > Lanes(0), squared, Lanes(0)));
    }
    const Real length = std::sqrt(largest(farthest));
    limit.active = length > limit.limit;
    limit.factor = limit.active ? limit.limit / length - 1 : 0;
    limit.mean = limit.spin = Vec3{};
}

/// sum_c lambda_c (limited goal - x) of eight particles.
Vector3<Lanes> blend_limited(const Clusters& clusters, int block, Limiter limiter, const SolidScratch& scratch)
{
    Vector3<Lanes> blend{};
    for (int k = clusters.first_of_block[block]; k < clusters.first_of_block[block + 1]; ++k) {
        const int e = clusters.entries_of_block[k];
        const int c = clusters.entry[e].cluster;
        const LimitFit& limit = scratch.limits[c];
        if (!limit.active) continue;
        const auto [rho, d] = offsets(clusters, block, c, scratch);
        const Lanes factor = limiter == Limiter::cluster ? Lanes(limit.factor) : scratch.factor[e];
        Vector3<Lanes> move = factor * d;
        if (limiter == Limiter::corrected) move -= spread(limit.mean) + spread(limit.spin).cross(rho);
        blend += clusters.share[e] * move;
    }
    return blend;
}

void find_limits(const Solid& solid, SolidScratch& scratch)
{
    const Clusters& clusters = solid.clusters;
    parallel_for(clusters.size(), cluster_grain(clusters), [&](int begin, int end) {
        for (int c = begin; c < end; ++c) {
            scratch.limits[c].limit = solid.params.gamma * clusters.radius[c];
            if (solid.params.limiter == Limiter::cluster) {
                limit_cluster(clusters, c, scratch);
            } else {
                limit_members(clusters, c, solid.params.limiter, scratch);
            }
        }
    });
}

void limit_solid(Solid& solid, Particles& particles, SolidScratch& scratch)
{
    const SolidParams& params = solid.params;
    if (params.omega == 0) return;
    Clusters& clusters = solid.clusters;
    const std::span<const Vec3> x = std::span(particles.x).subspan(solid.particles.first, solid.particles.count);
    load_blocks(clusters, x, scratch.x);
    fit_clusters(clusters, scratch.x, clusters.rotation, scratch.fits);
    const bool rigid = params.gamma == 0;  // no limit: all the way to the goals, which keeps momentum by itself
    if (!rigid) find_limits(solid, scratch);

    parallel_for(clusters.blocks(), kBlockGrain, [&](int begin, int end) {
        for (int b = begin; b < end; ++b) {
            const Vector3<Lanes> move =
                Lanes(params.omega) *
                (rigid ? blend_goals(clusters, b, scratch, {}) : blend_limited(clusters, b, params.limiter, scratch));
            for (int l = 0; l < lanes_of_block(clusters, b); ++l) {
                const int i = solid.particles.first + clusters.particle_of_lane[b * kLanes + l];
                if (particles.inv_mass[i] > 0) particles.x[i] += lane(move, l);
            }
        }
    });
}

}  // namespace

void limit_strain(std::span<Solid> solids, Particles& particles, std::span<SolidScratch> scratch)
{
    parallel_for(static_cast<int>(solids.size()), 1, [&](int begin, int end) {
        for (int s = begin; s < end; ++s) limit_solid(solids[s], particles, scratch[s]);
    });
}

}  // namespace pliant
