#pragma once
// The signed distance from a shape, for one point and for eight.

#include "pliant/geometry/distance_field.h"
#include "pliant/geometry/shape.h"
#include "pliant/geometry/triangle_tree.h"

#include <vector>

namespace pliant {

/// The faces of a convex mesh: polygons, counter-clockwise seen from outside.
struct HullFaces {
    std::vector<Vec3> normal;  // per face
    std::vector<int> first;    // per face and one more: its corners are first[i] to first[i + 1]
    std::vector<Vec3> corner;  // [m]
};

/// Data made once from the mesh of a shape, in the frame of the shape.
struct ShapeMesh {
    SurfaceMesh surface{};                  // empty where it is not needed
    DistanceField field{};                  // the same: for what others are pushed out of
    std::vector<Vec3> points{}, normals{};  // per vertex [m]; no normals without a field
    HullFaces faces{};                      // none if it is not convex
    TriangleTree triangles{};               // of a surface with a field: made from it
};

/// The nearest point of the surface, seen from p in the frame of the shape. A plane faces +y. A mesh needs its field.
SurfacePoint nearest_on_shape(const Shape& shape, const Vec3& p);

/// The same in the world. Inline for planes and spheres, the usual colliders: a call would cost more than the result.
inline SurfacePoint nearest_surface(const Shape& shape, const ShapePose& pose, const Vec3& x)
{
    const Vec3 offset = x - pose.position;
    // shapes that look the same however they are turned
    if (shape.kind == Shape::Kind::plane) return {pose.rotation.c[1].dot(offset), pose.rotation.c[1]};
    if (shape.kind == Shape::Kind::sphere) return nearest_on_ball(offset, shape.radius);

    SurfacePoint s = nearest_on_shape(
        shape, {pose.rotation.c[0].dot(offset), pose.rotation.c[1].dot(offset), pose.rotation.c[2].dot(offset)});
    s.normal = pose.rotation * s.normal;
    return s;
}

/// The distances of eight points: the same numbers outside, any negative number inside. For a mesh, the distance to the box
/// of its field, which is a lower bound.
Lanes distance_to_shape(const Shape& shape, const Vector3<Lanes>& p);
/// The same in the world.
inline Lanes distance_to(const Shape& shape, const ShapePose& pose, const Vector3<Lanes>& x)
{
    const Vector3<Lanes> offset = x - spread(pose.position);
    const Matrix3<Lanes> r = spread(pose.rotation);
    if (shape.kind == Shape::Kind::plane) return r.c[1].dot(offset);
    if (shape.kind == Shape::Kind::sphere) return distance_to_ball(offset, shape.radius);
    return distance_to_shape(shape, {r.c[0].dot(offset), r.c[1].dot(offset), r.c[2].dot(offset)});
}

}  // namespace pliant
