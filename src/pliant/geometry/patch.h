#pragma once

#include "pliant/geometry/mesh.h"

#include <span>

namespace pliant {

/// A sheet of nx x ny cells that fills four sides, as a pattern for cloth is cut: flat or not. The sides go around it,
/// each from where the one before ends, counter-clockwise seen from its front; each is a line through two points or
/// more, which the vertices divide evenly. Vertex (i, j), i along the first side, is number j * (nx + 1) + i; (0, 0) is
/// where the first side starts. Inside, the vertices are blended from all sides (a Coons patch). Throws InputError that
/// names the side.
SurfaceMesh make_patch(std::span<const std::vector<Vec3d>> sides, int nx, int ny);

}  // namespace pliant
