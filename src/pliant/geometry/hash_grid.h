#pragma once
// A spatial hash: points sorted into cubic cells, for finding those within a radius of a position.

#include "pliant/math/types.h"

#include <cmath>
#include <span>
#include <vector>

namespace pliant {

class HashGrid {
  public:
    /// Keeps a view of the points; queries are fastest for radii of about `cell` [m] > 0.
    HashGrid(std::span<const Vec3d> points, double cell);

    /// Calls found(i) for every point with |p_i - center| <= radius, cell by cell, in a fixed order.
    template <class Found>
    void for_each_within(const Vec3d& center, double radius, Found&& found) const
    {
        const Vec3d r{radius, radius, radius};
        const auto low = cell_of(center - r), high = cell_of(center + r);
        for (long x = low.x; x <= high.x; ++x) {
            for (long y = low.y; y <= high.y; ++y) {
                for (long z = low.z; z <= high.z; ++z) {
                    const std::size_t b = bucket({x, y, z});
                    for (int k = first_[b]; k < first_[b + 1]; ++k) {
                        const Entry& e = entry_[k];
                        if (e.cell == Cell{x, y, z} && (points_[e.point] - center).squared_norm() <= radius * radius)
                            found(e.point);
                    }
                }
            }
        }
    }

  private:
    struct Cell {
        long x, y, z;
        friend bool operator==(const Cell&, const Cell&) = default;
    };
    struct Entry {
        Cell cell;
        int point;
    };

    Cell cell_of(const Vec3d& p) const
    {
        return {std::lround(std::floor(p.x / cell_)), std::lround(std::floor(p.y / cell_)),
                std::lround(std::floor(p.z / cell_))};
    }
    std::size_t bucket(const Cell& c) const
    {
        const auto h = static_cast<std::size_t>(c.x) * 73856093U ^ static_cast<std::size_t>(c.y) * 19349663U ^
                       static_cast<std::size_t>(c.z) * 83492791U;
        return h % (first_.size() - 1);
    }

    std::span<const Vec3d> points_;
    double cell_;
    std::vector<int> first_;    // per bucket, and one past the end
    std::vector<Entry> entry_;  // in order of buckets, then of points
};

}  // namespace pliant
