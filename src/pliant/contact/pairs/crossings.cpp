#include "pliant/contact/pairs/crossings.h"

#include "pliant/geometry/box_tree.h"
#include "pliant/math/wide.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

/// The sign of the volume of a tetrahedron. In 128 bits differences and products of floats are exact. Those of doubles
/// are not quite: a volume that is less than their rounding counts as none.
template <class T>
T determinant(const Vector3<T>& a, const Vector3<T>& b, const Vector3<T>& c)
{
    return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}

/// Of a determinant, all taken as positive: what its rounding goes by.
template <class T>
T sum_of_terms(const Vector3<T>& a, const Vector3<T>& b, const Vector3<T>& c)
{
    const auto abs = [](T t) { return t < 0 ? -t : t; };
    return abs(a.x) * (abs(b.y * c.z) + abs(b.z * c.y)) + abs(a.y) * (abs(b.z * c.x) + abs(b.x * c.z)) +
           abs(a.z) * (abs(b.x * c.y) + abs(b.y * c.x));
}

int side_of(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d)
{
    const Vec3d u = a.cast<double>() - d.cast<double>(), v = b.cast<double>() - d.cast<double>(),
                w = c.cast<double>() - d.cast<double>();
    const double fast = determinant(u, v, w);
    const auto size = [](const Vec3d& p) { return std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}); };
    if (std::abs(fast) > 1e-14 * size(u) * size(v) * size(w)) return fast > 0 ? 1 : -1;

    const auto difference = [&](const Vec3& p) {
        return Vector3<Wide>{Wide(p.x) - d.x, Wide(p.y) - d.y, Wide(p.z) - d.z};
    };
    const Vector3<Wide> x = difference(a), y = difference(b), z = difference(c);
    const Wide slow = determinant(x, y, z);
    const Wide rounding = sizeof(Real) == 4 ? 0 : 1e-32 * sum_of_terms(x, y, z);
    return slow > rounding ? 1 : slow < -rounding ? -1 : 0;
}

Box box_of(std::initializer_list<Vec3> corners)
{
    Box box{*corners.begin(), *corners.begin()};
    for (const Vec3& x : corners) {
        for (int k = 0; k < 3; ++k) {
            box.low[k] = std::min(box.low[k], x[k]);
            box.high[k] = std::max(box.high[k], x[k]);
        }
    }
    return box;
}

bool are_glued(const ContactSurface& surface, const ContactSurface::Edge& edge, const std::array<int, 3>& triangle)
{
    return std::ranges::any_of(
        triangle, [&](int corner) { return surface.are_glued(edge.a, corner) || surface.are_glued(edge.b, corner); });
}

}  // namespace

std::vector<Vec3> places_of_points(const ContactSurface& surface, const Particles& particles, const RigidBodies& rigids)
{
    std::vector<Vec3> x(particles.x.begin(), particles.x.end());
    for (const auto& [body, place] : surface.carried) x.push_back(to_world(rigids.pose[body], place));
    return x;
}

bool crosses(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c)
{
    const int above = side_of(a, b, c, p), below = side_of(a, b, c, q);
    if (above * below > 0 || (above == 0 && below == 0)) return false;
    const int ab = side_of(p, q, a, b), bc = side_of(p, q, b, c), ca = side_of(p, q, c, a);
    return (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0);
}

std::vector<Crossing> find_crossings(const ContactSurface& surface, std::span<const Vec3> x)
{
    BoxTree tree(static_cast<int>(surface.triangles.size()));
    tree.refit([&](int t) {
        const auto& p = surface.triangles[t].point;
        return box_of({x[p[0]], x[p[1]], x[p[2]]});
    });
    std::vector<Crossing> crossings;
    for (int e = 0; e < static_cast<int>(surface.edges.size()); ++e) {
        const ContactSurface::Edge& edge = surface.edges[e];
        if (edge.a == edge.b) continue;
        tree.find(box_of({x[edge.a], x[edge.b]}), 0, [&](int t) {
            const auto& p = surface.triangles[t].point;
            if (std::ranges::count(p, edge.a) + std::ranges::count(p, edge.b) > 0) return;
            if (!surface.pairing(edge.body, surface.triangles[t].body).on) return;
            if (are_glued(surface, edge, p)) return;
            if (crosses(x[edge.a], x[edge.b], x[p[0]], x[p[1]], x[p[2]])) crossings.push_back({e, t});
        });
    }
    return crossings;
}

}  // namespace pliant
