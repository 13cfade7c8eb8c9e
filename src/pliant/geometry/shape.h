#pragma once
// The shapes that things touch with, colliders and rigid bodies alike, in a frame of their own. Each function here
// and in shape_distance.h is a `switch` over all kinds without a default: a new kind does not compile until every function knows it.

#include "pliant/geometry/mesh.h"

#include <array>
#include <memory>

namespace pliant {

/// Data made once from the mesh of a shape (shape_distance.h).
struct ShapeMesh;

struct Shape {
    enum class Kind { plane, sphere, box, capsule, cylinder, mesh };

    Kind kind = Kind::sphere;
    Vec3 half;                                // box: half of its edge lengths [m]
    Real radius = 0;                          // sphere, capsule, cylinder; mesh: how far it keeps its vertices away [m]
    Real half_height = 0;                     // capsule: of its straight part; cylinder: of the whole; both along y [m]
    Real extent = 0;                          // of a body: no point is further from its origin [m]
    Real narrow = 0;                          // its smallest extent; 0 for a plane [m]
    std::shared_ptr<const ShapeMesh> mesh{};  // of a mesh
};

constexpr auto enum_names(Shape::Kind) { return std::array{"plane", "sphere", "box", "capsule", "cylinder", "mesh"}; }

/// Where a shape is: its frame to the world.
struct ShapePose {
    Mat3 rotation = Mat3::identity();
    Vec3 position;  // [m]

    Vec3 to_world(const Vec3& p) const { return rotation * p + position; }
    Vec3 to_shape(const Vec3& x) const { return rotation.transposed() * (x - position); }
};

/// Triangles for display and for feature contacts: a square of 20 m for a plane; nothing for a mesh, which has its own.
SurfaceMesh make_surface(Shape::Kind kind, const Vec3d& size, double radius, double height);

/// Corner number i of a box, 0 to 7.
inline Vec3 corner_of_box(const Vec3& half, int i)
{
    return {(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y, (i & 4) != 0 ? half.z : -half.z};
}

}  // namespace pliant
