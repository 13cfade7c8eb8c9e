#pragma once
// The points of a cloud that are near a position.

#include "pliant/geometry/hash_grid.h"
#include "pliant/math/types.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace pliant {

class NearPoints {
  public:
    /// Keeps a view of the points. `spacing` is their typical distance [m]; where it is unknown, all count as near.
    NearPoints(std::span<const Vec3d> points, double spacing)
        : points_(points), spacing_(spacing > 0 ? spacing : 1), grid_(points, 2 * spacing_)
    {}

    std::span<const Vec3d> points() const { return points_; }
    double spacing() const { return spacing_; }

    /// In order of their numbers.
    std::vector<int> within(double radius, const Vec3d& at) const
    {
        std::vector<int> found;
        if (radius > kFar * spacing_) {  // visiting all points is faster than visiting many empty cells
            for (int i = 0; i < static_cast<int>(points_.size()); ++i)
                if ((points_[i] - at).squared_norm() <= radius * radius) found.push_back(i);
        } else {
            grid_.for_each_within(at, radius, [&](int i) { found.push_back(i); });
            std::ranges::sort(found);
        }
        return found;
    }

    /// Of several the first.
    int nearest(const Vec3d& at) const
    {
        std::vector<int> found;
        for (double radius = 2 * spacing_; found.empty(); radius *= 2) found = within(radius, at);
        return *std::ranges::min_element(found, {}, [&](int i) { return (points_[i] - at).squared_norm(); });
    }
    /// To the nearest point [m].
    double distance(const Vec3d& at) const { return (points_[nearest(at)] - at).norm(); }

  private:
    static constexpr double kFar = 16;  // spacings
    std::span<const Vec3d> points_;
    double spacing_;
    HashGrid grid_;
};

}  // namespace pliant
