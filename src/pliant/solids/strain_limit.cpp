#include "pliant/solids/strain_limit.h"

#include "pliant/base/parallel.h"
#include "pliant/shape/inertia.h"
#include "pliant/solids/shape_matching.h"

#include <algorithm>

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

/// The largest |x - g|^2 of a cluster.
Real farthest_squared(const Clusters& clusters, int c, const SolidScratch& scratch)
{
    const ClusterFit fit = scratch.fits[c];
    Lanes farthest = 0;
    for (int p = clusters.first_part[c]; p < clusters.first_part[c + 1]; ++p) {
        const Lanes squared = mismatch(clusters, clusters.part[p].block, fit, scratch.x).squared_norm();
        farthest = max(farthest, select(clusters.weight[p] > Lanes(0), squared, Lanes(0)));
    }
    return largest(farthest);
}

/// Keeps the pulls on the members, and finds what they would do to the momenta of the cluster. Returns the
/// largest |x - g|^2.
Real limit_members(const Clusters& clusters, int c, SolidScratch& scratch)
{
    LimitFit& limit = scratch.limits[c];
    const ClusterFit fit = scratch.fits[c];
    const Lanes longest = limit.limit;
    const Vector3<Lanes> t = spread(fit.center);
    Vector3<Lanes> linear{}, angular{};
    InertiaSum inertia;
    Lanes farthest = 0;
    for (int p = clusters.first_part[c]; p < clusters.first_part[c + 1]; ++p) {
        const auto [block, slot] = clusters.part[p];
        const Vector3<Lanes> d = mismatch(clusters, block, fit, scratch.x);
        const Vector3<Lanes> rho = scratch.x[block] - t;
        const Lanes squared = d.squared_norm();
        const Vector3<Lanes> pull = limit_factor(squared, longest) * d;
        scratch.pull[slot] = pull;
        farthest = max(farthest, select(clusters.weight[p] > Lanes(0), squared, Lanes(0)));
        const Vector3<Lanes> impulse = clusters.weight[p] * pull;
        linear += impulse;
        angular += rho.cross(impulse);
        inertia.add(clusters.weight[p], rho);
    }
    const Vec3 spin = spin_of(inertia.total(), sum(angular));
    limit.undo = {(1 / clusters.mass[c]) * sum(linear) - spin.cross(fit.center), spin};
    return largest(farthest);
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
        const Lanes share = clusters.share[slot];
        if constexpr (kLimiter == Limiter::corrected) {
            blend += share * scratch.pull[slot];
            undo.add(share, limit.undo);
        } else {
            const Vector3<Lanes> d = mismatch(clusters, block, scratch.fits[c], scratch.x);
            const bool alone = kLimiter == Limiter::particle;
            blend += (share * (alone ? limit_factor(d.squared_norm(), limit.limit) : Lanes(limit.factor))) * d;
        }
    }
    if constexpr (kLimiter == Limiter::corrected) blend -= undo.at(scratch.x[block]);
    return moved;
}

/// What the limit has to know about a cluster before its members can move.
void find_limit(const Solid& solid, int c, SolidScratch& scratch)
{
    const Clusters& clusters = solid.clusters;
    LimitFit& limit = scratch.limits[c];
    limit.limit = solid.params.gamma * clusters.radius[c];
    if (solid.params.limiter == Limiter::particle) return;

    // Most clusters are well within the limit, and what was beyond it a pass ago is likely to be so again.
    const bool members = solid.params.limiter == Limiter::corrected;
    const bool likely = members && limit.active;
    const Real squared = likely ? limit_members(clusters, c, scratch) : farthest_squared(clusters, c, scratch);
    const Real length = std::sqrt(squared);
    limit.active = length > limit.limit;
    limit.factor = limit.active ? limit.limit / length - 1 : 0;
    if (limit.active && members && !likely) limit_members(clusters, c, scratch);
}

/// y += omega move for all free particles; find_move(block, move) says false for no move at all.
template <class FindMove>
void move_particles(const Solid& solid, Particles& particles, const FindMove& find_move)
{
    const Clusters& clusters = solid.clusters;
    const Lanes omega = solid.params.omega;
    const std::span<const Real> inv_mass = solid.particles.of(particles.inv_mass);
    const std::span<Vec3> x = solid.particles.of(particles.x);
    parallel_for(clusters.blocks(), kBlockGrain, [&](int begin, int end) {
        for (int b = begin; b < end; ++b) {
            Vector3<Lanes> move{};
            if (!find_move(b, move)) continue;
            add_to_block(clusters, b, omega * move, inv_mass, x);
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
    const std::span<const Vec3> x = solid.particles.of(particles.x);
    load_blocks(clusters, x, x.front(), scratch.x);
    if (solid.params.gamma == 0) {  // no limit: all the way to the goals, which keeps momentum by itself
        fit_clusters(clusters, scratch.x, clusters.rotation, scratch.fits);
        return move_particles(solid, particles, [&](int b, Vector3<Lanes>& move) {
            move = blend_goals(clusters, b, scratch, {});
            return true;
        });
    }
    fit_clusters(clusters, scratch.x, clusters.rotation, scratch.fits, [&](int c) { find_limit(solid, c, scratch); });
    const auto within = [](const LimitFit& limit) { return !limit.active; };
    const bool alone = solid.params.limiter == Limiter::particle;
    if (!alone && std::all_of(scratch.limits.begin(), scratch.limits.end(), within)) return;
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
