#pragma once

#include "pliant/geometry/convex.h"

#include <vector>

namespace pliant {

/// Two points that face each other.
struct FacingPoints {
    Vec3d on_a, on_b;  // [m]
    Vec3d n;           // from b to a
};

/// Where two convex shapes touch that are apart, or are about to: the features that face each other along the line between their
/// nearest points, one clipped to the other. Only points nearer than `margin`. Returns false if the shapes overlap, and neither
/// is a hull.
bool find_facing_points(const ConvexAt& a, const ConvexAt& b, double margin, std::vector<FacingPoints>& points);

}  // namespace pliant
