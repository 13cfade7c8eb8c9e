#pragma once
// How the triangles of a mesh hang together, and whether a sheet of them can be simulated.

#include "pliant/geometry/mesh.h"

#include <array>
#include <string>
#include <vector>

namespace pliant {

/// An edge without direction. Where three or more triangles meet it is a seam, which no two of them share.
struct MeshEdge {
    int a, b;                     // vertices, a < b
    std::array<int, 2> triangle;  // at this edge, lower number first; -1 for none, both -1 at a seam
    int triangles;                // how many meet here: 1 at a border, 2 inside, more at a seam
};

/// The edges of a triangle mesh, each once.
struct MeshEdges {
    std::vector<MeshEdge> edges;                  // sorted by (a, b)
    std::vector<std::array<int, 3>> of_triangle;  // per triangle: the edge opposite to its corner 0, 1, 2
};

/// Every index of a triangle must be that of a vertex, and no triangle may use a vertex twice (see clean_sheet).
MeshEdges find_edges(const SurfaceMesh& mesh);

/// Vertices joined by edges. Components are numbered in the order of their first vertices; a vertex without a triangle
/// is a component of its own.
struct MeshComponents {
    std::vector<int> of_vertex;  // per vertex: the number of its component
    int count = 0;
};

MeshComponents find_components(const SurfaceMesh& mesh);

/// The part of a mesh that can be simulated as cloth: triangles as given, without the vertices that none of them uses.
/// Whatever is dropped or needs a word (seams, changes of orientation, sheets that touch in one vertex) is appended to
/// `notes`, a sentence each. Throws an InputError for what no cloth can be made of: no triangle, an index out of range,
/// a vertex used twice in a triangle, a triangle given twice, a non-finite vertex, an edge without length or a triangle
/// without area. Notes and errors count from 0 in the mesh as it was given.
SurfaceMesh clean_sheet(const SurfaceMesh& mesh, std::vector<std::string>& notes);

}  // namespace pliant
