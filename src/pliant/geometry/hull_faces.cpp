#include "pliant/geometry/hull_faces.h"

#include "pliant/geometry/convex_hull.h"
#include "pliant/math/portable.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr std::size_t kMaxVertices = 4096;  // the support function of a hull looks at all of them
constexpr double kMaxHollow = 1e-5;         // part of the hull that the mesh may not fill
constexpr double kFlatness = 1e-6;          // of the size: how far the corners of a face may be from its plane
constexpr double kMinHeight = 1e-4;         // of the size: narrower triangles have no plane of their own

/// Of a convex hull: the largest triangles first, each with all corners in its plane.
class FaceFinder {
  public:
    explicit FaceFinder(const SurfaceMesh& hull) : hull_(hull), used_(hull.triangles.size(), 0)
    {
        for (const Vec3d& x : hull.vertices) size_ = std::max(size_, (x - hull.vertices[0]).norm());
    }

    HullFaces find()
    {
        std::vector<std::pair<double, std::size_t>> order;
        for (std::size_t t = 0; t < hull_.triangles.size(); ++t) order.emplace_back(-area_of(t).norm(), t);
        std::ranges::sort(order);
        for (const auto& [area, t] : order)
            if (used_[t] == 0 && -area > kMinHeight * size_ * longest_side(t)) add_face(t);
        faces_.first.push_back(static_cast<int>(faces_.corner.size()));
        return std::move(faces_);
    }

  private:
    const Vec3d& corner(std::size_t t, std::size_t k) const { return hull_.vertices[hull_.triangles[t][k]]; }
    Vec3d area_of(std::size_t t) const { return (corner(t, 1) - corner(t, 0)).cross(corner(t, 2) - corner(t, 0)); }
    double longest_side(std::size_t t) const
    {
        double longest = 0;
        for (std::size_t k = 0; k < 3; ++k) longest = std::max(longest, (corner(t, (k + 1) % 3) - corner(t, k)).norm());
        return longest;
    }

    void add_face(std::size_t triangle)
    {
        const Vec3d n = area_of(triangle).normalized(), origin = corner(triangle, 0);
        const auto is_in_plane = [&](const Vec3d& x) { return std::abs(n.dot(x - origin)) <= kFlatness * size_; };
        std::vector<Vec3d> corners;
        for (const Vec3d& x : hull_.vertices)
            if (is_in_plane(x)) corners.push_back(x);
        for (std::size_t t = 0; t < used_.size(); ++t)
            if (is_in_plane(corner(t, 0)) && is_in_plane(corner(t, 1)) && is_in_plane(corner(t, 2))) used_[t] = 1;
        sort_around(n, corners);
        faces_.normal.push_back(n.cast<Real>());
        faces_.first.push_back(static_cast<int>(faces_.corner.size()));
        for (const Vec3d& x : corners) faces_.corner.push_back(x.cast<Real>());
    }
    /// Counter-clockwise seen from outside.
    static void sort_around(const Vec3d& n, std::vector<Vec3d>& corners)
    {
        Vec3d middle{};
        for (const Vec3d& x : corners) middle += 1 / static_cast<double>(corners.size()) * x;
        const Vec3d u = (corners[0] - middle).normalized(), v = n.cross(u);
        std::ranges::sort(corners, {},
                          [&](const Vec3d& x) { return portable::atan2(v.dot(x - middle), u.dot(x - middle)); });
    }

    const SurfaceMesh& hull_;
    std::vector<char> used_;  // per triangle: in a face
    double size_ = 0;
    HullFaces faces_;
};

}  // namespace

HullFaces find_hull_faces(const SurfaceMesh& mesh)
{
    if (mesh.vertices.size() < 4 || mesh.vertices.size() > kMaxVertices) return {};
    const SurfaceMesh hull = convex_hull(mesh.vertices);
    return volume(mesh) >= (1 - kMaxHollow) * volume(hull) ? FaceFinder(hull).find() : HullFaces{};
}

Feature3 hull_feature(const ShapeMesh& hull, const Vec3d& n)
{
    Feature3 f;
    const HullFaces& faces = hull.faces;
    const auto along = [&](const Vec3& normal) { return n.dot(normal.cast<double>()); };
    const auto best =
        static_cast<std::size_t>(std::ranges::max_element(faces.normal, {}, along) - faces.normal.begin());
    if (along(faces.normal[best]) > std::sqrt(1 - kFlatCore * kFlatCore)) {
        f.n = faces.normal[best].cast<double>().normalized();
        const int first = faces.first[best], count = faces.first[best + 1] - first;
        const int kept = std::min(count, Feature3::kMaxCorners);
        for (int k = 0; k < kept; ++k)
            f.add(faces.corner[static_cast<std::size_t>(first + k * count / kept)].cast<double>());
        return f;
    }
    const auto above = [&](const Vec3& p) { return n.dot(p.cast<double>()); };
    const Vec3d top = std::ranges::max_element(hull.points, {}, above)->cast<double>();
    f.add(top);
    double least_slope = kFlatCore;
    Vec3d end{};
    for (const Vec3& p : hull.points) {
        const Vec3d side = p.cast<double>() - top;
        const double length = side.norm(), slope = length > 0 ? -n.dot(side) / length : 1;
        if (!(slope < least_slope)) continue;
        least_slope = slope;
        end = top + side;
    }
    if (least_slope < kFlatCore) f.add(end);
    return f;
}

}  // namespace pliant
