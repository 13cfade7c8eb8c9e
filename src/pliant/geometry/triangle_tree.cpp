#include "pliant/geometry/triangle_tree.h"

#include "pliant/geometry/closest.h"

#include <algorithm>
#include <limits>

namespace pliant {

namespace {

/// Which way a triangle winds around a line along +x that it is beyond, seen along the line: -1, 0 or 1. A line through an
/// edge or a corner belongs to one of the triangles there (half-open intervals).
int winding_beyond(const std::array<Vec3, 3>& corner, const Vec3d& p)
{
    Vec3d x[3];
    for (int k = 0; k < 3; ++k) x[k] = corner[k].cast<double>();
    bool inside = false;
    for (int k = 0; k < 3; ++k) {
        const Vec3d *a = &x[k], *b = &x[(k + 1) % 3];
        if ((a->z > p.z) == (b->z > p.z)) continue;
        if (a->z > b->z) std::swap(a, b);  // the same bits for both triangles of an edge
        inside ^= p.y < a->y + (p.z - a->z) * (b->y - a->y) / (b->z - a->z);
    }
    if (!inside) return 0;
    const Vec3d n = (x[1] - x[0]).cross(x[2] - x[0]);
    const double above = n.dot(x[0] - p) * (n.x > 0 ? 1 : -1);
    return above > 0 ? (n.x > 0 ? 1 : -1) : 0;
}

}  // namespace

TriangleTree::TriangleTree(const SurfaceMesh& mesh, const Vec3d& middle)
    : tree_(static_cast<int>(mesh.triangles.size()))
{
    std::vector<Vec3d> centers;
    for (const auto& [a, b, c] : mesh.triangles)
        centers.push_back((mesh.vertices[a] + mesh.vertices[b] + mesh.vertices[c]) / 3);
    const std::vector<int> order = order_along_curve(centers);
    const int count = static_cast<int>(order.size());
    eights_.resize(static_cast<std::size_t>((count + kLanes - 1) / kLanes));
    const auto corner = [&](int i, std::size_t k) {
        return (mesh.vertices[mesh.triangles[order[i]][k]] - middle).cast<Real>();
    };
    for (int i = 0; i < kLanes * static_cast<int>(eights_.size()); ++i)
        for (std::size_t k = 0; k < 3; ++k)
            set_lane(eights_[i / kLanes][k], i % kLanes, corner(std::min(i, count - 1), k));
    tree_.refit([&](int i) {
        const Vec3 a = corner(i, 0), b = corner(i, 1), c = corner(i, 2);
        return join(join({a, a}, {b, b}), {c, c});
    });
}

Real TriangleTree::distance(const Vec3& p, int& likely) const
{
    const auto distance_to = [&](int eight) {
        const auto& [a, b, c] = eights_[eight];
        const Vector3<Lanes> x[4] = {spread(p), a, b, c};
        return -largest(-closest_vertex_triangle(x).gap);
    };
    Real least = distance_to(likely);
    const int first = likely;
    tree_.find_near(p, least, [&](int eight) {
        if (eight == first) return;
        const Real distance = distance_to(eight);
        if (!(distance < least)) return;
        least = distance;
        likely = eight;
    });
    return least;
}

SurfacePoint TriangleTree::nearest(const Vec3& p, Real bound) const
{
    SurfacePoint best{bound, {0, 1, 0}};
    Vec3 face{0, 1, 0};
    tree_.find_near(p, best.distance, [&](int eight) {
        const auto& [a, b, c] = eights_[eight];
        const Vector3<Lanes> x[4] = {spread(p), a, b, c};
        const Closest<Lanes> closest = closest_vertex_triangle(x);
        for (unsigned near = bits_of(closest.gap < Lanes(best.distance)); near != 0; near &= near - 1) {
            const int l = std::countr_zero(near);
            if (!(closest.gap[l] < best.distance)) continue;
            const auto [at, bt, ct] = corners(kLanes * eight + l);
            best = {closest.gap[l], lane(closest.n, l)};
            face = (bt - at).cross(ct - at);
        }
    });
    // the difference of the nearest points is all rounding where p lies on the surface
    const Real rounding = 16 * std::numeric_limits<Real>::epsilon() * (p.norm() + bound);
    if (best.distance <= rounding && face.norm() > 0) return {best.distance, face.normalized()};
    if (is_inside(p)) return {-best.distance, -best.normal};
    return best;
}

bool TriangleTree::is_inside(const Vec3& p) const
{
    int winding = 0;
    const Box line{p, {std::numeric_limits<Real>::max(), p.y, p.z}};
    find(line, [&](int triangle) { winding += winding_beyond(corners(triangle), p.cast<double>()); });
    return winding != 0;
}

}  // namespace pliant
