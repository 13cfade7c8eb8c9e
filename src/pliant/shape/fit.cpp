#include "pliant/shape/fit.h"

#include "pliant/math/procrustes.h"

namespace pliant {

void load_blocks(const Clusters& clusters, Range body, const Vec3& origin, const Particles& particles, Blocks& blocks)
{
    blocks.resize(clusters.rest.size());
    const Vector3<Lanes> o = spread(origin);
    const Vec3 *x = body.of(particles.x).data(), *low = body.of(particles.x_low).data();
    parallel_for(clusters.blocks(), kBlockGrain, [&](int begin, int end) {
        for (int b = begin; b < end; ++b) {
            if (lanes_of_block(clusters, b) == kLanes) {
                blocks[b] = (load_vectors(x + b * kLanes) - o) + load_vectors(low + b * kLanes);
                continue;
            }
            for (int l = 0; l < kLanes; ++l) {
                const int k = std::min(b * kLanes + l, body.count - 1);
                set_lane(blocks[b], l, (x[k] - origin) + low[k]);
            }
        }
    });
}

namespace {

constexpr int kPrefetch = 8;  // parts ahead whose blocks are prefetched

void prefetch(const Vector3<Lanes>* block)
{
    __builtin_prefetch(block);
    __builtin_prefetch(&block->z);
}

/// sum mu u and sum mu u v^T, eight members at a time.
struct MomentSum {
    Vector3<Lanes> u{};
    Matrix3<Lanes> b{};
};

PLIANT_INLINE MomentSum sum_moments(const Clusters& clusters, int c, const Vec3& origin, const Blocks& x)
{
    const Vector3<Lanes> o = spread(origin);
    const Vector3<Lanes> t0 = spread(clusters.rest_center[c]);
    MomentSum sum;
    const int last = static_cast<int>(clusters.part.size()) - 1;
    for (int p = clusters.first_part[c]; p < clusters.first_part[c + 1]; ++p) {
        const int block = clusters.part[p].block;
        const int ahead = clusters.part[std::min(p + kPrefetch, last)].block;
        prefetch(&x[ahead]);
        prefetch(&clusters.rest[ahead]);
        const Vector3<Lanes> u = clusters.weight[p] * (x[block] - o);
        const Vector3<Lanes> v = clusters.rest[block] - t0;
        sum.u += u;
        sum.b.c[0] += u * v.x;
        sum.b.c[1] += u * v.y;
        sum.b.c[2] += u * v.z;
    }
    return sum;
}

}  // namespace

int cluster_grain(const Clusters& clusters)
{
    const int parts = static_cast<int>(clusters.part.size()) / std::max(1, clusters.size()) + 1;
    return kLanes * std::max(1, 512 / (kLanes * parts));
}

void fit_group(const Clusters& clusters, int first, const Blocks& x, std::span<Mat3> previous,
               std::span<ClusterFit> fits)
{
    const int count = std::min(kLanes, clusters.size() - first);
    GroupSum<12> moments;
    Vector3<Lanes> origin{};
    Lanes mass = 1;
    Matrix3<Lanes> prior = Matrix3<Lanes>::identity();
    for (int l = 0; l < count; ++l) {
        const int c = first + l;
        const Vec3 o = central_value(clusters, c, x);
        const MomentSum sum = sum_moments(clusters, c, o, x);
        moments.set(0, l, sum.u);
        for (int j = 0; j < 3; ++j) {
            moments.set(3 + 3 * j, l, sum.b.c[j]);
            set_lane(prior.c[j], l, previous[c].c[j]);
        }
        set_lane(origin, l, o);
        mass.set(l, clusters.mass[c]);
    }
    const Lanes inverse_mass = Lanes(1) / mass;
    const Vector3<Lanes> center = origin + inverse_mass * moments.vector(0);
    Matrix3<Lanes> b = inverse_mass * Matrix3<Lanes>{{moments.vector(3), moments.vector(6), moments.vector(9)}};
    for (int l = count; l < kLanes; ++l) {  // padding lanes: any matrix that has a fit
        for (int j = 0; j < 3; ++j) set_lane(b.c[j], l, Mat3::identity().c[j]);
    }
    const RotationFit<Lanes> fit = fit_rotation(b, prior);
    for (int l = 0; l < count; ++l) {
        const int c = first + l;
        previous[c] = fits[c].rotation = lane(fit.rotation, l);
        fits[c].center = lane(center, l);
        fits[c].shift = fits[c].center - fits[c].rotation * clusters.rest_center[c];
    }
}

}  // namespace pliant
