#include "pliant/shape/clusters.h"

#include "pliant/base/check.h"

#include <algorithm>
#include <iterator>
#include <limits>
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

/// Chooses which eight particles share a block: first those with the very same clusters, then, among the
/// next ones in lexicographic order of their clusters, those that add the fewest slots.
class BlockOrder {
  public:
    BlockOrder(const ClustersOf& clusters_of, int particles) : clusters_of_(clusters_of), sorted_(particles)
    {
        std::iota(sorted_.begin(), sorted_.end(), 0);
        std::sort(sorted_.begin(), sorted_.end(), [&](int a, int b) {
            const auto ca = clusters_of.of(a), cb = clusters_of.of(b);
            const auto order = std::lexicographical_compare_three_way(ca.begin(), ca.end(), cb.begin(), cb.end());
            return order == 0 ? a < b : order < 0;
        });
        take_alike();
        while (!left_.empty()) take_block();
    }
    std::vector<int> order() && { return std::move(order_); }

  private:
    static constexpr std::size_t kWindow = 128;  // candidates for a place in a block

    void take_alike()
    {
        const auto same = [&](int a, int b) { return std::ranges::equal(clusters_of_.of(a), clusters_of_.of(b)); };
        for (auto begin = sorted_.begin(); begin != sorted_.end();) {
            const auto end = std::find_if(begin, sorted_.end(), [&](int i) { return !same(*begin, i); });
            const auto full = begin + (end - begin) / kLanes * kLanes;
            order_.insert(order_.end(), begin, full);
            left_.insert(left_.end(), full, end);
            begin = end;
        }
        std::reverse(left_.begin(), left_.end());  // the next one is at the back
    }
    void take_block()
    {
        std::vector<int> slots;  // of the block so far, ascending
        for (int l = 0; l < kLanes && !left_.empty(); ++l) {
            const auto window = left_.end() - static_cast<std::ptrdiff_t>(std::min(kWindow, left_.size()));
            auto best = left_.end() - 1;
            int least = slots.empty() ? 0 : cost(slots, *best);
            for (auto at = best; !slots.empty() && at != window;) {
                --at;
                if (const int c = cost(slots, *at); c < least) {
                    least = c;
                    best = at;
                }
            }
            std::vector<int> joined;
            std::ranges::set_union(slots, clusters_of_.of(*best), std::back_inserter(joined));
            slots = std::move(joined);
            order_.push_back(*best);
            left_.erase(best);
        }
    }
    /// Idle lanes that a particle would bring: eight for each slot it adds, one for each it does not use.
    int cost(const std::vector<int>& slots, int particle) const
    {
        int common = 0;
        const auto own = clusters_of_.of(particle);
        for (const int c : own) common += std::binary_search(slots.begin(), slots.end(), c) ? 1 : 0;
        return kLanes * (static_cast<int>(own.size()) - common) + (static_cast<int>(slots.size()) - common);
    }

    const ClustersOf& clusters_of_;
    std::vector<int> sorted_, left_, order_;
};

/// The slots of each block: the clusters of its eight particles, each with eight shares.
void make_slots(const ClustersOf& clusters_of, std::span<const Vec3d> rest, int clusters, Clusters& out)
{
    const int blocks = (out.particles() + kLanes - 1) / kLanes;
    out.rest.resize(blocks);
    out.first_slot.assign(blocks + 1, 0);
    std::vector<int> slot_of(clusters, -1);  // per cluster: its slot in the current block
    for (int b = 0; b < blocks; ++b) {
        const int begin = static_cast<int>(out.share.size());
        for (int l = 0; l < kLanes; ++l) {
            const bool padding = b * kLanes + l >= out.particles();
            const int i = padding ? out.point_of_particle.back() : out.point_of_particle[b * kLanes + l];
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

/// The parts of each cluster: its slots, in order of blocks, with the weights of the members.
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
        for (int l = 0; l < std::min(kLanes, out.particles() - b * kLanes); ++l) {
            out.inverse_mass[b].set(l, static_cast<Real>(1 / mass[out.point_of_particle[b * kLanes + l]]));
        }
        for (int slot = out.first_slot[b]; slot < out.first_slot[b + 1]; ++slot) {
            const int p = next[out.cluster_of_slot[slot]]++;
            out.part[p] = {b, slot};
            for (int l = 0; l < std::min(kLanes, out.particles() - b * kLanes); ++l) {
                const double m = mass[out.point_of_particle[b * kLanes + l]];
                out.weight[p].set(l, static_cast<Real>(static_cast<double>(out.share[slot][l]) * m));
            }
        }
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

    out.point_of_particle = BlockOrder(clusters_of, points).order();
    make_slots(clusters_of, rest, clusters, out);
    make_parts(mass, clusters, out);
    const auto n = static_cast<std::size_t>(clusters);
    out.rest_center.resize(n);
    out.mass.resize(n);
    out.radius.resize(n);
    out.mean_square_radius.resize(n);
    out.inverse_moment.resize(n);
    out.central.resize(n);
    out.rotation.assign(n, Mat3::identity());
    for (int c = 0; c < clusters; ++c) {
        measure_cluster(memberships, c, rest, mass, out);
        out.central[c] = find_central(c, out);
    }
    return out;
}

}  // namespace pliant
