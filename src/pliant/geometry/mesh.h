#pragma once
// Shapes without physics, in double: they are made once and measured exactly.

#include "pliant/math/types.h"

#include <array>
#include <string>
#include <vector>

namespace pliant {

/// A triangle mesh. Triangles turn counter-clockwise seen from outside.
struct SurfaceMesh {
    std::vector<Vec3d> vertices;                // [m]
    std::vector<std::array<int, 3>> triangles;  // indices into vertices
};

/// Tetrahedra with positive volume: (b-a) x (c-a) . (d-a) > 0.
struct TetMesh {
    std::vector<Vec3d> vertices;                 // [m]
    std::vector<std::array<int, 4>> tetrahedra;  // indices into vertices
};

struct Box3 {
    Vec3d low, high;
    Vec3d center() const { return 0.5 * (low + high); }
    Vec3d extent() const { return high - low; }
};

Box3 bounding_box(const std::vector<Vec3d>& points);

/// Enclosed volume by the divergence theorem [m^3]; meaningful for closed meshes.
double volume(const SurfaceMesh& mesh);

/// Number of edges that are not shared by exactly two triangles of opposite direction; 0 = closed and oriented.
int open_edges(const SurfaceMesh& mesh);

/// Throws InputError that says what is wrong unless the mesh is a closed surface around some volume, turned outwards.
void check_solid(const SurfaceMesh& mesh);

/// Area-weighted vertex normals of unit length (zero where a vertex has no triangle).
std::vector<Vec3d> vertex_normals(const std::vector<Vec3d>& vertices, const std::vector<std::array<int, 3>>& triangles);

/// The faces that belong to one tetrahedron only, turned outwards; vertices as in `tets`.
SurfaceMesh boundary(const TetMesh& tets);

}  // namespace pliant
