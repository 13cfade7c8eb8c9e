#pragma once
// Shapes from files. A file that cannot be opened is a FileError; one whose content is of no use is an InputError that
// names the file, the line where there is one, and what to do.

#include "pliant/geometry/mesh.h"

#include <string>
#include <vector>

namespace pliant {

/// Triangles from .obj, .ply, .stl, .gltf or .glb: all objects of the file in one mesh, placed by their transforms,
/// polygons triangulated. Corners at exactly the same position become one vertex (so a closed STL is closed), vertices
/// are numbered as triangles first use them, and triangles with a repeated corner are dropped. Those that are merely
/// thin stay: without them the surface would have a slit.
SurfaceMesh read_surface(const std::string& path);

/// Linear tetrahedra from a legacy ASCII .vtk file (unstructured grid) or an ASCII Gmsh .msh file, version 2.2 or 4.1;
/// other cells are ignored. Tetrahedra of negative volume are turned, vertices that none uses are dropped.
TetMesh read_tetrahedra(const std::string& path);

/// Points from .xyz, .txt or .csv (three numbers a line, apart by blanks, commas or semicolons; # starts a comment; a
/// .csv may start with a line of names), or the vertices of an .obj or .ply, in the order of the file.
std::vector<Vec3d> read_points(const std::string& path);

}  // namespace pliant
