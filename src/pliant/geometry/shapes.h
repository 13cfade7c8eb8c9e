#pragma once
// Surfaces made by formula, centred at the origin. All but the grid are closed, oriented and manifold; vertices are
// shared. They use + - * / and sqrt only, so every machine makes the same bits, and they are mirror-symmetric to the
// last bit wherever the divisions allow it. Sizes in metres; a size or a division that makes no shape is an InputError.

#include "pliant/geometry/mesh.h"

namespace pliant {

/// Every face has divisions x divisions cells.
SurfaceMesh make_box(const Vec3d& size, int divisions);

/// A cube of divisions x divisions cells a face, rounded: no crowding at poles.
SurfaceMesh make_sphere(double radius, int divisions);

/// Axis y. `divisions` cells around (3 or more); along the height and across the caps as many as keep cells square.
SurfaceMesh make_cylinder(double radius, double height, int divisions);

/// Axis y; `height` is that of the cylinder between the two half spheres. `divisions` cells around (4 or more).
SurfaceMesh make_capsule(double radius, double height, int divisions);

/// Axis y; `major` is the radius of the ring, `minor` that of the tube. `divisions` cells around the axis (3 or more).
SurfaceMesh make_torus(double major, double minor, int divisions);

/// An open sheet of nx x nz cells in the plane y = 0, facing +y; diagonals alternate. Vertex (i, j), i along x, is
/// number j * (nx + 1) + i; (0, 0) is the corner of lowest x and z.
SurfaceMesh make_grid(double size_x, double size_z, int nx, int nz);

}  // namespace pliant
