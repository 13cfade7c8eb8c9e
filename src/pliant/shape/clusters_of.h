#pragma once
// From particles to their clusters; for building clusters only.

#include "pliant/shape/memberships.h"

#include <numeric>
#include <span>
#include <vector>

namespace pliant {

/// The clusters of each particle, ascending: the transpose of `memberships`.
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

}  // namespace pliant
