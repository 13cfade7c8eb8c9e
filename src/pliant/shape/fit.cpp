#include "pliant/shape/fit.h"

#include "pliant/math/procrustes.h"

namespace pliant {

void load_blocks(const Clusters& clusters, std::span<const Vec3> values, const Vec3& origin, Blocks& blocks)
{
    blocks.resize(clusters.rest.size());
    const Vector3<Lanes> o = spread(origin);
    parallel_for(clusters.blocks(), kBlockGrain, [&](int begin, int end) {
        for (int b = begin; b < end; ++b) {
            const Vec3* first = &values[b * kLanes];
            if (lanes_of_block(clusters, b) == kLanes) {
                blocks[b] = load_vectors(first) - o;
                continue;
            }
            Vector3<Lanes> block = spread(values.back());
            for (int l = 0; l < lanes_of_block(clusters, b); ++l) set_lane(block, l, first[l]);
            blocks[b] = block - o;
        }
    });
}

void add_to_block(const Clusters& clusters, int block, const Vector3<Lanes>& change, std::span<const Real> inv_mass,
                  std::span<Vec3> values)
{
    const int first = block * kLanes;
    if (lanes_of_block(clusters, block) == kLanes) {
        const auto free = load(&inv_mass[first]) > Lanes(0);
        const Vector3<Lanes> x = load_vectors(&values[first]);
        return store_vectors(select(free, x + change, x), &values[first]);
    }
    for (int l = 0; l < lanes_of_block(clusters, block); ++l) {
        if (inv_mass[first + l] > 0) values[first + l] += lane(change, l);
    }
}

namespace {

constexpr int kAhead = 8;  // parts: their blocks are on the way from memory when it is their turn

void prefetch(const Vector3<Lanes>* block)
{
    __builtin_prefetch(block);
    __builtin_prefetch(&block->z);
}

}  // namespace

ClusterMoments cluster_moments(const Clusters& clusters, int c, const Vec3& origin, const Blocks& x)
{
    const Vector3<Lanes> o = spread(origin);
    const Vector3<Lanes> t0 = spread(clusters.rest_center[c]);
    Vector3<Lanes> sum_u{};
    Matrix3<Lanes> sum_b{};
    const int last = static_cast<int>(clusters.part.size()) - 1;
    for (int p = clusters.first_part[c]; p < clusters.first_part[c + 1]; ++p) {
        const int block = clusters.part[p].block;
        const int ahead = clusters.part[std::min(p + kAhead, last)].block;
        prefetch(&x[ahead]);
        prefetch(&clusters.rest[ahead]);
        const Vector3<Lanes> u = clusters.weight[p] * (x[block] - o);
        const Vector3<Lanes> v = clusters.rest[block] - t0;
        sum_u += u;
        sum_b.c[0] += u * v.x;
        sum_b.c[1] += u * v.y;
        sum_b.c[2] += u * v.z;
    }
    const Real inverse_mass = 1 / clusters.mass[c];
    const Vec3 offset = inverse_mass * sum(sum_u);
    return {offset, inverse_mass * sum(sum_b)};  // sum mu v = 0: the origin does not matter
}

int cluster_grain(const Clusters& clusters)
{
    const int parts = static_cast<int>(clusters.part.size()) / std::max(1, clusters.size()) + 1;
    return kLanes * std::max(1, 512 / (kLanes * parts));
}

void fit_group(const Clusters& clusters, int first, const Blocks& x, std::span<Mat3> previous,
               std::span<ClusterFit> fits)
{
    const int count = std::min(kLanes, clusters.size() - first);
    Matrix3<Lanes> b = Matrix3<Lanes>::identity(), prior = Matrix3<Lanes>::identity();
    for (int l = 0; l < count; ++l) {
        const int c = first + l;
        const Vec3 origin = central_value(clusters, c, x);
        const ClusterMoments moments = cluster_moments(clusters, c, origin, x);
        fits[c].center = origin + moments.offset;
        for (int j = 0; j < 3; ++j) {
            set_lane(b.c[j], l, moments.b.c[j]);
            set_lane(prior.c[j], l, previous[c].c[j]);
        }
    }
    const RotationFit<Lanes> fit = fit_rotation(b, prior);
    for (int l = 0; l < count; ++l) {
        const int c = first + l;
        previous[c] = fits[c].rotation = lane(fit.rotation, l);
        fits[c].shift = fits[c].center - fits[c].rotation * clusters.rest_center[c];
    }
}

}  // namespace pliant
