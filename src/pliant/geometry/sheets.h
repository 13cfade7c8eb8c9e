#pragma once
// Surfaces for cloth, made by formula and centred at the origin: open, oriented and manifold; vertices are shared. As
// in shapes.h they use + - * / and sqrt only, so every machine makes the same bits. Sizes in metres; a size or a
// division that makes no shape is an InputError. (A closed surface to start from is make_sphere.)

#include "pliant/geometry/mesh.h"

#include <cstdint>

namespace pliant {

enum class SheetPattern {
    uniform,     // all diagonals run the same way: from lowest x and z to highest
    alternating  // neighbouring cells are mirror images
};

/// A rectangle of nx x nz cells in the plane y = 0, facing +y. Vertex (i, j), i along x, is number j * (nx + 1) + i;
/// (0, 0) is the corner of lowest x and z. The alternating one is make_grid.
SurfaceMesh make_sheet(double size_x, double size_z, int nx, int nz, SheetPattern pattern);

/// The same rectangle, triangulated without a preferred direction: the vertices of make_sheet, each moved at random by
/// up to `jitter` of a cell (0 to 0.45) along x and along z, in their Delaunay triangulation. Vertices of the border
/// slide along it and its corners stay. The same seed makes the same sheet.
SurfaceMesh make_irregular_sheet(double size_x, double size_z, int nx, int nz, double jitter, std::uint64_t seed);

/// In the plane y = 0, facing +y: vertex 0 in the centre and `divisions` evenly spaced rings around it. Ring k has 6 k
/// vertices, numbered from 1 + 3 k (k - 1) on, so triangles are nearly equilateral.
SurfaceMesh make_disc(double radius, int divisions);

/// The disc laid onto the cap of a sphere, `height` above its border, so that areas keep their ratios (Lambert).
SurfaceMesh make_dome(double radius, double height, int divisions);

/// A cylinder around the y axis, open at both ends and facing out. Rings of `divisions` vertices (3 or more), every
/// other one turned by half a cell, and as many as make triangles nearly equilateral; vertex k of ring j, from the
/// lowest, is number j * divisions + k. It unrolls without stretch, as all its vertices are alike.
SurfaceMesh make_tube(double radius, double height, int divisions);

}  // namespace pliant
