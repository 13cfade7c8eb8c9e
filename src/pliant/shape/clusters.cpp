#include "pliant/shape/clusters.h"

#include "pliant/base/check.h"

#include <algorithm>
#include <numeric>

namespace pliant {

void Memberships::add(std::span<const int> members)
{
    member.insert(member.end(), members.begin(), members.end());
    share.resize(member.size(), 0.0);
    first.push_back(count());
}

void share_equally(int particles, Memberships& memberships)
{
    std::vector<int> n(static_cast<std::size_t>(particles), 0);
    for (const int i : memberships.member) ++n[i];
    for (int k = 0; k < memberships.count(); ++k) memberships.share[k] = 1.0 / n[memberships.member[k]];
}

namespace {

/// Per particle its clusters, ascending: the transpose of `memberships`.
struct ClustersOf {
    std::vector<int> first, cluster;
    std::vector<double> share;

    ClustersOf(const Memberships& m, int particles) : first(particles + 1, 0), cluster(m.count()), share(m.count())
    {
        for (const int i : m.member) ++first[i + 1];
        std::partial_sum(first.begin(), first.end(), first.begin());
        std::vector<int> next(first.begin(), first.end() - 1);
        for (int c = 0; c < m.clusters(); ++c) {
            for (int k = m.first[c]; k < m.first[c + 1]; ++k) {
                const int slot = next[m.member[k]]++;
                cluster[slot] = c;
                share[slot] = m.share[k];
            }
        }
    }
    std::span<const int> of(int i) const
    {
        return std::span(cluster).subspan(first[i], static_cast<std::size_t>(first[i + 1] - first[i]));
    }
};

/// Particles in an order that puts those with the same clusters side by side, padded to whole blocks.
std::vector<int> order_particles(const ClustersOf& clusters_of, int particles)
{
    std::vector<int> order(particles);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        const auto ca = clusters_of.of(a), cb = clusters_of.of(b);
        return std::lexicographical_compare(ca.begin(), ca.end(), cb.begin(), cb.end());
    });
    while (order.size() % kLanes != 0) order.push_back(order.back());
    return order;
}

/// The entries of each block: the clusters of its eight particles, each with eight shares.
void make_blocks(const ClustersOf& clusters_of, std::span<const Vec3d> rest, std::span<const double> mass, int clusters,
                 Clusters& out)
{
    const int blocks = static_cast<int>(out.particle_of_lane.size()) / kLanes;
    out.rest.resize(blocks);
    out.block_mass.resize(blocks, Lanes(0));
    out.first_of_block.assign(blocks + 1, 0);

    std::vector<Clusters::Entry> by_block;
    std::vector<Lanes> share;
    std::vector<int> slot(clusters, -1);  // per cluster: its entry in the current block
    for (int b = 0; b < blocks; ++b) {
        const int begin = static_cast<int>(by_block.size());
        for (int l = 0; l < kLanes; ++l) {
            const int i = out.particle_of_lane[b * kLanes + l];
            set_lane(out.rest[b], l, rest[i].cast<Real>());
            if (b * kLanes + l >= out.particles) continue;  // padding
            out.block_mass[b].set(l, static_cast<Real>(mass[i]));
            for (int k = clusters_of.first[i]; k < clusters_of.first[i + 1]; ++k) {
                const int c = clusters_of.cluster[k];
                if (slot[c] < begin) {
                    slot[c] = static_cast<int>(by_block.size());
                    by_block.push_back({b, c});
                    share.emplace_back(0);
                }
                share[slot[c]].set(l, static_cast<Real>(clusters_of.share[k]));
            }
        }
        out.first_of_block[b + 1] = static_cast<int>(by_block.size());
    }

    // The same entries in order of clusters; within one, in order of blocks.
    out.first_entry.assign(clusters + 1, 0);
    for (const auto& e : by_block) ++out.first_entry[e.cluster + 1];
    std::partial_sum(out.first_entry.begin(), out.first_entry.end(), out.first_entry.begin());
    std::vector<int> next(out.first_entry.begin(), out.first_entry.end() - 1);
    out.entry.resize(by_block.size());
    out.share.resize(by_block.size());
    out.entries_of_block.resize(by_block.size());
    for (std::size_t k = 0; k < by_block.size(); ++k) {
        const int e = next[by_block[k].cluster]++;
        out.entry[e] = by_block[k];
        out.share[e] = share[k];
        out.entries_of_block[k] = e;
    }
}

/// The inverse of a moment, or zero where its points lie in a plane.
Mat3 invert_moment(const Mat3d& moment)
{
    const double mean = moment.trace() / 3;
    return moment.determinant() > 1e-6 * mean * mean * mean ? moment.inverse().cast<Real>() : Mat3{};
}

void measure_cluster(const Memberships& m, int c, std::span<const Vec3d> rest, std::span<const double> mass,
                     Clusters& out)
{
    double total = 0;
    Vec3d sum;
    for (int k = m.first[c]; k < m.first[c + 1]; ++k) {
        const double mu = m.share[k] * mass[m.member[k]];
        total += mu;
        sum += mu * rest[m.member[k]];
    }
    const Vec3d center = sum / total;
    double farthest = 0, spread = 0;
    Mat3d moment;
    for (int k = m.first[c]; k < m.first[c + 1]; ++k) {
        const Vec3d v = rest[m.member[k]] - center;
        const double weight = m.share[k] * mass[m.member[k]] / total;
        farthest = std::max(farthest, v.norm());
        spread += weight * v.squared_norm();
        moment += Mat3d::outer(weight * v, v);
    }
    out.rest_center[c] = center.cast<Real>();
    out.mass[c] = static_cast<Real>(total);
    out.radius[c] = static_cast<Real>(farthest);
    out.mean_square_radius[c] = static_cast<Real>(spread);
    out.inverse_moment[c] = invert_moment(moment);
}

/// What the rounding of rest positions leaves of sum mu v = 0, and the member nearest to the centre.
void measure_entries(int c, Clusters& out)
{
    Vec3d residual;
    double total = 0;
    Real nearest = std::numeric_limits<Real>::max();
    for (int e = out.first_entry[c]; e < out.first_entry[c + 1]; ++e) {
        const int b = out.entry[e].block;
        for (int l = 0; l < kLanes; ++l) {
            if (out.share[e][l] <= 0) continue;
            const Vec3 v = lane(out.rest[b], l) - out.rest_center[c];
            const double mu = double(out.share[e][l]) * double(out.block_mass[b][l]);
            residual += mu * v.cast<double>();
            total += mu;
            if (v.squared_norm() < nearest) {
                nearest = v.squared_norm();
                out.central[c] = b * kLanes + l;
            }
        }
    }
    out.rest_residual[c] = (residual / total).cast<Real>();
}

}  // namespace

Clusters make_clusters(const Memberships& memberships, std::span<const Vec3d> rest, std::span<const double> mass)
{
    Clusters out;
    out.particles = static_cast<int>(rest.size());
    const int clusters = memberships.clusters();
    const ClustersOf clusters_of(memberships, out.particles);
    for (int i = 0; i < out.particles; ++i) PLIANT_ASSERT(!clusters_of.of(i).empty());

    out.particle_of_lane = order_particles(clusters_of, out.particles);
    make_blocks(clusters_of, rest, mass, clusters, out);
    const auto n = static_cast<std::size_t>(clusters);
    out.rest_center.resize(n);
    out.rest_residual.resize(n);
    out.mass.resize(n);
    out.radius.resize(n);
    out.mean_square_radius.resize(n);
    out.inverse_moment.resize(n);
    out.central.resize(n);
    out.rotation.assign(n, Mat3::identity());
    for (int c = 0; c < clusters; ++c) {
        measure_cluster(memberships, c, rest, mass, out);
        measure_entries(c, out);
    }
    return out;
}

}  // namespace pliant
