#pragma once
// The convex hull of points, by Quickhull [BDH96]: a tetrahedron grows by the point furthest outside one of its facets,
// which replaces all facets that it sees.
//
// Whether a point sees a facet is decided exactly, for coordinates rounded to a billionth of the longest side: in whole
// numbers nothing overflows and nothing rounds. So the facets seen are always one patch, whatever points coincide or lie
// in a line or a plane.

#include "pliant/geometry/mesh.h"

namespace pliant {

/// A closed surface around all points, turned outwards; its vertices are points, in their order. Throws InputError if
/// the points are fewer than four or lie in a plane.
SurfaceMesh convex_hull(const std::vector<Vec3d>& points);

}  // namespace pliant
