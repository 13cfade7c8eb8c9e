#pragma once
// Which points of a regular grid lie inside a surface, found line by line.
//
// A plane x = const cuts the triangles in segments that join, end to end, into closed polygons; a line in that plane
// cuts the polygons, and summing the signs of the cuts along the line gives the winding number of every grid point on
// it. Inside is where it is not zero.
//
// Ties (a grid line through an edge or a vertex) are settled by comparing each coordinate with the grid once, in
// GridAxis::first_beyond, and working with the resulting integers from there on. Where an edge crosses a plane is
// computed by a formula that gives the same bits for both of its triangles. So the polygons of a watertight mesh are
// closed whatever rounding does, each line enters and leaves them equally often, and nothing can leak. It is enough
// that corners have equal coordinates; they need not share vertices.

#include "pliant/geometry/mesh.h"

#include <array>
#include <cstdint>
#include <vector>

namespace pliant {

/// n points at equal distances, symmetric about zero.
struct GridAxis {
    double spacing;  // [m]
    int n;

    double coordinate(int i) const { return (i - 0.5 * (n - 1)) * spacing; }

    /// The first point whose coordinate is above `value`. A point exactly at it counts as slightly further away from
    /// zero than it is: on both sides alike, so mirrored surfaces have mirrored insides.
    int first_beyond(double value) const;
};

/// A regular grid around `center`, the middle of the surface's bounding box.
struct Grid {
    Vec3d center;
    std::array<GridAxis, 3> axes;

    Vec3d point(int i, int j, int k) const
    {
        return center + Vec3d{axes[0].coordinate(i), axes[1].coordinate(j), axes[2].coordinate(k)};
    }
};

/// Points (i, j, first .. last - 1), all inside.
struct Run {
    int i, j, first, last;
};

std::int64_t count_points(const std::vector<Run>& runs);

/// Cell centres: per axis as many points as cells of that size fit best, at least one.
Grid make_grid_around(const Box3& box, double spacing);

/// For closed surfaces. Runs are sorted by i, j, first.
std::vector<Run> scan_inside(const SurfaceMesh& mesh, const Grid& grid);

/// For surfaces with holes: lines along z, x and y, and a point is inside if two of its three lines say so. Lines
/// through a hole have no say.
std::vector<Run> scan_inside_by_vote(const SurfaceMesh& mesh, const Grid& grid);

}  // namespace pliant
