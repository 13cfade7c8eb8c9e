#include "pliant/solids/damping.h"

#include "pliant/base/parallel.h"
#include "pliant/shape/inertia.h"

namespace pliant {

namespace {

/// The rigid motion that has the linear and angular momentum of the cluster.
void find_rigid_motion(const Clusters& clusters, int c, SolidScratch& scratch)
{
    const Vec3 origin = central_value(clusters, c, scratch.x);
    const Vec3 base = central_value(clusters, c, scratch.v);  // velocities relative to one member's keep their accuracy
    const Vector3<Lanes> o = spread(origin), w = spread(base);
    Vector3<Lanes> sum_u{}, sum_p{}, sum_l{};
    for (int p = clusters.first_part[c]; p < clusters.first_part[c + 1]; ++p) {
        const int block = clusters.part[p].block;
        const Lanes mu = clusters.weight[p];
        const Vector3<Lanes> u = scratch.x[block] - o;
        const Vector3<Lanes> momentum = mu * (scratch.v[block] - w);
        sum_u += mu * u;
        sum_p += momentum;
        sum_l += u.cross(momentum);
    }
    const Real inverse_mass = 1 / clusters.mass[c];
    const Vec3 offset = inverse_mass * sum(sum_u);
    const Vec3 total = sum(sum_p);
    const Vec3 center = origin + offset;
    const Vec3 spin = spin_of(cluster_inertia(clusters, c, center, scratch.x), sum(sum_l) - offset.cross(total));
    scratch.rigid[c] = {base + inverse_mass * total - spin.cross(center), spin};
}

/// sum_c lambda_c (rigid velocity - v) of eight particles.
Vector3<Lanes> blend_rigid_motion(const Clusters& clusters, int block, const SolidScratch& scratch)
{
    RigidBlend blend;
    for (int slot = clusters.first_slot[block]; slot < clusters.first_slot[block + 1]; ++slot) {
        blend.add(clusters.share[slot], scratch.rigid[clusters.cluster_of_slot[slot]]);
    }
    return blend.at(scratch.x[block]) - scratch.v[block];
}

void damp_solid(Real h, const Solid& solid, Particles& particles, SolidScratch& scratch)
{
    const Real rate = h * solid.params.damping;
    if (rate == 0) return;
    const Clusters& clusters = solid.clusters;
    const std::span<const Vec3> x = solid.particles.of(particles.x);
    const std::span<const Real> inv_mass = solid.particles.of(particles.inv_mass);
    const std::span<Vec3> v = solid.particles.of(particles.v);
    load_blocks(clusters, x, x.front(), scratch.x);
    load_blocks(clusters, v, {}, scratch.v);
    parallel_for(clusters.size(), cluster_grain(clusters), [&](int begin, int end) {
        for (int c = begin; c < end; ++c) find_rigid_motion(clusters, c, scratch);
    });
    parallel_for(clusters.blocks(), kBlockGrain, [&](int begin, int end) {
        for (int b = begin; b < end; ++b) {
            const Vector3<Lanes> kick = Lanes(rate / (1 + rate)) * blend_rigid_motion(clusters, b, scratch);
            add_to_block(clusters, b, kick, inv_mass, v);
        }
    });
}

}  // namespace

void damp_deformation(Real h, std::span<const Solid> solids, Particles& particles, std::span<SolidScratch> scratch)
{
    parallel_for(static_cast<int>(solids.size()), 1, [&](int begin, int end) {
        for (int s = begin; s < end; ++s) damp_solid(h, solids[s], particles, scratch[s]);
    });
}

}  // namespace pliant
