#include "pliant/shape/memberships.h"

#include "pliant/math/lanes.h"
#include "pliant/shape/clusters_of.h"

#include <algorithm>
#include <iterator>
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

/// Chooses which eight particles share a block: first those with exactly the same clusters, then, greedily, those that
/// add the fewest slots among the next candidates in lexicographic order of their clusters.
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
    static constexpr std::size_t kWindow = 128;  // candidates for a lane of a block

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
    /// Unused lanes that a particle would cause: eight for each slot that it adds, one for each that it does not use.
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

}  // namespace

std::vector<int> order_by_eight(const Memberships& memberships, int points)
{
    const ClustersOf clusters_of(memberships, points);
    return BlockOrder(clusters_of, points).order();
}

void renumber(std::span<const int> order, Memberships& memberships)
{
    std::vector<int> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<int>(k);
    for (int& member : memberships.member) member = place[member];
}

}  // namespace pliant
