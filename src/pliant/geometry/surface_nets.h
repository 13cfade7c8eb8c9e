#pragma once
// Meshes the zero set of a function by naive surface nets: one vertex in every lattice cell that the surface passes
// through, one quadrilateral around every lattice edge that it cuts. Then vertices are spread evenly and pulled onto
// the surface, and the quadrilaterals are cut along their shorter diagonals.
//
//   1. sample the function at the lattice points                        Lattice
//   2. settle the cells where the surface could be joined in two ways   settle_ambiguous_cells
//   3. place vertices, join them                                        add_vertices, add_quads
//   4. relax and project                                                relax
//
// Step 2 is what makes the result manifold: cells that are left have one sheet of surface each. The function must be
// mirror-symmetric in x; then so is the mesh, vertices and triangles, to the last bit. For this a layer of cells has
// its centre on the plane x = 0, so that no quadrilateral straddles it.

#include "pliant/geometry/mesh.h"

#include <functional>

namespace pliant {

/// f is negative inside, about a distance near its zero set, and f({-x, y, z}) == f({x, y, z}). `box` contains the
/// surface; its low x is not used. The triangles turn counter-clockwise seen from where f is positive.
SurfaceMesh mesh_mirrored(const std::function<double(const Vec3d&)>& f, const Box3& box, double cell);

}  // namespace pliant
