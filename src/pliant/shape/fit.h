#pragma once
// The rigid fit of every cluster, and of what moves with it.

#include "pliant/base/parallel.h"
#include "pliant/shape/clusters.h"

#include <algorithm>
#include <span>
#include <vector>

namespace pliant {

/// Where a cluster's rest shape is now: r -> shift + rotation r.
struct ClusterFit {
    Mat3 rotation;
    Vec3 center;  // t [m]
    Vec3 shift;   // t - rotation t0 [m]
};

using Blocks = std::vector<Vector3<Lanes>>;  // per block: a vector per particle

/// values - origin in blocks; `values` are those of the body's particles. Positions are kept
/// relative to a point of the body, so that one far from the world's origin loses nothing.
void load_blocks(const Clusters& clusters, std::span<const Vec3> values, const Vec3& origin, Blocks& blocks);

/// Fits up to eight clusters from `first` on.
void fit_group(const Clusters& clusters, int first, const Blocks& x, std::span<Mat3> previous,
               std::span<ClusterFit> fits);

/// How many clusters a thread takes at least: groups of eight, of some thousand members.
int cluster_grain(const Clusters& clusters);

/// Fits the clusters to positions x and keeps their rotations in `previous`, the priors of degenerate fits. Calls
/// then(c) for each of them while its members are still in the cache.
template <class Then>
void fit_clusters(const Clusters& clusters, const Blocks& x, std::span<Mat3> previous, std::span<ClusterFit> fits,
                  const Then& then)
{
    const int groups = (clusters.size() + kLanes - 1) / kLanes;
    parallel_for(groups, cluster_grain(clusters) / kLanes, [&](int begin, int end) {
        for (int first = begin * kLanes; first < end * kLanes; first += kLanes) {
            fit_group(clusters, first, x, previous, fits);
            for (int c = first; c < std::min(first + kLanes, clusters.size()); ++c) then(c);
        }
    });
}
inline void fit_clusters(const Clusters& clusters, const Blocks& x, std::span<Mat3> previous,
                         std::span<ClusterFit> fits)
{
    fit_clusters(clusters, x, previous, fits, [](int) {});
}

/// sum (mu/M) u and sum (mu/M) u v^T of a cluster, u = x - origin; origin is any point near it.
struct ClusterMoments {
    Vec3 offset;
    Mat3 b;
};
ClusterMoments cluster_moments(const Clusters& clusters, int cluster, const Vec3& origin, const Blocks& x);

/// The value at a cluster's central member.
inline Vec3 central_value(const Clusters& clusters, int cluster, const Blocks& x)
{
    const int at = clusters.central[cluster];
    return lane(x[at / kLanes], at % kLanes);
}

/// Lanes of a block that hold a particle; the last block may be padded.
inline int lanes_of_block(const Clusters& clusters, int block)
{
    return std::min(kLanes, clusters.particles() - block * kLanes);
}

/// Adds a change to the values of a block's particles, but for the pinned ones. Both spans are the body's.
void add_to_block(const Clusters& clusters, int block, const Vector3<Lanes>& change, std::span<const Real> inv_mass,
                  std::span<Vec3> values);

inline constexpr int kBlockGrain = 128;  // blocks a thread takes at least

}  // namespace pliant
