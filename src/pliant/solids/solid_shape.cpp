#include "pliant/solids/solid_shape.h"

#include "pliant/base/check.h"
#include "pliant/geometry/hash_grid.h"
#include "pliant/geometry/near_points.h"
#include "pliant/geometry/sample.h"
#include "pliant/math/portable.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace pliant {

double typical_spacing(const std::vector<Vec3d>& points)
{
    if (points.size() < 2) return 0;
    const Box3 box = bounding_box(points);
    double cell =
        std::max({box.extent().x, box.extent().y, box.extent().z}) / portable::cbrt(static_cast<double>(points.size()));
    if (!(cell > 0)) return 0;
    const HashGrid grid(points, 2 * cell);
    constexpr std::size_t kProbes = 100;
    const std::size_t stride = std::max<std::size_t>(1, points.size() / kProbes);
    double sum = 0;
    int found = 0;
    for (std::size_t i = 0; i < points.size(); i += stride) {
        double nearest = std::numeric_limits<double>::max();
        grid.for_each_within(points[i], 2 * cell, [&](int j) {
            const double d = (points[j] - points[i]).norm();
            if (d > 0) nearest = std::min(nearest, d);
        });
        if (nearest == std::numeric_limits<double>::max()) continue;
        sum += nearest;
        ++found;
    }
    return found > 0 ? sum / found : cell;
}

SolidShape fill_with_spacing(const SurfaceMesh& surface, double spacing)
{
    SolidShape shape;
    shape.points = fill_by_spacing(surface, spacing);
    shape.volume = std::abs(volume(surface));
    shape.spacing = spacing;
    shape.surface = surface;
    return shape;
}

SolidShape fill_with_count(const SurfaceMesh& surface, int count)
{
    SolidShape shape;
    shape.points = fill_by_count(surface, count, &shape.spacing);
    shape.volume = std::abs(volume(surface));
    shape.surface = surface;
    return shape;
}

namespace {

constexpr double kOuterLayer = 0.75;   // spacings: points this near to the skin are replaced by it
constexpr double kOuterToSkin = 0.65;  // fraction of their mass that goes to the skin; the rest goes inwards, so that
                                       // the inertia stays about the same
constexpr double kInnerToSkin = 0.5;   // fraction of the mass of another point that is the nearest to some vertex

/// Distributes the masses of the shape's points, `each` per point, over the skin and the inner points.
std::vector<double> share_out_mass(const SolidShape& shape, const std::vector<Vec3d>& skin,
                                   const std::vector<Vec3d>& inner, double each)
{
    const NearPoints near(shape.points, shape.spacing), near_skin(skin, shape.spacing),
        near_inner(inner, shape.spacing);
    std::vector<std::vector<int>> vertices_of(shape.points.size());
    for (std::size_t v = 0; v < skin.size(); ++v) vertices_of[near.nearest(skin[v])].push_back(static_cast<int>(v));
    std::vector<double> mass(skin.size() + inner.size(), 0);
    for (std::size_t i = 0; i < shape.points.size(); ++i) {
        const Vec3d& p = shape.points[i];
        std::vector<int>& vertices = vertices_of[i];
        const bool outer = near_skin.distance(p) < kOuterLayer * shape.spacing;
        if (outer && vertices.empty()) vertices.push_back(near_skin.nearest(p));
        const double given = inner.empty() ? each : vertices.empty() ? 0 : each * (outer ? kOuterToSkin : kInnerToSkin);
        for (const int v : vertices) mass[v] += given / static_cast<double>(vertices.size());
        if (given < each) mass[skin.size() + near_inner.nearest(p)] += each - given;
    }
    return mass;
}

}  // namespace

void add_skin(SolidShape& shape, double density)
{
    std::vector<Vec3d> skin, inner;
    std::map<std::array<double, 3>, int> vertex_at;  // merges vertices at the same position
    for (const Vec3d& p : shape.surface.vertices) {
        const int v = vertex_at.try_emplace({p.x, p.y, p.z}, static_cast<int>(skin.size())).first->second;
        if (v == static_cast<int>(skin.size())) skin.push_back(p);
        shape.surface_points.push_back(v);
    }
    const NearPoints near_skin(skin, shape.spacing);
    for (const Vec3d& p : shape.points)
        if (near_skin.distance(p) >= kOuterLayer * shape.spacing) inner.push_back(p);
    const double each = density * shape.volume / static_cast<double>(shape.points.size());
    shape.mass = share_out_mass(shape, skin, inner, each);
    shape.points = std::move(skin);
    shape.points.insert(shape.points.end(), inner.begin(), inner.end());
}

SolidShape shape_of_tetrahedra(const TetMesh& tets, double density)
{
    SolidShape shape;
    shape.points = tets.vertices;
    shape.mass.assign(tets.vertices.size(), 0);
    for (const auto& t : tets.tetrahedra) {
        const Vec3d a = tets.vertices[t[0]];
        const double v = (tets.vertices[t[1]] - a).cross(tets.vertices[t[2]] - a).dot(tets.vertices[t[3]] - a) / 6;
        shape.volume += v;
        for (const int i : t) shape.mass[i] += density * v / 4;
    }
    shape.surface = boundary(tets);
    shape.surface_points.resize(shape.points.size());
    std::iota(shape.surface_points.begin(), shape.surface_points.end(), 0);
    shape.tetrahedra = tets.tetrahedra;
    shape.spacing = typical_spacing(shape.points);
    return shape;
}

namespace {

/// In single precision, coordinates beyond this are rounded to a sixteenth of a metre or worse.
constexpr double kMaxCoordinate = 1e6;  // [m]

void check_coordinates(const std::vector<Vec3d>& points)
{
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double most = std::max({std::abs(points[i].x), std::abs(points[i].y), std::abs(points[i].z)});
        if (most <= kMaxCoordinate) continue;
        throw InputError(
            "points: point " + std::to_string(i) +
            " is more than a thousand kilometres from the origin; give positions in metres, near the origin");
    }
}

}  // namespace

SolidShape shape_of_points(std::vector<Vec3d> points)
{
    check_coordinates(points);
    SolidShape shape;
    shape.spacing = typical_spacing(points);
    shape.volume = static_cast<double>(points.size()) * shape.spacing * shape.spacing * shape.spacing;
    shape.points = std::move(points);
    if (!shape.points.empty() && !(shape.volume > 0)) {
        throw InputError("points: all points are in one place; a solid needs points that are apart, or masses");
    }
    return shape;
}

}  // namespace pliant
