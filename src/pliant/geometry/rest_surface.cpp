#include "pliant/geometry/rest_surface.h"

#include "pliant/geometry/mesh_edges.h"

#include <utility>

namespace pliant {

RestSurface rest_surface_of(std::vector<Vec3d> rest, std::vector<std::array<int, 3>> triangles)
{
    const SurfaceMesh mesh{std::move(rest), std::move(triangles)};
    RestSurface surface;
    std::vector<char> used(mesh.vertices.size(), 0);
    for (const auto& t : mesh.triangles)
        for (const int i : t) used[i] = 1;
    for (int i = 0; i < static_cast<int>(used.size()); ++i)
        if (used[i] != 0) surface.points.push_back(i);
    for (const MeshEdge& edge : find_edges(mesh).edges) surface.edges.push_back({edge.a, edge.b});
    surface.triangles = mesh.triangles;
    surface.rest = mesh.vertices;
    return surface;
}

}  // namespace pliant
