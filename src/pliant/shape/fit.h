#pragma once
// The rigid fit of every cluster, and access to particles in blocks of eight.

#include "pliant/base/parallel.h"
#include "pliant/math/compensated.h"
#include "pliant/shape/clusters.h"
#include "pliant/state/particles.h"

#include <algorithm>
#include <span>
#include <vector>

namespace pliant {

/// The best rigid motion of a cluster's rest shape: r -> shift + rotation r.
struct ClusterFit {
    Mat3 rotation;
    Vec3 center;  // t [m]
    Vec3 shift;   // t - rotation t0 [m]
};

using Blocks = std::vector<Vector3<Lanes>>;  // per block: a vector per particle

/// x + x_low - origin of the body's particles, in blocks. Positions are relative to a point of the body, so that no
/// precision is lost far from the world's origin.
void load_blocks(const Clusters& clusters, Range body, const Vec3& origin, const Particles& particles, Blocks& blocks);

/// kCount sums over the members of up to eight clusters, each as partial sums of eight members.
template <int kCount>
struct GroupSum {
    Lanes parts[kCount][kLanes];

    void set(int number, int cluster, const Vector3<Lanes>& a)
    {
        for (int i = 0; i < 3; ++i) parts[number + i][cluster] = a[i];
    }
    /// The totals of three sums from `number` on, one lane per cluster.
    Vector3<Lanes> vector(int number) const
    {
        return {sums(parts[number]), sums(parts[number + 1]), sums(parts[number + 2])};
    }
};

/// Fits up to eight clusters from `first` on.
void fit_group(const Clusters& clusters, int first, const Blocks& x, std::span<Mat3> previous,
               std::span<ClusterFit> fits);

/// Clusters per parallel task: groups of eight, with some thousand members.
int cluster_grain(const Clusters& clusters);

/// Fits the clusters to positions x. `previous` are the rotations that degenerate fits fall back to, and is set to the
/// new ones. Calls then(begin, end) for each group of up to eight clusters while their members are still in the cache.
template <class Then>
void fit_clusters(const Clusters& clusters, const Blocks& x, std::span<Mat3> previous, std::span<ClusterFit> fits,
                  const Then& then)
{
    const int groups = (clusters.size() + kLanes - 1) / kLanes;
    parallel_for(groups, cluster_grain(clusters) / kLanes, [&](int begin, int end) {
        for (int first = begin * kLanes; first < end * kLanes; first += kLanes) {
            fit_group(clusters, first, x, previous, fits);
            then(first, std::min(first + kLanes, clusters.size()));
        }
    });
}
inline void fit_clusters(const Clusters& clusters, const Blocks& x, std::span<Mat3> previous,
                         std::span<ClusterFit> fits)
{
    fit_clusters(clusters, x, previous, fits, [](int, int) {});
}

/// The value at a cluster's central member.
inline Vec3 central_value(const Clusters& clusters, int cluster, const Blocks& x)
{
    const int at = clusters.central[cluster];
    return lane(x[at / kLanes], at % kLanes);
}

/// Lanes of a block that are not padding: all but in the last block.
inline int lanes_of_block(const Clusters& clusters, int block)
{
    return std::min(kLanes, clusters.particles - block * kLanes);
}

/// Adds a change to the velocities of a block's particles, except pinned ones. Both spans are the body's.
PLIANT_INLINE void add_to_block(const Clusters& clusters, int block, const Vector3<Lanes>& change,
                                std::span<const Real> inv_mass, std::span<Vec3> values)
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

/// Moves a block's particles, except pinned ones.
PLIANT_INLINE void move_block(const Clusters& clusters, int block, const Vector3<Lanes>& change, Range body,
                              Particles& particles)
{
    const int first = body.first + block * kLanes;
    if (lanes_of_block(clusters, block) == kLanes) {
        const auto free = load(&particles.inv_mass[first]) > Lanes(0);
        Vector3<Lanes> x = load_vectors(&particles.x[first]), low = load_vectors(&particles.x_low[first]);
        add_compensated(select(free, change, Vector3<Lanes>{}), x, low);
        store_vectors(x, &particles.x[first]);
        return store_vectors(low, &particles.x_low[first]);
    }
    for (int l = 0; l < lanes_of_block(clusters, block); ++l) {
        const int i = first + l;
        if (particles.inv_mass[i] > 0) add_compensated(lane(change, l), particles.x[i], particles.x_low[i]);
    }
}

inline constexpr int kBlockGrain = 128;  // blocks per parallel task, at least

}  // namespace pliant
