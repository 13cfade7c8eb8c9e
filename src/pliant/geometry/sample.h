#pragma once
// Fills a surface with points: the particles of a solid.
//
// Points lie on a regular grid, in the middles of its cells, symmetric about the centre of the bounding box, so that a
// mirror-symmetric body has a mirror-symmetric filling. Kept are those around which the surface winds (winding number
// not zero): overlapping and nested parts count as one body, an inner surface turned inside out is a hollow. Surfaces
// with holes are filled too, by a vote of lines along x, y and z; how lines are followed is told in scan.h. Points come
// in the order of x, then y, then z.
//
// An InputError says what is wrong with the surface, and which spacing would do.

#include "pliant/geometry/mesh.h"

#include <cstdint>
#include <vector>

namespace pliant {

constexpr std::int64_t kMaxFillPoints = 50'000'000;

/// Points at distances of `spacing` [m]. The limit is checked, from the volume, before anything is allocated.
std::vector<Vec3d> fill_by_spacing(const SurfaceMesh& mesh, double spacing, std::int64_t max_points = kMaxFillPoints);

/// Exactly `count` points. The spacing is the one found by bisection with the smallest surplus; surplus points are
/// taken from those nearest to the surface, in mirrored groups as long as the number allows. `spacing_out` receives
/// the spacing [m] unless null.
std::vector<Vec3d> fill_by_count(const SurfaceMesh& mesh, int count, double* spacing_out = nullptr,
                                 std::int64_t max_points = kMaxFillPoints);

}  // namespace pliant
