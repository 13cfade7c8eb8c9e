#pragma once
// The plane that separates two convex things best, by the algorithm of Gilbert, Johnson and Keerthi [GJK88]: the point of
// A - B that is nearest to the origin, over simplices of up to four points. In every iteration the direction to it gives a
// lower bound of the distance, the clearance along it, so that the result is certified even where it has not converged.

#include "pliant/geometry/shape.h"

#include <span>

namespace pliant {

struct SeparatingPlane {
    Vec3d n;  // unit vector from the second thing to the first
    double clearance =
        0;  // along n: of all points of the first from all of the second [m]; not positive if they overlap
    std::array<double, 6> w{};  // of points: the nearest is the sum of w_i x_i

    explicit operator bool() const { return clearance > 0; }
};

/// Between the convex hull of up to six points and a convex shape, in the frame of the shape.
SeparatingPlane separate(std::span<const Vec3d> points, const Shape& shape);

/// The same from the hull of other points.
SeparatingPlane separate(std::span<const Vec3d> points, std::span<const Vec3d> others);

/// The same for any number of points, without weights.
SeparatingPlane separate_hull(std::span<const Vec3d> points, const Shape& shape);

/// Where a shape is in the frame of another.
struct SeenPose {
    Mat3d rotation;
    Vec3d position;
};

/// Between two convex shapes, or the convex hull of the first one at several places and the second.
SeparatingPlane separate(const Shape& shape, std::span<const SeenPose> at, const Shape& other);
/// The same from the hull of some points.
SeparatingPlane separate(const Shape& shape, std::span<const SeenPose> at, std::span<const Vec3d> others);

}  // namespace pliant
