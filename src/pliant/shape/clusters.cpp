#include "pliant/shape/clusters.h"

#include "pliant/base/check.h"
#include "pliant/shape/cluster_rest.h"
#include "pliant/shape/clusters_of.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace pliant {

namespace {

/// Makes the slots of each block: the clusters of its eight particles, each with eight shares.
void make_slots(const ClustersOf& clusters_of, std::span<const Vec3d> rest, int clusters, Clusters& out)
{
    const int blocks = (out.particles + kLanes - 1) / kLanes;
    out.rest.resize(blocks);
    out.first_slot.assign(blocks + 1, 0);
    std::vector<int> slot_of(clusters, -1);  // per cluster: its slot in the current block
    for (int b = 0; b < blocks; ++b) {
        const int begin = static_cast<int>(out.share.size());
        for (int l = 0; l < kLanes; ++l) {
            const bool padding = b * kLanes + l >= out.particles;
            const int i = padding ? out.particles - 1 : b * kLanes + l;
            set_lane(out.rest[b], l, rest[i].cast<Real>());
            if (padding) continue;
            for (int k = clusters_of.first[i]; k < clusters_of.first[i + 1]; ++k) {
                const int c = clusters_of.cluster[k];
                if (slot_of[c] < begin) {
                    slot_of[c] = static_cast<int>(out.share.size());
                    out.cluster_of_slot.push_back(c);
                    out.share.emplace_back(0);
                }
                out.share[slot_of[c]].set(l, static_cast<Real>(clusters_of.share[k]));
            }
        }
        out.first_slot[b + 1] = static_cast<int>(out.share.size());
    }
}

/// Makes the parts of each cluster: its slots, in order of blocks, with the weights of the members.
void make_parts(std::span<const double> mass, int clusters, Clusters& out)
{
    out.first_part.assign(clusters + 1, 0);
    for (const int c : out.cluster_of_slot) ++out.first_part[c + 1];
    std::partial_sum(out.first_part.begin(), out.first_part.end(), out.first_part.begin());
    std::vector<int> next(out.first_part.begin(), out.first_part.end() - 1);
    out.part.resize(out.share.size());
    out.weight.resize(out.share.size());
    out.inverse_mass.resize(out.rest.size());
    for (int b = 0; b < out.blocks(); ++b) {
        for (int l = 0; l < std::min(kLanes, out.particles - b * kLanes); ++l) {
            out.inverse_mass[b].set(l, static_cast<Real>(1 / mass[b * kLanes + l]));
        }
        for (int slot = out.first_slot[b]; slot < out.first_slot[b + 1]; ++slot) {
            const int p = next[out.cluster_of_slot[slot]]++;
            out.part[p] = {b, slot};
            for (int l = 0; l < std::min(kLanes, out.particles - b * kLanes); ++l) {
                const double m = mass[b * kLanes + l];
                out.weight[p].set(l, static_cast<Real>(static_cast<double>(out.share[slot][l]) * m));
            }
        }
    }
}

/// The member nearest to the centre.
int find_central(int c, const Clusters& out)
{
    int central = 0;
    Real nearest = std::numeric_limits<Real>::max();
    for (int p = out.first_part[c]; p < out.first_part[c + 1]; ++p) {
        const int b = out.part[p].block;
        for (int l = 0; l < kLanes; ++l) {
            const Real distance = (lane(out.rest[b], l) - out.rest_center[c]).squared_norm();
            if (out.weight[p][l] <= 0 || distance >= nearest) continue;
            nearest = distance;
            central = b * kLanes + l;
        }
    }
    return central;
}

}  // namespace

Clusters make_clusters(const Memberships& memberships, std::span<const Vec3d> rest, std::span<const double> mass)
{
    Clusters out;
    const int points = static_cast<int>(rest.size());
    const int clusters = memberships.clusters();
    const ClustersOf clusters_of(memberships, points);
    for (int i = 0; i < points; ++i) PLIANT_ASSERT(!clusters_of.of(i).empty());

    out.particles = points;
    make_slots(clusters_of, rest, clusters, out);
    make_parts(mass, clusters, out);
    for (const ClusterRest& rest_shape : measure_clusters(memberships, rest, mass)) {
        out.rest_center.push_back(rest_shape.center.cast<Real>());
        out.mass.push_back(static_cast<Real>(rest_shape.mass));
        out.radius.push_back(static_cast<Real>(rest_shape.radius));
        out.mean_square_radius.push_back(static_cast<Real>(rest_shape.spread));
    }
    for (int c = 0; c < clusters; ++c) out.central.push_back(find_central(c, out));
    return out;
}

}  // namespace pliant
