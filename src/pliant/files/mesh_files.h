#pragma once
// Shapes from files. A file that cannot be opened is a FileError; unusable content is an InputError that names the
// file, the line if there is one, and what to do.

#include "pliant/geometry/polygon_mesh.h"

#include <string>
#include <vector>

namespace pliant {

/// The mesh of an .obj, .ply, .stl, .gltf or .glb as the file has it: all of its objects, placed by their transforms,
/// every vertex in the order of the file.
PolygonMesh read_mesh(const std::string& path);

/// The triangles of a mesh, and which vertex of the file became which. Vertices that the format or UVs have split are
/// joined (see join_vertices), so that a closed surface is closed. InputError if there are no triangles.
JoinedSurface read_joined_surface(const std::string& path);
/// The triangles alone.
SurfaceMesh read_surface(const std::string& path);

/// Linear tetrahedra from a legacy ASCII .vtk file (unstructured grid) or an ASCII Gmsh .msh file, version 2.2 or 4.1;
/// other cells are ignored. Tetrahedra of negative volume are flipped, unused vertices are dropped.
TetMesh read_tetrahedra(const std::string& path);

/// The same, and which vertex of the file became which. Its faces are those of the boundary.
struct TetsFromFile {
    TetMesh mesh;
    std::shared_ptr<const SurfaceSource> source;
};
TetsFromFile read_tetrahedra_and_source(const std::string& path);

/// Points from .xyz, .txt or .csv (three numbers per line, separated by blanks, commas or semicolons; # starts a
/// comment; a .csv may start with a line of names), or the vertices of an .obj or .ply, in the order of the file.
std::vector<Vec3d> read_points(const std::string& path);

}  // namespace pliant
