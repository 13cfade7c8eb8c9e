#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace pliant {

/// Disjoint sets of indices that are merged (union-find); each is represented by its lowest member.
class DisjointSets {
  public:
    explicit DisjointSets(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }

    int find(int i)
    {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(int i, int j)
    {
        i = find(i);
        j = find(j);
        parent_[std::max(i, j)] = std::min(i, j);
    }

  private:
    std::vector<int> parent_;
};

}  // namespace pliant
