#include "pliant/solids/strain_limit.h"

#include "pliant/base/parallel.h"
#include "pliant/shape/balance.h"
#include "pliant/shape/inertia.h"
#include "pliant/solids/material.h"
#include "pliant/solids/shape_matching.h"

#include <algorithm>
#include <utility>

namespace pliant {

namespace {

/// x - g of eight members of a cluster.
PLIANT_INLINE Vector3<Lanes> mismatch(const Clusters& clusters, int block, const ClusterFit& fit, const Blocks& x)
{
    return x[block] - (spread(fit.rotation) * clusters.rest[block] + spread(fit.shift));
}

/// limited goal - x = factor (x - g): members beyond the limit are pulled back to it, the others stay.
PLIANT_INLINE Lanes limit_factor(const Lanes& squared, const Lanes& limit)
{
    return min(limit / sqrt(squared) - Lanes(1), Lanes(0));
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

/// Finds the impulses mu (limited goal - x) of the pulls on the members. Returns their sum.
Vector3<Lanes> pull_members(const Clusters& clusters, int c, SolidScratch& scratch)
{
    LimitFit& limit = scratch.limits[c];
    const ClusterFit fit = scratch.fits[c];
    const Lanes longest = limit.limit;
    Vector3<Lanes> linear{};
    Lanes strongest = 0;
    for (int p = clusters.first_part[c]; p < clusters.first_part[c + 1]; ++p) {
        const auto [block, slot] = clusters.part[p];
        const Vector3<Lanes> d = mismatch(clusters, block, fit, scratch.x);
        const Lanes pull = clusters.weight[p] * limit_factor(d.squared_norm(), longest);
        const Vector3<Lanes> impulse = pull * d;
        scratch.impulse[slot] = impulse;
        linear += impulse;
        strongest = min(strongest, pull);
    }
    limit.active = any(strongest < Lanes(0));
    return linear;
}

/// The angular momentum of the pulls about the cluster's centre, and the inertia there.
struct TurnSum {
    Vector3<Lanes> angular{};
    InertiaSum inertia;
};
PLIANT_INLINE TurnSum sum_turns(const Clusters& clusters, int c, const SolidScratch& scratch)
{
    const Vector3<Lanes> t = spread(scratch.fits[c].center);
    TurnSum sum;
    for (int p = clusters.first_part[c]; p < clusters.first_part[c + 1]; ++p) {
        const auto [block, slot] = clusters.part[p];
        const Vector3<Lanes> rho = scratch.x[block] - t;
        sum.angular += rho.cross(scratch.impulse[slot]);
        sum.inertia.add(clusters.weight[p], rho);
    }
    return sum;
}

/// Pulls the members of up to eight clusters, and finds the rigid motions that have the momenta of these pulls.
void pull_group(const Clusters& clusters, int begin, int end, SolidScratch& scratch)
{
    GroupSum<12> sums;
    Vector3<Lanes> center{};
    Lanes mass = 1;
    for (int c = begin; c < end; ++c) {
        if (!scratch.limits[c].active) continue;
        const Vector3<Lanes> linear = pull_members(clusters, c, scratch);
        if (!scratch.limits[c].active) continue;
        const TurnSum turn = sum_turns(clusters, c, scratch);
        sums.set(0, c - begin, linear);
        sums.set(3, c - begin, turn.angular);
        sums.set(6, c - begin, turn.inertia.diagonal);
        sums.set(9, c - begin, turn.inertia.mixed);
        set_lane(center, c - begin, scratch.fits[c].center);
        mass.set(c - begin, clusters.mass[c]);
    }
    const Vector3<Lanes> spin = spin_of(inertia_of(sums.vector(6), sums.vector(9)), sums.vector(3));
    const Vector3<Lanes> base = sums.vector(0) / mass - spin.cross(center);
    for (int c = begin; c < end; ++c) scratch.limits[c].undo = {lane(base, c - begin), lane(spin, c - begin)};
}

/// sum_c lambda_c (limited goal - x) of eight particles.
template <Limiter kLimiter>
PLIANT_INLINE Vector3<Lanes> blend_limited(const Clusters& clusters, int block, const SolidScratch& scratch)
{
    Vector3<Lanes> blend{};
    for (int slot = clusters.first_slot[block]; slot < clusters.first_slot[block + 1]; ++slot) {
        const int c = clusters.cluster_of_slot[slot];
        const LimitFit& limit = scratch.limits[c];
        if (kLimiter == Limiter::cluster && !limit.active) continue;
        const Vector3<Lanes> d = mismatch(clusters, block, scratch.fits[c], scratch.x);
        const bool alone = kLimiter == Limiter::particle;
        blend +=
            (clusters.share[slot] * (alone ? limit_factor(d.squared_norm(), limit.limit) : Lanes(limit.factor))) * d;
    }
    return blend;
}

/// The same for the `corrected` limiter, from the impulses of the pulls.
template <>
PLIANT_INLINE Vector3<Lanes> blend_limited<Limiter::corrected>(const Clusters& clusters, int block,
                                                               const SolidScratch& scratch)
{
    Vector3<Lanes> impulse{};
    RigidBlend undo;
    for (int slot = clusters.first_slot[block]; slot < clusters.first_slot[block + 1]; ++slot) {
        const LimitFit& limit = scratch.limits[clusters.cluster_of_slot[slot]];
        if (!limit.active) continue;
        const Lanes stop = limit.stop;
        impulse += stop * scratch.impulse[slot];
        undo.add(stop * clusters.share[slot], limit.undo);
    }
    return clusters.inverse_mass[block] * impulse - undo.at(scratch.x[block]);
}

/// x - x_prev of the free particles.
void load_travel(const Clusters& clusters, Range body, const Particles& particles, Blocks& travel)
{
    const auto of = [&](int i) {
        if (particles.inv_mass[i] == 0) return Vec3{};
        return (particles.x[i] - particles.x_prev[i]) + (particles.x_low[i] - particles.x_prev_low[i]);
    };
    parallel_for(clusters.blocks(), kBlockGrain, [&](int begin, int end) {
        for (int b = begin; b < end; ++b)
            for (int l = 0; l < kLanes; ++l)
                set_lane(travel[b], l, l < lanes_of_block(clusters, b) ? of(body.first + b * kLanes + l) : Vec3{});
    });
}

/// The fraction s of a cluster's pulls p [kg m] that leaves its members the least kinetic energy: with velocities
/// travel / h the change is (s omega p . travel + (s omega)^2 p^2 / (2 mu)) / h^2, never positive for this s. Since shares add
/// up to one and a square is convex, the pulls of all clusters together add no energy either.
Real stop_of(const Clusters& clusters, int c, Real omega, const SolidScratch& scratch)
{
    RigidBlend undo;
    undo.add(Lanes(1), scratch.limits[c].undo);
    Lanes along = 0, square = 0;
    for (int p = clusters.first_part[c]; p < clusters.first_part[c + 1]; ++p) {
        const auto [block, slot] = clusters.part[p];
        const Lanes mu = clusters.weight[p];
        const Vector3<Lanes> pull = scratch.impulse[slot] - mu * undo.at(scratch.x[block]);
        along += pull.dot(scratch.travel[block]);
        square += select(mu > Lanes(0), pull.squared_norm() / mu, Lanes(0));
    }
    const Real needed = -sum(along), all = omega * sum(square);
    return all > 0 ? std::clamp(needed / all, Real(0), Real(1)) : Real(1);
}

/// Prepares the limits of some clusters, before their members move.
void find_limits(const SolidParams& params, const Clusters& clusters, int begin, int end, SolidScratch& scratch)
{
    const bool corrected = params.limiter == Limiter::corrected;
    bool active = false;
    for (int c = begin; c < end; ++c) {
        LimitFit& limit = scratch.limits[c];
        limit.limit = gamma_of(params) * clusters.radius[c];
        if (params.limiter == Limiter::particle) continue;
        // Most clusters are well within the limit; one that was beyond it in the last pass probably still is.
        if (!corrected || !limit.active) {
            const Real farthest = std::sqrt(farthest_squared(clusters, c, scratch));
            limit.active = farthest > limit.limit;
            limit.factor = limit.active ? limit.limit / farthest - 1 : 0;
        }
        active = active || limit.active;
    }
    if (corrected && active) pull_group(clusters, begin, end, scratch);
}

/// y += omega move for all free particles.
template <class FindMove>
void move_particles(const Solid& solid, SolidSystem& system, Particles& particles, const FindMove& find_move)
{
    const Clusters& clusters = system.clusters;
    SolidScratch& scratch = system.scratch;
    const Lanes omega = solid.params.omega;
    parallel_for(clusters.blocks(), kBlockGrain, [&](int begin, int end) {
        for (int b = begin; b < end; ++b) scratch.move[b] = omega * find_move(b);
    });
    const bool as_published = system.stiffness.empty();  // with alpha the limit does change the angular momentum
    if (!as_published && !any_pinned(solid.particles, particles))
        balance_blocks(clusters, solid.particles.of(std::as_const(particles.x_prev)),
                       solid.particles.of(std::as_const(particles.mass)), scratch.motion, scratch.move);
    parallel_for(clusters.blocks(), kBlockGrain, [&](int begin, int end) {
        for (int b = begin; b < end; ++b) move_block(clusters, b, scratch.move[b], solid.particles, particles);
    });
}

/// Makes the `corrected` limit an inelastic stop.
void find_stops(const Solid& solid, SolidSystem& system, const Particles& particles)
{
    const Clusters& clusters = system.clusters;
    SolidScratch& scratch = system.scratch;
    load_travel(clusters, solid.particles, particles, scratch.travel);
    parallel_for(clusters.size(), cluster_grain(clusters), [&](int begin, int end) {
        for (int c = begin; c < end; ++c) {
            LimitFit& limit = scratch.limits[c];
            if (limit.active) limit.stop = stop_of(clusters, c, solid.params.omega, scratch);
        }
    });
}

template <Limiter kLimiter>
void move_limited(const Solid& solid, SolidSystem& system, Particles& particles)
{
    move_particles(solid, system, particles,
                   [&](int b) { return blend_limited<kLimiter>(system.clusters, b, system.scratch); });
}

void limit_solid(Solid& solid, Particles& particles, SolidSystem& system)
{
    if (solid.params.omega == 0) return;
    const Clusters& clusters = system.clusters;
    SolidScratch& scratch = system.scratch;
    load_blocks(clusters, solid.particles, particles.x[solid.particles.first], particles, scratch.x);
    if (gamma_of(solid.params) == 0) {  // rigid clusters: all the way to the goals, which conserves momentum by itself
        fit_clusters(clusters, scratch.x, solid.rotation, scratch.fits);
        return move_particles(solid, system, particles, [&](int b) { return blend_goals(clusters, b, scratch, {}); });
    }
    fit_clusters(clusters, scratch.x, solid.rotation, scratch.fits,
                 [&](int begin, int end) { find_limits(solid.params, clusters, begin, end, scratch); });
    const auto within = [](const LimitFit& limit) { return !limit.active; };
    const bool alone = solid.params.limiter == Limiter::particle;
    if (!alone && std::all_of(scratch.limits.begin(), scratch.limits.end(), within)) return;
    switch (solid.params.limiter) {
        case Limiter::particle: return move_limited<Limiter::particle>(solid, system, particles);
        case Limiter::corrected:
            if (!system.stiffness.empty()) find_stops(solid, system, particles);
            return move_limited<Limiter::corrected>(solid, system, particles);
        case Limiter::cluster: return move_limited<Limiter::cluster>(solid, system, particles);
    }
}

}  // namespace

void limit_strain(std::span<Solid> solids, Particles& particles, std::span<SolidSystem> systems)
{
    parallel_for(static_cast<int>(solids.size()), 1, [&](int begin, int end) {
        for (int s = begin; s < end; ++s) limit_solid(solids[s], particles, systems[s]);
    });
}

}  // namespace pliant
