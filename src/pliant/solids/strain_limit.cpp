#include "pliant/solids/strain_limit.h"

#include "pliant/base/parallel.h"
#include "pliant/shape/inertia.h"
#include "pliant/solids/shape_matching.h"

namespace pliant {

namespace {

/// x - g of eight members of a cluster.
PLIANT_INLINE Vector3<Lanes> mismatch(const Clusters& clusters, int block, const ClusterFit& fit, const Blocks& x)
{
    return x[block] - (spread(fit.rotation) * clusters.rest[block] + spread(fit.shift));
}

/// limited goal - x = factor (x - g): the members beyond the limit come back to it, the others stay.
PLIANT_INLINE Lanes limit_factor(const Lanes& squared, const Lanes& limit)
{
    return select(squared > limit * limit, limit / sqrt(squared) - Lanes(1), Lanes(0));
}

/// Keeps the factors of the members, and sums up what they would do to the momentum of the cluster.
void limit_members(const Clusters& clusters, int c, SolidScratch& scratch)
{
    LimitFit& limit = scratch.limits[c];
    const ClusterFit fit = scratch.fits[c];
    const Lanes longest = limit.limit;
    const Vector3<Lanes> t = spread(fit.center);
    Vector3<Lanes> linear{}, angular{};
    limit.active = false;
    for (int e = clusters.first_entry[c]; e < clusters.first_entry[c + 1]; ++e) {
        const int block = clusters.entry[e].block;
        const Vector3<Lanes> d = mismatch(clusters, block, fit, scratch.x);
        const Lanes squared = d.squared_norm();
        const Lanes mu = clusters.share[e] * clusters.block_mass[block];
        if (!any((squared > longest * longest) & (mu > Lanes(0)))) {
            scratch.factor[e] = 0;
            continue;
        }
        limit.active = true;
        const Lanes factor = limit_factor(squared, longest);
        scratch.factor[e] = factor;
        const Vector3<Lanes> p = (mu * factor) * d;
        linear += p;
        angular += (scratch.x[block] - t).cross(p);
    }
    if (!limit.active) return;
    limit.mean = (1 / clusters.mass[c]) * sum(linear);
    limit.spin = spin_of(cluster_inertia(clusters, c, fit.center, scratch.x), sum(angular));
}

/// One factor for all members: that of the farthest.
void limit_cluster(const Clusters& clusters, int c, SolidScratch& scratch)
{
    LimitFit& limit = scratch.limits[c];
    const ClusterFit fit = scratch.fits[c];
    Lanes farthest = 0;
    for (int e = clusters.first_entry[c]; e < clusters.first_entry[c + 1]; ++e) {
        const Lanes squared = mismatch(clusters, clusters.entry[e].block, fit, scratch.x).squared_norm();
        farthest = max(farthest, select(clusters.share[e] > Lanes(0), squared, Lanes(0)));
    }
    const Real length = std::sqrt(largest(farthest));
    limit.active = length > limit.limit;
    limit.factor = limit.active ? limit.limit / length - 1 : 0;
}

/// sum_c lambda_c (limited goal - x) of eight particles.
template <Limiter kLimiter>
PLIANT_INLINE Vector3<Lanes> blend_limited(const Clusters& clusters, int block, const SolidScratch& scratch)
{
    const Vector3<Lanes> x = scratch.x[block];
    Vector3<Lanes> blend{};
    for (int k = clusters.first_of_block[block]; k < clusters.first_of_block[block + 1]; ++k) {
        const int e = clusters.entries_of_block[k];
        const int c = clusters.entry[e].cluster;
        const LimitFit& limit = scratch.limits[c];
        if (kLimiter != Limiter::particle && !limit.active) continue;
        const Vector3<Lanes> d = mismatch(clusters, block, scratch.fits[c], scratch.x);
        const Lanes share = clusters.share[e];
        if constexpr (kLimiter == Limiter::particle) blend += (share * limit_factor(d.squared_norm(), limit.limit)) * d;
        if constexpr (kLimiter == Limiter::cluster) blend += (share * Lanes(limit.factor)) * d;
        if constexpr (kLimiter == Limiter::corrected) {
            const Vector3<Lanes> rho = x - spread(scratch.fits[c].center);
            blend += share * (scratch.factor[e] * d - (spread(limit.mean) + spread(limit.spin).cross(rho)));
        }
    }
    return blend;
}

void find_limits(const Solid& solid, SolidScratch& scratch)
{
    const Clusters& clusters = solid.clusters;
    parallel_for(clusters.size(), cluster_grain(clusters), [&](int begin, int end) {
        for (int c = begin; c < end; ++c) {
            scratch.limits[c].limit = solid.params.gamma * clusters.radius[c];
            switch (solid.params.limiter) {
                case Limiter::particle: break;  // nothing to know about the cluster
                case Limiter::corrected: limit_members(clusters, c, scratch); break;
                case Limiter::cluster: limit_cluster(clusters, c, scratch); break;
            }
        }
    });
}

/// y += omega * move(block) for all particles that are free.
template <class Move>
void move_particles(const Solid& solid, Particles& particles, const Move& move)
{
    const Clusters& clusters = solid.clusters;
    const Lanes omega = solid.params.omega;
    parallel_for(clusters.blocks(), kBlockGrain, [&](int begin, int end) {
        for (int b = begin; b < end; ++b) {
            const Vector3<Lanes> d = omega * move(b);
            for (int l = 0; l < lanes_of_block(clusters, b); ++l) {
                const int i = solid.particles.first + clusters.particle_of_lane[b * kLanes + l];
                if (particles.inv_mass[i] > 0) particles.x[i] += lane(d, l);
            }
        }
    });
}

void limit_solid(Solid& solid, Particles& particles, SolidScratch& scratch)
{
    if (solid.params.omega == 0) return;
    Clusters& clusters = solid.clusters;
    const std::span<const Vec3> x = std::span(particles.x).subspan(solid.particles.first, solid.particles.count);
    load_blocks(clusters, x, x.front(), scratch.x);
    fit_clusters(clusters, scratch.x, clusters.rotation, scratch.fits);
    if (solid.params.gamma == 0) {  // no limit: all the way to the goals, which keeps momentum by itself
        return move_particles(solid, particles, [&](int b) { return blend_goals(clusters, b, scratch, {}); });
    }
    find_limits(solid, scratch);
    switch (solid.params.limiter) {
        case Limiter::particle:
            return move_particles(solid, particles,
                                  [&](int b) { return blend_limited<Limiter::particle>(clusters, b, scratch); });
        case Limiter::corrected:
            return move_particles(solid, particles,
                                  [&](int b) { return blend_limited<Limiter::corrected>(clusters, b, scratch); });
        case Limiter::cluster:
            return move_particles(solid, particles,
                                  [&](int b) { return blend_limited<Limiter::cluster>(clusters, b, scratch); });
    }
}

}  // namespace

void limit_strain(std::span<Solid> solids, Particles& particles, std::span<SolidScratch> scratch)
{
    parallel_for(static_cast<int>(solids.size()), 1, [&](int begin, int end) {
        for (int s = begin; s < end; ++s) limit_solid(solids[s], particles, scratch[s]);
    });
}

}  // namespace pliant
