#include "pliant/geometry/hash_grid.h"

#include <algorithm>
#include <numeric>

namespace pliant {

HashGrid::HashGrid(std::span<const Vec3d> points, double cell)
    : points_(points), cell_(cell), first_(std::max<std::size_t>(points.size(), 1) + 1, 0), entry_(points.size())
{
    std::vector<std::size_t> at(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        at[i] = bucket(cell_of(points[i]));
        ++first_[at[i] + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<int> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < points.size(); ++i) {
        entry_[next[at[i]]++] = {cell_of(points[i]), static_cast<int>(i)};
    }
}

}  // namespace pliant
