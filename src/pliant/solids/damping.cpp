#include "pliant/solids/damping.h"

#include "pliant/base/parallel.h"
#include "pliant/shape/inertia.h"

namespace pliant {

namespace {

/// Uses ClusterFit::center for a cluster's centre of mass, LimitFit::mean and spin for its velocity and rotation.
void find_rigid_motion(const Clusters& clusters, int c, SolidScratch& scratch)
{
    const Vec3 origin = central_value(clusters, c, scratch.x);
    const Vec3 base = central_value(clusters, c, scratch.v);  // velocities relative to one member's keep their accuracy
    const Vector3<Lanes> o = spread(origin), w = spread(base);
    Vector3<Lanes> sum_u{}, sum_p{}, sum_l{};
    for (int e = clusters.first_entry[c]; e < clusters.first_entry[c + 1]; ++e) {
        const int block = clusters.entry[e].block;
        const Lanes mu = clusters.share[e] * clusters.block_mass[block];
        const Vector3<Lanes> u = scratch.x[block] - o;
        const Vector3<Lanes> p = mu * (scratch.v[block] - w);
        sum_u += mu * u;
        sum_p += p;
        sum_l += u.cross(p);
    }
    const Real inverse_mass = 1 / clusters.mass[c];
    const Vec3 offset = inverse_mass * sum(sum_u);
    const Vec3 momentum = sum(sum_p);
    scratch.fits[c].center = origin + offset;
    scratch.limits[c].mean = base + inverse_mass * momentum;
    scratch.limits[c].spin =
        spin_of(cluster_inertia(clusters, c, origin + offset, scratch.x), sum(sum_l) - offset.cross(momentum));
}

Vector3<Lanes> blend_rigid_motion(const Clusters& clusters, int block, const SolidScratch& scratch)
{
    Vector3<Lanes> blend{};
    for (int k = clusters.first_of_block[block]; k < clusters.first_of_block[block + 1]; ++k) {
        const int e = clusters.entries_of_block[k];
        const int c = clusters.entry[e].cluster;
        const Vector3<Lanes> rho = scratch.x[block] - spread(scratch.fits[c].center);
        const Vector3<Lanes> rigid = spread(scratch.limits[c].mean) + spread(scratch.limits[c].spin).cross(rho);
        blend += clusters.share[e] * (rigid - scratch.v[block]);
    }
    return blend;
}

void damp_solid(Real h, const Solid& solid, Particles& particles, SolidScratch& scratch)
{
    const Real rate = h * solid.params.damping;
    if (rate == 0) return;
    const Clusters& clusters = solid.clusters;
    const Range range = solid.particles;
    load_blocks(clusters, std::span(particles.x).subspan(range.first, range.count), particles.x[range.first],
                scratch.x);
    load_blocks(clusters, std::span(particles.v).subspan(range.first, range.count), {}, scratch.v);
    parallel_for(clusters.size(), cluster_grain(clusters), [&](int begin, int end) {
        for (int c = begin; c < end; ++c) find_rigid_motion(clusters, c, scratch);
    });
    parallel_for(clusters.blocks(), kBlockGrain, [&](int begin, int end) {
        for (int b = begin; b < end; ++b) {
            const Vector3<Lanes> kick = Lanes(rate / (1 + rate)) * blend_rigid_motion(clusters, b, scratch);
            for (int l = 0; l < lanes_of_block(clusters, b); ++l) {
                const int i = range.first + clusters.particle_of_lane[b * kLanes + l];
                if (particles.inv_mass[i] > 0) particles.v[i] += lane(kick, l);
            }
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
