#pragma once
// The nearest point of a segment or a triangle, as weights of its corners.

#include "pliant/math/types.h"

#include <array>

namespace pliant {

/// How much of b: 0 at a, 1 at b. A segment without length gives a.
double nearest_on_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b);

/// Weights of the three corners, none negative, of sum one. A triangle without area counts as its edges.
std::array<double, 3> nearest_on_triangle(const Vec3d& p, const std::array<Vec3d, 3>& corners);

/// The point with these weights.
Vec3d blend(const std::array<double, 3>& weights, const std::array<Vec3d, 3>& corners);

}  // namespace pliant
