#pragma once
// What a solid is made of, before it is one: particles inside a surface, the vertices of tetrahedra, or bare points.

#include "pliant/geometry/mesh.h"

#include <array>
#include <vector>

namespace pliant {

/// What a solid is made of: particles with masses in their rest shape, and perhaps a surface to show.
struct SolidShape {
    std::vector<Vec3d> points;                   // rest positions [m]
    std::vector<double> mass;                    // per point [kg]; empty: density * volume shared equally
    double volume = 0;                           // [m^3]
    double spacing = 0;                          // typical distance of neighbours [m]
    SurfaceMesh surface;                         // may be empty
    std::vector<int> surface_points;             // per vertex of it: the point that it is; empty: it follows the points
    std::vector<std::vector<int>> clusters;      // with Clustering::lists
    std::vector<std::array<int, 4>> tetrahedra;  // of points; may be empty
};

/// Particles inside a closed surface, at a spacing [m] or as many as asked for.
SolidShape fill_with_spacing(const SurfaceMesh& surface, double spacing);
SolidShape fill_with_count(const SurfaceMesh& surface, int count);
/// Makes the vertices of the surface of such a shape points, the first ones, so that bodies touch the surface itself. They
/// take the place and the mass of the outer layer of points.
void add_skin(SolidShape& shape, double density);
/// One particle a vertex, its mass a quarter of the tetrahedra around it.
SolidShape shape_of_tetrahedra(const TetMesh& tets, double density);
/// One particle a point. The volume is that of `points.size()` cells of their typical spacing.
SolidShape shape_of_points(std::vector<Vec3d> points);

/// Distance of neighbours: the mean over some points of the distance to the nearest other one [m].
double typical_spacing(const std::vector<Vec3d>& points);

}  // namespace pliant
