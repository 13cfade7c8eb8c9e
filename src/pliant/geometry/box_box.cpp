#include "pliant/geometry/box_box.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

/// How far a box reaches from its centre along a direction.
Real reach(const OrientedBox& box, const Vec3& n)
{
    return std::abs(n.dot(box.axes.c[0])) * box.half.x + std::abs(n.dot(box.axes.c[1])) * box.half.y +
           std::abs(n.dot(box.axes.c[2])) * box.half.z;
}

/// The direction of least overlap so far; `normal` points from the collider to the body.
struct LeastOverlap {
    enum class Of { collider_face, body_face, edges };

    Real overlap = std::numeric_limits<Real>::max();
    Of of = Of::collider_face;
    Vec3 normal;
    int a = 0, b = 0;  // axes: of the face; or of the edges of body and collider
};

constexpr Real kPreferFaces = Real(0.95);  // a face gives a steadier contact than a pair of edges

void try_axis(const OrientedBox& body, const OrientedBox& collider, Vec3 n, LeastOverlap::Of of, int a, int b,
              LeastOverlap& least)
{
    const Real between = n.dot(body.center - collider.center);
    if (between < 0) n = -n;
    const Real overlap = reach(body, n) + reach(collider, n) - std::abs(between);
    const bool face = of == LeastOverlap::Of::collider_face;
    const Real limit = face ? least.overlap : least.overlap - (1 - kPreferFaces) * std::abs(least.overlap);
    if (overlap < limit) least = {overlap, of, n, a, b};
}

LeastOverlap find_least_overlap(const OrientedBox& body, const OrientedBox& collider)
{
    using Of = LeastOverlap::Of;
    LeastOverlap least;
    for (int i = 0; i < 3; ++i) try_axis(body, collider, collider.axes.c[i], Of::collider_face, i, 0, least);
    for (int i = 0; i < 3; ++i) try_axis(body, collider, body.axes.c[i], Of::body_face, i, 0, least);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            const Vec3 n = body.axes.c[i].cross(collider.axes.c[j]);
            const Real length = n.norm();
            if (length > Real(1e-3)) try_axis(body, collider, n / length, Of::edges, i, j, least);
        }
    }
    return least;
}

/// A polygon of up to eight corners: a face, clipped at four sides.
struct Polygon {
    std::array<Vec3, 8> p;
    int count = 0;

    void add(const Vec3& x)
    {
        if (count < 8) p[static_cast<std::size_t>(count++)] = x;
    }
    const Vec3& at(int i) const { return p[static_cast<std::size_t>(i)]; }
};

/// The face of a box that looks most along n.
Polygon face_towards(const OrientedBox& box, const Vec3& n)
{
    int axis = 0;
    for (int i = 1; i < 3; ++i)
        if (std::abs(n.dot(box.axes.c[i])) > std::abs(n.dot(box.axes.c[axis]))) axis = i;
    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    const Vec3 middle = box.center + std::copysign(box.half[axis], n.dot(box.axes.c[axis])) * box.axes.c[axis];
    const Vec3 u = box.half[j] * box.axes.c[j], v = box.half[k] * box.axes.c[k];
    Polygon face;
    face.add(middle + u + v);
    face.add(middle - u + v);
    face.add(middle - u - v);
    face.add(middle + u - v);
    return face;
}

/// Keeps the part with n . x <= d.
Polygon clip(const Polygon& polygon, const Vec3& n, Real d)
{
    Polygon kept;
    for (int i = 0; i < polygon.count; ++i) {
        const Vec3 &from = polygon.at(i), &to = polygon.at((i + 1) % polygon.count);
        const Real a = n.dot(from) - d, b = n.dot(to) - d;
        if (a <= 0) kept.add(from);
        if ((a < 0 && b > 0) || (a > 0 && b < 0)) kept.add(from + (a / (a - b)) * (to - from));
    }
    return kept;
}

/// The part of `other`'s opposite face above the face of `box` along its axis; `out` is that face's normal.
Polygon clipped_face(const OrientedBox& box, int axis, const Vec3& out, const OrientedBox& other)
{
    Polygon face = face_towards(other, -out);
    for (const int side : {(axis + 1) % 3, (axis + 2) % 3}) {
        const Vec3& n = box.axes.c[side];
        face = clip(face, n, n.dot(box.center) + box.half[side]);
        face = clip(face, -n, box.half[side] - n.dot(box.center));
    }
    return face;
}

/// The middle of the edge of a box along an axis that lies furthest along n.
Vec3 edge_towards(const OrientedBox& box, int axis, const Vec3& n)
{
    Vec3 p = box.center;
    for (int i = 0; i < 3; ++i)
        if (i != axis) p += std::copysign(box.half[i], n.dot(box.axes.c[i])) * box.axes.c[i];
    return p;
}

void touch_edges(const OrientedBox& body, const OrientedBox& collider, const LeastOverlap& least, Touches& touches)
{
    const Vec3 p = edge_towards(body, least.a, -least.normal), q = edge_towards(collider, least.b, least.normal);
    const Vec3 &u = body.axes.c[least.a], &v = collider.axes.c[least.b];
    const Real uv = u.dot(v);
    const Real s = (uv * v.dot(p - q) - u.dot(p - q)) / (1 - uv * uv);  // on the body's edge, nearest to the other
    touches.add({p + std::clamp(s, -body.half[least.a], body.half[least.a]) * u, least.normal, least.overlap});
}

}  // namespace

void find_box_touches(const OrientedBox& body, const OrientedBox& collider, Real margin, Touches& touches)
{
    const LeastOverlap least = find_least_overlap(body, collider);
    if (least.overlap < -margin) return;
    if (least.of == LeastOverlap::Of::edges) return touch_edges(body, collider, least, touches);

    const Vec3& n = least.normal;
    const bool of_collider = least.of == LeastOverlap::Of::collider_face;
    const OrientedBox& box = of_collider ? collider : body;
    const Vec3 out = of_collider ? n : -n;
    const Real face = out.dot(box.center) + box.half[least.a];
    const Polygon polygon = clipped_face(box, least.a, out, of_collider ? body : collider);
    for (int i = 0; i < polygon.count; ++i) {
        const Vec3& p = polygon.at(i);
        const Real depth = face - out.dot(p);
        if (depth > -margin) touches.add({of_collider ? p : p + depth * out, n, depth});
    }
}

}  // namespace pliant
