#pragma once
// Geodesic distances, for long-range attachments: no vertex may be farther from its anchor than the cloth between them is long.
//
// A front runs out from every source and carries its distance from vertex to vertex, along edges and across triangles.
// Across the triangle a b c the two distances at a and b tell where the source would lie if all of the surface in
// between were unrolled into the triangle's plane: that is the virtual source, and c is at its straight distance if the
// line passes between a and b. A vertex is looked at again whenever one of its neighbours gains, so triangles may be
// obtuse: what arrives late replaces what was too long.
//
// Two distances do not always belong together: where a front meets itself, behind a hole or on the far side of a tube,
// a and b are reached from different sides. So a front may cross an edge only if it has also passed the corner behind
// that edge in time, and it never crosses a border.
//
// - Exact to rounding on flat convex sheets of any triangulation, and never too short on a flat sheet.
// - Exact on what unrolls without stretch, like make_tube, up to how far the mesh itself cuts short its smooth shape.
// - Behind a hole up to 3 % too long on a coarse sheet (20 cells across) and under 1 % on a fine one (160): a front that
//   turns about a corner is taken for one from farther away.
// - On a sphere too short: by 0.2 of an edge a quarter of the way around and 0.8 of one opposite to the source, on
//   average 0.2 % with 6,000 vertices.
// - Where sources lie closer than edges are long, a vertex cannot carry all fronts that its neighbours need: a hundred
//   cells behind such a row distances are exact on a grid and up to 0.1 % too long on an irregular Delaunay sheet.

#include "pliant/geometry/mesh.h"

#include <span>
#include <vector>

namespace pliant {

struct NearSource {
    int source;       // vertex
    double distance;  // along the surface [m]
};

/// Per vertex the `count` nearest sources by distance along the surface, nearest first (fewer where fewer can be
/// reached). The mesh must be one that clean_sheet accepts; at a seam a front goes on into all other triangles.
std::vector<std::vector<NearSource>> find_near_sources(const SurfaceMesh& mesh, std::span<const int> sources,
                                                       int count);

}  // namespace pliant
