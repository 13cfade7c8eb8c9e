#pragma once
// The signed distance to a closed surface at the points of a regular grid, blended in between. It is made once and only
// looked at in a step.
//
// At its points the distance is exact: that to the nearest triangle, inside too, with the sign of scan.h. The grid reaches
// a quarter of the longest side beyond the surface. For points further away the nearest point is found from the grid's border.

#include "pliant/geometry/distance.h"
#include "pliant/geometry/mesh.h"

#include <array>
#include <vector>

namespace pliant {

struct DistanceField {
    Vec3 low;                    // first point [m]
    Real voxel = 0;              // distance of the points [m]
    std::array<int, 3> size{};   // how many along each axis
    std::vector<Real> distance;  // per point, the first axis the fastest [m]

    std::size_t index(int i, int j, int k) const
    {
        return (static_cast<std::size_t>(k) * static_cast<std::size_t>(size[1]) + static_cast<std::size_t>(j)) *
                   static_cast<std::size_t>(size[0]) +
               static_cast<std::size_t>(i);
    }
};

/// `voxel` [m]: 0 takes 1/64 of the longest side. Throws InputError for a mesh that is not closed, or if the grid would
/// have more than kMostPoints.
DistanceField make_distance_field(const SurfaceMesh& mesh, double voxel = 0);

inline constexpr double kMostPoints = 1 << 25;

SurfacePoint nearest_on_field(const DistanceField& field, const Vec3& p);

}  // namespace pliant
