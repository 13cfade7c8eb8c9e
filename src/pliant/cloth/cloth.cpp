#include "pliant/cloth/cloth.h"

#include "pliant/base/check.h"
#include "pliant/cloth/air.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pliant {

namespace {

/// A third of each triangle's mass goes to each of its corners.
std::vector<double> vertex_masses(const SurfaceMesh& rest, double areal_density)
{
    std::vector<double> mass(rest.vertices.size(), 0);
    for (const auto& t : rest.triangles) {
        const Vec3d a = rest.vertices[t[0]];
        const double area = 0.5 * (rest.vertices[t[1]] - a).cross(rest.vertices[t[2]] - a).norm();
        for (const int v : t) mass[v] += areal_density * area / 3;
    }
    return mass;
}

}  // namespace

Cloth make_cloth(const SurfaceMesh& rest, const ClothParams& params)
{
    Cloth cloth;
    cloth.rest = rest;
    cloth.triangles = std::make_shared<const std::vector<std::array<int, 3>>>(rest.triangles);
    cloth.mesh_edges = find_edges(rest);
    for (const MeshEdge& e : cloth.mesh_edges.edges)
        cloth.mean_edge += (rest.vertices[e.b] - rest.vertices[e.a]).norm();
    cloth.mean_edge /= static_cast<double>(std::max<std::size_t>(1, cloth.mesh_edges.edges.size()));
    set_params(params, cloth);
    return cloth;
}

void set_params(const ClothParams& params, Cloth& cloth)
{
    if (!(params.warp_axis.squared_norm() > 0))
        throw InputError("warp_axis: has no direction; give a vector that is not zero, such as [1, 0, 0]");
    if (params.pressure != 0 && make_air_mesh(cloth.rest, params.areal_density).rest_volume == 0)
        throw InputError(
            "pressure: the mesh is open or not oriented, so it encloses nothing; close it or remove the pressure");
    cloth.params = params;
    cloth.mass = vertex_masses(cloth.rest, static_cast<double>(params.areal_density));
    cloth.revision.bump();
}

Real thickness_of(const Cloth& cloth)
{
    constexpr double kDefaultThickness = 0.002, kMaxPerEdge = 0.25;  // [m]; as a share of the mean edge
    if (cloth.params.thickness) return *cloth.params.thickness;
    return static_cast<Real>(std::min(kDefaultThickness, kMaxPerEdge * cloth.mean_edge));
}

std::vector<double> edge_strains(const Cloth& cloth, std::span<const Vec3> x)
{
    std::vector<double> strains;
    for (const MeshEdge& e : cloth.mesh_edges.edges) {
        const double rest = (cloth.rest.vertices[e.b] - cloth.rest.vertices[e.a]).norm();
        const double now = (x[e.b].cast<double>() - x[e.a].cast<double>()).norm();
        strains.push_back(std::max(0.0, now / rest - 1));
    }
    return strains;
}

RestSurface rest_surface(const Cloth& cloth)
{
    RestSurface surface;
    surface.rest = cloth.rest.vertices;
    surface.points.resize(surface.rest.size());
    std::iota(surface.points.begin(), surface.points.end(), 0);
    for (const MeshEdge& edge : cloth.mesh_edges.edges) surface.edges.push_back({edge.a, edge.b});
    surface.triangles = cloth.rest.triangles;
    return surface;
}

Strain measure_strain(const Cloth& cloth, std::span<const Vec3> x) { return strain_of(edge_strains(cloth, x)); }

}  // namespace pliant
