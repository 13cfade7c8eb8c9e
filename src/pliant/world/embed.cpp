#include "pliant/world/embed.h"

#include "pliant/base/check.h"
#include "pliant/geometry/near_points.h"
#include "pliant/geometry/nearest_point.h"
#include "pliant/math/svd3.h"
#include "pliant/state/writable.h"
#include "pliant/world/bodies.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace pliant {

namespace {

/// The particles that carry one vertex.
struct Carried {
    std::vector<int> points;
    std::vector<double> blend, weight;  // per point
    Vec3d offset;

    /// Adds a point, or adds to its weights if it is there already.
    void add(int point, double more_blend, double more_weight)
    {
        const auto k = static_cast<std::size_t>(std::ranges::find(points, point) - points.begin());
        if (k == points.size()) {
            points.push_back(point);
            blend.push_back(0);
            weight.push_back(0);
        }
        blend[k] += more_blend;
        weight[k] += more_weight;
    }
};

/// Points with weights of sum 1, and their centre.
struct Cloud {
    std::vector<int> points;
    std::vector<double> weight;
    Vec3d center;
};

/// Points within a reach; weights fall to zero at the reach, so that the set changes smoothly with position.
Cloud cloud_within(double reach, const Vec3d& at, const NearPoints& near)
{
    Cloud cloud;
    double total = 0;
    for (const int i : near.within(reach, at)) {
        const double s = 1 - (near.points()[i] - at).squared_norm() / (reach * reach);
        if (s <= 0) continue;
        cloud.points.push_back(i);
        total += cloud.weight.emplace_back(s * s);
    }
    for (std::size_t k = 0; k < cloud.points.size(); ++k) {
        cloud.weight[k] /= total;
        cloud.center += cloud.weight[k] * near.points()[cloud.points[k]];
    }
    return cloud;
}

/// The points whose rotation a vertex outside the cage follows: only those near its foot, so that a long ear rotates as
/// one piece.
Cloud frame_at(const Vec3d& foot, const NearPoints& near)
{
    constexpr double kFrameReach = 2.5;  // spacings
    constexpr std::size_t kMinPoints = 3;
    double reach = kFrameReach * near.spacing();
    Cloud cloud = cloud_within(reach, foot, near);
    while (cloud.points.size() < std::min(kMinPoints, near.points().size())) {
        reach *= 2;
        cloud = cloud_within(reach, foot, near);
    }
    return cloud;
}

void append(const Carried& c, std::span<const Vec3d> points, Embedding& embedding)
{
    Vec3d center;
    for (std::size_t k = 0; k < c.points.size(); ++k) center += c.weight[k] * points[c.points[k]];
    for (std::size_t k = 0; k < c.points.size(); ++k)
        embedding.parents.push_back({c.points[k], static_cast<Real>(c.blend[k]), static_cast<Real>(c.weight[k]),
                                     (points[c.points[k]] - center).cast<Real>()});
    embedding.first.push_back(static_cast<int>(embedding.parents.size()));
    embedding.offset.push_back(c.offset.cast<Real>());
}

/// A cage with a surface: a vertex outside it is carried by the nearest point of the surface.
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
        Vec3d foot;
        for (std::size_t k = 0; k < 3; ++k) {
            c.add(t[k], weights[k], 0);
            foot += weights[k] * near_.points()[t[k]];
        }
        if ((at - foot).norm() < 1e-6 * near_.spacing()) return c;  // on the surface
        c.offset = at - foot;
        const Cloud frame = frame_at(foot, near_);
        for (std::size_t k = 0; k < frame.points.size(); ++k) c.add(frame.points[k], 0, frame.weight[k]);
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
            for (std::size_t k = 0; k < 4; ++k) c.add(t[k], w[k], 0);
            return c;
        }
        return surface_.carry(at);
    }

  private:
    /// Barycentric coordinates; some are negative if the point is outside.
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

/// Particles without a mesh. A vertex among them follows the affine fit of the particles around it; for one further
/// out, the fit moves its foot near the outermost particles.
class CloudCage {
  public:
    explicit CloudCage(const NearPoints& near) : near_(near) {}

    Carried carry(const Vec3d& at) const
    {
        const double nearest = near_.distance(at), spacing = near_.spacing();
        const Cloud around = cloud_within(nearest + kReach * spacing, at, near_);
        Mat3d inverse;
        const bool affine = find_inverse(around, inverse);
        const double inside = affine ? std::min(1.0, kInside * spacing / std::max(nearest, 1e-3 * spacing)) : 0;
        const Vec3d arm = inside * (at - around.center);  // from the centre to the foot
        Carried c;
        for (std::size_t k = 0; k < around.points.size(); ++k) {
            const double along = (near_.points()[around.points[k]] - around.center).dot(inverse * arm);
            c.add(around.points[k], around.weight[k] * (1 + along), 0);
        }
        if (inside == 1) return c;
        c.offset = at - around.center - arm;
        const Cloud frame = frame_at(around.center, near_);
        for (std::size_t k = 0; k < frame.points.size(); ++k) c.add(frame.points[k], 0, frame.weight[k]);
        return c;
    }

  private:
    static constexpr double kReach = 1.6;  // beyond the nearest particle, in spacings
    static constexpr double kInside =
        0.9;  // in spacings: no point inside a lattice is further from its nearest particle

    /// The inverse of the second moment; false if the points are nearly coplanar.
    bool find_inverse(const Cloud& cloud, Mat3d& inverse) const
    {
        Mat3d moment;
        for (std::size_t k = 0; k < cloud.points.size(); ++k) {
            const Vec3d v = near_.points()[cloud.points[k]] - cloud.center;
            moment += Mat3d::outer(cloud.weight[k] * v, v);
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
    Solid& solid = writable(world.solids)[index_of(world, id, "embed")];
    check_mesh(mesh, solid.name);
    solid.render = {};
    if (mesh.triangles.empty()) return;
    const std::vector<Vec3d> points = points_of(world.particles, solid.particles);
    const NearPoints near(points, 2 * static_cast<double>(world.particles->radius[solid.particles.first]));
    solid.render = solid.tetrahedra.empty() ? make_embedding(mesh, near, CloudCage(near))
                                            : make_embedding(mesh, near, TetCage(solid.tetrahedra, near));
}

void embed(World& world, ClothId id, const SurfaceMesh& mesh)
{
    Cloth& cloth = writable(world.cloths)[index_of(world, id, "embed")];
    check_mesh(mesh, cloth.name);
    cloth.render = {};
    if (mesh.triangles.empty()) return;
    const std::vector<Vec3d> points = points_of(world.particles, cloth.particles);
    double lengths = 0;
    for (const MeshEdge& edge : cloth.mesh_edges.edges) lengths += (points[edge.a] - points[edge.b]).norm();
    const NearPoints near(points, lengths / static_cast<double>(cloth.mesh_edges.edges.size()));
    cloth.render = make_embedding(mesh, near, SurfaceCage(cloth.rest.triangles, near));
}

}  // namespace pliant
