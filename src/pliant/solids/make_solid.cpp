#include "pliant/solids/make_solid.h"

#include "pliant/base/check.h"
#include "pliant/solids/clustering.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

std::vector<double> masses_of(const SolidShape& shape, const SolidParams& params)
{
    if (!shape.mass.empty()) return shape.mass;
    const double each = double(params.density) * shape.volume / static_cast<double>(shape.points.size());
    return std::vector<double>(shape.points.size(), each);
}

void check_shape(const SolidShape& shape, const std::vector<double>& mass)
{
    if (shape.points.empty()) throw InputError("solid: no particles; give a larger shape or a smaller spacing");
    if (mass.size() != shape.points.size()) throw InputError("solid: give one mass per point, or none");
    for (std::size_t i = 0; i < shape.points.size(); ++i) {
        const Vec3d& p = shape.points[i];
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
            throw InputError("solid: point " + std::to_string(i) + " is not finite");
        }
        if (!(mass[i] > 0) || !std::isfinite(mass[i])) {
            throw InputError("solid: the mass of point " + std::to_string(i) + " is " + std::to_string(mass[i]) +
                             "; masses are positive (hold a particle still by pinning it)");
        }
    }
}

Memberships choose_clusters(const SolidShape& shape, const SolidParams& params)
{
    const int n = static_cast<int>(shape.points.size());
    if (params.clustering == Clustering::lists) return cluster_by_lists(n, shape.clusters);
    const double chosen = 4 * (shape.spacing > 0 ? shape.spacing : typical_spacing(shape.points));
    const double radius = params.cluster_radius > 0 ? double(params.cluster_radius) : std::max(chosen, 1e-12);
    Memberships m = params.clustering == Clustering::random
                        ? cluster_randomly(shape.points, radius, static_cast<std::uint64_t>(params.seed))
                        : cluster_evenly(shape.points, radius);
    if (n > 1 && m.count() == m.clusters()) {
        throw InputError("cluster_radius: " + std::to_string(radius) +
                         " m holds no two particles together; the typical spacing is " +
                         std::to_string(typical_spacing(shape.points)) + " m, give about four times that");
    }
    return m;
}

/// The surface, relative to the middle of the body; vertices that are points of the shape become particles.
Skin skin_of(const SolidShape& shape, const Vec3d& middle, const Solid& solid)
{
    SurfaceMesh surface = shape.surface;
    for (Vec3d& p : surface.vertices) p -= middle;
    if (surface.triangles.empty() && shape.surface_points.empty()) return {};
    if (shape.surface_points.empty()) return make_skin(surface, solid.clusters);
    Skin skin;
    skin.triangles = std::make_shared<const std::vector<std::array<int, 3>>>(surface.triangles);
    for (const int k : shape.surface_points) skin.particle.push_back(solid.particle_of_point[k]);
    return skin;
}

}  // namespace

Solid make_solid(const SolidShape& shape, const SolidParams& params)
{
    const std::vector<double> mass = masses_of(shape, params);
    check_shape(shape, mass);
    Solid solid;
    solid.params = params;
    solid.spacing = shape.spacing;
    solid.memberships = choose_clusters(shape, params);
    const std::vector<int> order = order_by_eight(solid.memberships, static_cast<int>(shape.points.size()));
    renumber(order, solid.memberships);
    // Rest coordinates are relative to the middle of the body, so that none are large.
    const Box3 box = bounding_box(shape.points);
    const Vec3d middle = box.center(), extent = box.extent();
    solid.extent = std::max({extent.x, extent.y, extent.z});
    solid.particle_of_point.resize(order.size());
    for (std::size_t p = 0; p < order.size(); ++p) {
        solid.particle_of_point[order[p]] = static_cast<int>(p);
        solid.rest.push_back(shape.points[order[p]] - middle);
        solid.mass.push_back(mass[order[p]]);
    }
    solid.clusters = measure_clusters(solid.memberships, solid.rest, solid.mass);
    solid.rotation.assign(solid.clusters.size(), Mat3::identity());
    solid.skin = skin_of(shape, middle, solid);
    solid.tetrahedra = shape.tetrahedra;
    for (std::array<int, 4>& t : solid.tetrahedra)
        for (int& i : t) i = solid.particle_of_point[i];
    return solid;
}

RestSurface rest_surface(const Solid& solid)
{
    const std::vector<int>& particle = solid.skin.particle;
    if (!particle.empty()) {
        std::vector<std::array<int, 3>> triangles = *solid.skin.triangles;
        for (std::array<int, 3>& t : triangles)
            for (int& i : t) i = particle[i];
        std::erase_if(triangles, [](const auto& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; });
        return rest_surface_of(solid.rest, std::move(triangles));
    }
    RestSurface surface;
    surface.rest = solid.rest;
    for (int i = 0; i < static_cast<int>(solid.rest.size()); ++i) {
        surface.points.push_back(i);
        surface.edges.push_back({i, i});
    }
    return surface;
}

Real contact_radius(const Solid& solid)
{
    constexpr double kBallRadius = 0.5, kSkinRadius = 0.125;  // times the spacing
    if (solid.params.thickness > 0) return solid.params.thickness / 2;
    return static_cast<Real>(solid.spacing * (solid.skin.particle.empty() ? kBallRadius : kSkinRadius));
}

void set_params(const SolidParams& params, Solid& solid)
{
    const SolidParams& old = solid.params;
    if (params.clustering != old.clustering || params.cluster_radius != old.cluster_radius || params.seed != old.seed)
        throw InputError(
            "clustering, cluster_radius and seed decide the order of the particles and cannot be changed; remove the "
            "solid and add it again");
    const double heavier = static_cast<double>(params.density) / static_cast<double>(old.density);
    if (heavier != 1) {
        for (double& m : solid.mass) m *= heavier;
        solid.clusters = measure_clusters(solid.memberships, solid.rest, solid.mass);
    }
    solid.params = params;
    solid.revision.bump();
}

}  // namespace pliant
