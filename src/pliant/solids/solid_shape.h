#pragma once
// The shape that a solid is made from: particles inside a surface, the vertices of tetrahedra, or bare points.

#include "pliant/geometry/mesh.h"

#include <array>
#include <vector>

namespace pliant {

struct SolidShape {
    std::vector<Vec3d> points;                   // rest positions [m]
    std::vector<double> mass;                    // per point [kg]; empty: density * volume, divided equally
    double volume = 0;                           // [m^3]
    double spacing = 0;                          // typical distance of neighbours [m]
    SurfaceMesh surface;                         // may be empty
    std::vector<int> surface_points;             // per vertex of the surface: its point; empty: it follows the points
    std::vector<std::vector<int>> clusters;      // with Clustering::lists
    std::vector<std::array<int, 4>> tetrahedra;  // of points; may be empty
};

/// Particles inside a closed surface, at a given spacing [m], or exactly `count` of them.
SolidShape fill_with_spacing(const SurfaceMesh& surface, double spacing);
SolidShape fill_with_count(const SurfaceMesh& surface, int count);
/// Turns the surface vertices of such a shape into points, the first ones, so that contact is with the surface itself.
/// They replace the outer layer of points and take over its mass.
void add_skin(SolidShape& shape, double density);
/// One particle per vertex, with a quarter of the mass of each tetrahedron around it.
SolidShape shape_of_tetrahedra(const TetMesh& tets, double density);
/// One particle per point. The volume is taken to be points.size() cubes of the typical spacing.
SolidShape shape_of_points(std::vector<Vec3d> points);

/// Distance of neighbours: the mean over a sample of points of the distance to the nearest other point [m].
double typical_spacing(const std::vector<Vec3d>& points);

}  // namespace pliant
