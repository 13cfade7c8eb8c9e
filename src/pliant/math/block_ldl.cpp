#include "pliant/math/block_ldl.h"

#include "pliant/math/symmetric3.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace pliant {

namespace {

/// Elimination on the graph: what is eliminated makes all its neighbours meet.
class Ordering {
  public:
    explicit Ordering(const BlockGraph& graph) : graph_(graph), near_(graph.neighbours.size()), waits_(graph.waits)
    {
        for (int u = 0; u < graph.unknowns(); ++u)
            for (const int v : graph.neighbours[u]) {
                if (u == v) continue;
                near_[u].push_back(v);
                near_[v].push_back(u);
            }
        for (std::vector<int>& list : near_) {
            std::ranges::sort(list);
            list.erase(std::ranges::unique(list).begin(), list.end());
        }
        for (int u = 0; u < graph.unknowns(); ++u)
            if (waits_[u] == 0) ready_.insert({degree(u), u});
    }

    /// Calls take(unknown, neighbours left) in the order of elimination.
    template <class Take>
    void run(const Take& take)
    {
        for (int done = 0; done < graph_.unknowns(); ++done) {
            if (ready_.empty()) stop_waiting();
            const int u = ready_.begin()->second;
            ready_.erase(ready_.begin());
            take(u, std::as_const(near_[u]));
            eliminate(u);
        }
    }

  private:
    int degree(int u) const { return static_cast<int>(near_[u].size()); }

    /// What waits for a body that cannot move waits no longer.
    void stop_waiting()
    {
        for (int u = 0; u < graph_.unknowns(); ++u)
            if (waits_[u] != 0) {
                waits_[u] = 0;
                ready_.insert({degree(u), u});
            }
    }

    void eliminate(int u)
    {
        const std::vector<int> clique = std::move(near_[u]);
        near_[u].clear();
        for (const int v : clique) {
            if (waits_[v] == 0) ready_.erase({degree(v), v});
            merged_.clear();
            std::ranges::set_union(near_[v], clique, std::back_inserter(merged_));
            std::erase_if(merged_, [&](int w) { return w == u || w == v; });
            near_[v] = merged_;
            if (graph_.negative[u] != 0) waits_[v] = 0;
            if (waits_[v] == 0) ready_.insert({degree(v), v});
        }
    }

    const BlockGraph& graph_;
    std::vector<std::vector<int>> near_;  // per unknown that is left: those that it meets, in order
    std::vector<char> waits_;
    std::set<std::pair<int, int>> ready_;  // degree and number
    std::vector<int> merged_;
};

double inverse_root_of_pivot(const double& pivot, const double& diagonal)
{
    return pivot > 1e-13 * diagonal ? 1 / std::sqrt(pivot) : 0;
}

/// sum -= s a b^T
void subtract_product(double s, const Mat3d& a, const Mat3d& b, Mat3d& sum)
{
    for (int j = 0; j < 3; ++j) sum.c[j] -= s * (b.c[0][j] * a.c[0] + b.c[1][j] * a.c[1] + b.c[2][j] * a.c[2]);
}

}  // namespace

int BlockPattern::block_of(int a, int b) const
{
    const int low = std::min(place[a], place[b]), high = std::max(place[a], place[b]);
    const auto begin = row.begin() + first[low], end = row.begin() + first[low + 1];
    return static_cast<int>(std::lower_bound(begin, end, high) - row.begin());
}

BlockPattern make_block_pattern(const BlockGraph& graph)
{
    BlockPattern pattern;
    std::vector<std::vector<int>> columns;  // per place: unknowns that are left when it is eliminated
    pattern.place.resize(graph.neighbours.size());
    Ordering(graph).run([&](int u, const std::vector<int>& left) {
        pattern.place[u] = static_cast<int>(pattern.unknown.size());
        pattern.unknown.push_back(u);
        pattern.sign.push_back(graph.negative[u] != 0 ? -1 : 1);
        columns.push_back(left);
    });
    for (std::size_t c = 0; c < columns.size(); ++c) {
        for (int& u : columns[c]) u = pattern.place[u];
        std::ranges::sort(columns[c]);
        pattern.first.push_back(pattern.blocks());
        pattern.row.push_back(static_cast<int>(c));
        pattern.row.insert(pattern.row.end(), columns[c].begin(), columns[c].end());
    }
    pattern.first.push_back(pattern.blocks());
    return pattern;
}

void factor_blocks(const BlockPattern& pattern, std::span<Mat3d> blocks, std::span<Vec3d> pivots)
{
    for (int c = 0; c < pattern.unknowns(); ++c) {
        const int first = pattern.first[c], last = pattern.first[c + 1];
        const double s = pattern.sign[c];
        Mat3d pivot = s * blocks[first];
        pivots[c] = factor_symmetric(pivot, inverse_root_of_pivot);
        blocks[first] = pivot;
        for (int i = first + 1; i < last; ++i) {
            divide_by_factor(pivot, pivots[c], blocks[i]);
            blocks[i] = s * blocks[i];
        }
        for (int j = first + 1; j < last; ++j) {
            int target = pattern.first[pattern.row[j]];
            for (int i = j; i < last; ++i) {
                while (pattern.row[target] != pattern.row[i]) ++target;
                subtract_product(s, blocks[i], blocks[j], blocks[target]);
            }
        }
    }
}

void solve_blocks(const BlockPattern& pattern, std::span<const Mat3d> blocks, std::span<const Vec3d> pivots,
                  std::span<Vec3d> x)
{
    for (int c = 0; c < pattern.unknowns(); ++c) {
        const int first = pattern.first[c], last = pattern.first[c + 1];
        x[c] = forward(blocks[first], pivots[c], x[c]);
        for (int i = first + 1; i < last; ++i) x[pattern.row[i]] -= blocks[i] * x[c];
    }
    for (int c = pattern.unknowns() - 1; c >= 0; --c) {
        const int first = pattern.first[c], last = pattern.first[c + 1];
        Vec3d sum = pattern.sign[c] * x[c];
        for (int i = first + 1; i < last; ++i) sum -= transposed_times(blocks[i], x[pattern.row[i]]);
        x[c] = backward(blocks[first], pivots[c], sum);
    }
}

}  // namespace pliant
