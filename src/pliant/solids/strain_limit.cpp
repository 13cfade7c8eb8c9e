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
    for (int p = clusters.first_part[c]; p < clusters.first_part[c + 1]; ++p) {
        const int block = clusters.part[p].block;
        const Vector3<Lanes> d = mismatch(clusters, block, fit, scratch.x);
        const Lanes squared = d.squared_norm();
        const Lanes mu = clusters.weight[p];
        if (!any((squared > longest * longest) & (mu > Lanes(0)))) {
            scratch.factor[clusters.part[p].slot] = 0;
            continue;
        }
        limit.active = true;
        const Lanes factor = limit_factor(squared, longest);
        scratch.factor[clusters.part[p].slot] = factor;
        const Vector3<Lanes> push = (mu * factor) * d;
        linear += push;
        angular += (scratch.x[block] - t).cross(push);
    }
    if (!limit.active) return;
    const Vec3 spin = spin_of(cluster_inertia(clusters, c, fit.center, scratch.x), sum(angular));
    limit.undo = {(1 / clusters.mass[c]) * sum(linear) - spin.cross(fit.center), spin};
}

/// One factor for all members: that of the farthest.
void limit_cluster(const Clusters& clusters, int c, SolidScratch& scratch)
{
    LimitFit& limit = scratch.limits[c];
    const ClusterFit fit = scratch.fits[c];
    Lanes farthest = 0;
    for (int p = clusters.first_part[c]; p < clusters.first_part[c + 1]; ++p) {
        const Lanes squared = mismatch(clusters, clusters.part[p].block, fit, scratch.x).squared_norm();
        farthest = max(farthest, select(clusters.weight[p] > Lanes(0), squared, Lanes(0)));
    }
    const Real length = std::sqrt(largest(farthest));
    limit.active = length > limit.limit;
    limit.factor = limit.active ? limit.limit / length - 1 : 0;
}

/// sum_c lambda_c (limited goal - x) of eight particles; false if that is nothing.
template <Limiter kLimiter>
PLIANT_INLINE bool blend_limited(const Clusters& clusters, int block, const SolidScratch& scratch,
                                 Vector3<Lanes>& blend)
{
    RigidBlend undo;
    bool moved = false;
    for (int slot = clusters.first_slot[block]; slot < clusters.first_slot[block + 1]; ++slot) {
        const int c = clusters.cluster_of_slot[slot];
        const LimitFit& limit = scratch.limits[c];
        if (kLimiter != Limiter::particle && !limit.active) continue;
        moved = true;
        const Vector3<Lanes> d = mismatch(clusters, block, scratch.fits[c], scratch.x);
        const Lanes share = clusters.share[slot];
        if constexpr (kLimiter == Limiter::particle) blend += (share * limit_factor(d.squared_norm(), limit.limit)) * d;
        if constexpr (kLimiter == Limiter::cluster) blend += (share * Lanes(limit.factor)) * d;
        if constexpr (kLimiter == Limiter::corrected) {
            blend += (share * scratch.factor[slot]) * d;
            undo.add(share, limit.undo);
        }
    }
    if constexpr (kLimiter == Limiter::corrected) blend -= undo.at(scratch.x[block]);
    return moved;
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

/// y += omega move for all free particles; find_move(block, move) says false for no move at all.
template <class FindMove>
void move_particles(const Solid& solid, Particles& particles, const FindMove& find_move)
{
    const Clusters& clusters = solid.clusters;
    const Lanes omega = solid.params.omega;
    parallel_for(clusters.blocks(), kBlockGrain, [&](int begin, int end) {
        for (int b = begin; b < end; ++b) {
            Vector3<Lanes> move{};
            if (!find_move(b, move)) continue;
            move *= omega;
            for (int l = 0; l < lanes_of_block(clusters, b); ++l) {
                const int i = solid.particles.first + clusters.particle_of_lane[b * kLanes + l];
                if (particles.inv_mass[i] > 0) particles.x[i] += lane(move, l);
            }
        }
    });
}

template <Limiter kLimiter>
void move_limited(const Solid& solid, Particles& particles, const SolidScratch& scratch)
{
    move_particles(solid, particles, [&](int b, Vector3<Lanes>& move) {
        return blend_limited<kLimiter>(solid.clusters, b, scratch, move);
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
        return move_particles(solid, particles, [&](int b, Vector3<Lanes>& move) {
            move = blend_goals(clusters, b, scratch, {});
            return true;
        });
    }
    find_limits(solid, scratch);
    switch (solid.params.limiter) {
        case Limiter::particle: return move_limited<Limiter::particle>(solid, particles, scratch);
        case Limiter::corrected: return move_limited<Limiter::corrected>(solid, particles, scratch);
        case Limiter::cluster: return move_limited<Limiter::cluster>(solid, particles, scratch);
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
