#include "pliant/geometry/shape_distance.h"

#include "pliant/base/check.h"
#include "pliant/geometry/shapes.h"

namespace pliant {

namespace {

constexpr double kPlaneSize = 20;  // side of the square that shows an infinite plane [m]

/// The distance from the box of a distance field; negative inside.
Lanes distance_to_grid(const DistanceField& field, const Vector3<Lanes>& p)
{
    const auto side = [&](int axis) {
        return field.voxel * static_cast<Real>(field.size[static_cast<std::size_t>(axis)] - 1);
    };
    const Vec3 half = Real(0.5) * Vec3{side(0), side(1), side(2)};
    return distance_to_box(half, p - spread(field.low + half));
}

const ShapeMesh& mesh_of(const Shape& shape)
{
    PLIANT_ASSERT(shape.mesh != nullptr);
    return *shape.mesh;
}

}  // namespace

SurfacePoint nearest_on_shape(const Shape& shape, const Vec3& p)
{
    switch (shape.kind) {
        case Shape::Kind::plane: return {p.y, {0, 1, 0}};
        case Shape::Kind::sphere: return nearest_on_ball(p, shape.radius);
        case Shape::Kind::box: return nearest_on_box(shape.half, p);
        case Shape::Kind::capsule: return nearest_on_capsule(shape.radius, shape.half_height, p);
        case Shape::Kind::cylinder: return nearest_on_cylinder(shape.radius, shape.half_height, p);
        case Shape::Kind::mesh: return nearest_on_field(mesh_of(shape).field, p);
    }
    fail_assertion("a kind of shape", __FILE__, __LINE__);
}

Lanes distance_to_shape(const Shape& shape, const Vector3<Lanes>& p)
{
    switch (shape.kind) {
        case Shape::Kind::plane: return p.y;
        case Shape::Kind::sphere: return distance_to_ball(p, shape.radius);
        case Shape::Kind::box: return distance_to_box(shape.half, p);
        case Shape::Kind::capsule: return distance_to_capsule(shape.radius, shape.half_height, p);
        case Shape::Kind::cylinder: return distance_to_cylinder(shape.radius, shape.half_height, p);
        case Shape::Kind::mesh: return distance_to_grid(mesh_of(shape).field, p);
    }
    fail_assertion("a kind of shape", __FILE__, __LINE__);
}

SurfaceMesh make_surface(Shape::Kind kind, const Vec3d& size, double radius, double height)
{
    switch (kind) {
        case Shape::Kind::plane: return make_grid(kPlaneSize, kPlaneSize, 1, 1);
        case Shape::Kind::sphere: return make_sphere(radius, 12);
        case Shape::Kind::box: return make_box(size, 1);
        case Shape::Kind::capsule: return height > 0 ? make_capsule(radius, height, 32) : make_sphere(radius, 12);
        case Shape::Kind::cylinder: return make_cylinder(radius, height, 32);
        case Shape::Kind::mesh: return {};
    }
    fail_assertion("a kind of shape", __FILE__, __LINE__);
}

}  // namespace pliant
