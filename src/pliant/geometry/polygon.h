#pragma once

#include "pliant/math/types.h"

#include <array>
#include <span>
#include <vector>

namespace pliant {

/// Cuts a polygon, flat or nearly so, convex or not, into triangles of its corners 0 .. n - 1 by clipping ears. One
/// that crosses itself has no right answer but still gives n - 2 triangles.
std::vector<std::array<int, 3>> cut_polygon(std::span<const Vec3d> corners);

}  // namespace pliant
