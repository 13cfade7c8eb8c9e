#include "pliant/world/embed.h"

#include "pliant/base/check.h"
#include "pliant/geometry/nearest_point.h"
#include "pliant/glue/anchor.h"
#include "pliant/math/svd3.h"
#include "pliant/world/near_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace pliant {

namespace {

/// What carries one vertex.
struct Carried {
    std::vector<int> points;
    std::vector<double> blend, weight;  // per point
    Vec3d offset;
};

/// Adds a point, or to its blend if it is there.
void add_blend(int point, double blend, Carried& c)
{
    const auto found = std::ranges::find(c.points, point);
    if (found != c.points.end()) {
        c.blend[static_cast<std::size_t>(found - c.points.begin())] += blend;
        return;
    }
    c.points.push_back(point);
    c.blend.push_back(blend);
    c.weight.push_back(0);
}

/// Gives what sticks out a frame: that of the particles near the vertex. A cage on a line has none, and there the offset
/// is only moved along.
void add_frame(const Vec3d& at, const NearPoints& near, Carried& c)
{
    const std::vector<int> candidates = near.at_least(64, at);
    std::vector<Vec3d> places;
    for (const int i : candidates) places.push_back(near.points()[i]);
    const Parents chosen = choose_parents(at, places);
    for (std::size_t k = 0; k < chosen.particles.size(); ++k) {
        const int point = candidates[chosen.particles[k]];
        add_blend(point, 0, c);
        c.weight[static_cast<std::size_t>(std::ranges::find(c.points, point) - c.points.begin())] = chosen.weights[k];
    }
}

void append(const Carried& c, std::span<const Vec3d> points, Embedding& embedding)
{
    double total = 0;
    Vec3d center;
    for (std::size_t k = 0; k < c.points.size(); ++k) {
        center += c.weight[k] * points[c.points[k]];
        total += c.weight[k];
    }
    if (total > 0) center *= 1 / total;
    for (std::size_t k = 0; k < c.points.size(); ++k) {
        const Vec3d arm = points[c.points[k]] - center;
        embedding.parents.push_back({c.points[k], static_cast<Real>(c.blend[k]),
                                     static_cast<Real>(total > 0 ? c.weight[k] / total : 0), arm.cast<Real>()});
    }
    embedding.first.push_back(static_cast<int>(embedding.parents.size()));
    embedding.offset.push_back(c.offset.cast<Real>());
}

/// A cage with a surface: outside it, the nearest place of that carries the vertex.
class SurfaceCage {
  public:
    SurfaceCage(const std::vector<std::array<int, 3>>& triangles, const NearPoints& near)
        : triangles_(triangles), near_(near)
    {}

    Carried carry(const Vec3d& at) const
    {
        Carried c;
        std::array<double, 3> weights{};
        const std::array<int, 3>& t = nearest_triangle(at, weights);
        Vec3d place;
        for (std::size_t k = 0; k < 3; ++k) {
            add_blend(t[k], weights[k], c);
            place += weights[k] * near_.points()[t[k]];
        }
        c.offset = at - place;
        if (c.offset.norm() < 1e-6 * near_.spacing()) c.offset = {};  // on it
        else add_frame(at, near_, c);
        return c;
    }

  private:
    const std::array<int, 3>& nearest_triangle(const Vec3d& at, std::array<double, 3>& weights) const
    {
        const std::array<int, 3>* nearest = nullptr;
        double least = std::numeric_limits<double>::max();
        for (const std::array<int, 3>& t : triangles_) {
            const std::array<Vec3d, 3> corners{near_.points()[t[0]], near_.points()[t[1]], near_.points()[t[2]]};
            const std::array<double, 3> w = nearest_on_triangle(at, corners);
            const double distance = (blend(w, corners) - at).squared_norm();
            if (distance >= least) continue;
            least = distance;
            nearest = &t;
            weights = w;
        }
        return *nearest;
    }

    const std::vector<std::array<int, 3>>& triangles_;
    const NearPoints& near_;
};

/// Tetrahedra, and the surface around them.
class TetCage {
  public:
    TetCage(const std::vector<std::array<int, 4>>& tetrahedra, const NearPoints& near)
        : tetrahedra_(tetrahedra),
          near_(near),
          border_(boundary({{near.points().begin(), near.points().end()}, tetrahedra})),
          surface_(border_.triangles, near)
    {}

    Carried carry(const Vec3d& at) const
    {
        for (const std::array<int, 4>& t : tetrahedra_) {
            const std::array<double, 4> w = coordinates(at, t);
            if (*std::ranges::min_element(w) < -1e-9) continue;
            Carried c;
            for (std::size_t k = 0; k < 4; ++k) add_blend(t[k], w[k], c);
            return c;
        }
        return surface_.carry(at);
    }

  private:
    /// Barycentric; negative ones where the point is outside.
    std::array<double, 4> coordinates(const Vec3d& at, const std::array<int, 4>& t) const
    {
        const std::span<const Vec3d> p = near_.points();
        const Vec3d b = p[t[1]] - p[t[0]], c = p[t[2]] - p[t[0]], d = p[t[3]] - p[t[0]], x = at - p[t[0]];
        const double volume = b.cross(c).dot(d);
        if (!(volume > 0)) return {-1, -1, -1, -1};
        const double u = x.cross(c).dot(d) / volume, v = b.cross(x).dot(d) / volume, w = b.cross(c).dot(x) / volume;
        return {1 - u - v - w, u, v, w};
    }

    const std::vector<std::array<int, 4>>& tetrahedra_;
    const NearPoints& near_;
    SurfaceMesh border_;
    SurfaceCage surface_;
};

/// Particles without a mesh. Among them a vertex follows the affine fit of those around it; with the distance from the
/// nearest that goes over into their rigid fit.
class CloudCage {
  public:
    explicit CloudCage(const NearPoints& near) : near_(near) {}

    Carried carry(const Vec3d& at) const
    {
        const double nearest = near_.distance(at), spacing = near_.spacing();
        const double reach = nearest + kReach * spacing;
        Carried c;
        double total = 0;
        for (const int i : near_.within(reach, at)) {
            const double s = 1 - (near_.points()[i] - at).squared_norm() / (reach * reach);
            if (s <= 0) continue;
            c.points.push_back(i);
            total += c.weight.emplace_back(s * s);
        }
        Vec3d center;
        for (std::size_t k = 0; k < c.points.size(); ++k) {
            c.weight[k] /= total;
            center += c.weight[k] * near_.points()[c.points[k]];
        }
        Mat3d inverse;
        const double share = find_inverse(c, center, inverse) ? outside(nearest / spacing) : 1;
        for (std::size_t k = 0; k < c.points.size(); ++k) {
            const double along = (near_.points()[c.points[k]] - center).dot(inverse * (at - center));
            c.blend.push_back(c.weight[k] * (1 + (1 - share) * along));
        }
        c.offset = share * (at - center);
        return c;
    }

  private:
    static constexpr double kReach = 1.6;                 // beyond the nearest, in spacings
    static constexpr double kInside = 0.9, kOutside = 2;  // in spacings: no hole of a lattice is further from a point

    /// 0 among the particles, 1 well away from them.
    static double outside(double distance)
    {
        const double s = std::clamp((distance - kInside) / (kOutside - kInside), 0.0, 1.0);
        return s * s * (3 - 2 * s);
    }

    /// Of the second moment; false where the points are nearly flat.
    bool find_inverse(const Carried& c, const Vec3d& center, Mat3d& inverse) const
    {
        Mat3d moment;
        for (std::size_t k = 0; k < c.points.size(); ++k) {
            const Vec3d v = near_.points()[c.points[k]] - center;
            moment += Mat3d::outer(c.weight[k] * v, v);
        }
        const SignedSvd<double> d = signed_svd(moment);
        if (!(d.s.z > 1e-3 * d.s.x)) return false;
        inverse = d.u * Mat3d::diagonal({1 / d.s.x, 1 / d.s.y, 1 / d.s.z}) * d.u.transposed();
        return true;
    }

    const NearPoints& near_;
};

std::vector<Vec3d> points_of(const Particles& particles, Range range)
{
    std::vector<Vec3d> points;
    for (int i = range.first; i < range.end(); ++i) points.push_back(particles.x[i].cast<double>());
    return points;
}

void check_mesh(const SurfaceMesh& mesh, const std::string& body)
{
    const int count = static_cast<int>(mesh.vertices.size());
    for (const auto& t : mesh.triangles)
        for (const int i : t)
            if (i < 0 || i >= count)
                throw InputError("render of \"" + body + "\": there is no vertex " + std::to_string(i) +
                                 "; the mesh has " + std::to_string(count));
}

template <class Cage>
Embedding make_embedding(const SurfaceMesh& mesh, const NearPoints& near, const Cage& cage)
{
    Embedding embedding;
    for (const Vec3d& vertex : mesh.vertices) append(cage.carry(vertex), near.points(), embedding);
    embedding.triangles = std::make_shared<const std::vector<std::array<int, 3>>>(mesh.triangles);
    return embedding;
}

}  // namespace

void embed(World& world, SolidId id, const SurfaceMesh& mesh)
{
    const int index = world.solid_ids.index(id);
    if (index < 0) throw InputError("embed: this solid has been removed");
    Solid& solid = world.solids[static_cast<std::size_t>(index)];
    check_mesh(mesh, solid.name);
    solid.render = {};
    if (mesh.triangles.empty()) return;
    const std::vector<Vec3d> points = points_of(world.particles, solid.particles);
    const NearPoints near(points, 2 * static_cast<double>(world.particles.radius[solid.particles.first]));
    solid.render = solid.tetrahedra.empty() ? make_embedding(mesh, near, CloudCage(near))
                                            : make_embedding(mesh, near, TetCage(solid.tetrahedra, near));
}

void embed(World& world, ClothId id, const SurfaceMesh& mesh)
{
    const int index = world.cloth_ids.index(id);
    if (index < 0) throw InputError("embed: this cloth has been removed");
    Cloth& cloth = world.cloths[static_cast<std::size_t>(index)];
    check_mesh(mesh, cloth.name);
    cloth.render = {};
    if (mesh.triangles.empty()) return;
    const std::vector<Vec3d> points = points_of(world.particles, cloth.particles);
    const MeshEdge& edge = cloth.mesh_edges.edges.front();
    const NearPoints near(points, (points[edge.a] - points[edge.b]).norm());
    cloth.render = make_embedding(mesh, near, SurfaceCage(cloth.rest.triangles, near));
}

}  // namespace pliant
