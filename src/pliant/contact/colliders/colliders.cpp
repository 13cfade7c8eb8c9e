#include "pliant/contact/colliders/colliders.h"

#include "pliant/base/check.h"

namespace pliant {

std::shared_ptr<const ColliderMesh> make_collider_mesh(const SurfaceMesh& mesh, double voxel)
{
    ColliderMesh made{mesh, make_distance_field(mesh, voxel), {}, {}};
    for (const Vec3d& vertex : mesh.vertices) made.points.push_back(vertex.cast<Real>());
    for (const Vec3d& normal : vertex_normals(mesh.vertices, mesh.triangles))
        made.normals.push_back(normal.cast<Real>());
    return std::make_shared<const ColliderMesh>(std::move(made));
}

namespace {

/// In the collider's frame.
SurfacePoint nearest_in_frame(const Collider& collider, const Vec3& p)
{
    if (collider.shape == ColliderShape::box) return nearest_on_box(Real(0.5) * collider.size, p);
    if (collider.shape == ColliderShape::capsule) return nearest_on_capsule(collider.radius, collider.height / 2, p);
    PLIANT_ASSERT(collider.mesh != nullptr);
    return nearest_on_field(collider.mesh->field, p);
}

}  // namespace

SurfacePoint nearest_surface(const Collider& collider, const ColliderPose& pose, const Vec3& x)
{
    const Vec3 offset = x - pose.position;
    if (collider.shape == ColliderShape::plane) {
        const Vec3 normal = pose.rotation.c[1];
        return {normal.dot(offset), normal};
    }
    if (collider.shape == ColliderShape::sphere) return nearest_on_ball(offset, collider.radius);

    const Vec3 p{pose.rotation.c[0].dot(offset), pose.rotation.c[1].dot(offset), pose.rotation.c[2].dot(offset)};
    SurfacePoint s = nearest_in_frame(collider, p);
    s.normal = pose.rotation * s.normal;
    return s;
}

namespace {

/// Inside the box of a distance field, or how far a point is outside it.
Lanes distance_to_grid(const DistanceField& field, const Vector3<Lanes>& p)
{
    const auto side = [&](int axis) {
        return field.voxel * static_cast<Real>(field.size[static_cast<std::size_t>(axis)] - 1);
    };
    const Vec3 half = Real(0.5) * Vec3{side(0), side(1), side(2)};
    return distance_to_box(half, p - spread(field.low + half));
}

}  // namespace

Lanes distance_to(const Collider& collider, const ColliderPose& pose, const Vector3<Lanes>& x)
{
    const Vector3<Lanes> offset = x - spread(pose.position);
    const Matrix3<Lanes> r = spread(pose.rotation);
    if (collider.shape == ColliderShape::plane) return r.c[1].dot(offset);
    if (collider.shape == ColliderShape::sphere) return distance_to_ball(offset, collider.radius);

    const Vector3<Lanes> p{r.c[0].dot(offset), r.c[1].dot(offset), r.c[2].dot(offset)};
    if (collider.shape == ColliderShape::box) return distance_to_box(Real(0.5) * collider.size, p);
    if (collider.shape == ColliderShape::capsule) return distance_to_capsule(collider.radius, collider.height / 2, p);
    PLIANT_ASSERT(collider.mesh != nullptr);
    return distance_to_grid(collider.mesh->field, p);
}

Vec3 surface_motion(const ColliderPose& pose, const Vec3& x)
{
    const Vec3 local = pose.rotation.transposed() * (x - pose.position);
    return x - (pose.rotation_prev * local + pose.position_prev);
}

ColliderPose pose_at(const Collider& collider, double time, double time_prev)
{
    const Mat3d rotation = rotation_of(collider.rotation);
    const RigidMap now = motion_at(collider.motion, time), before = motion_at(collider.motion, time_prev);
    return {(now.rotation * rotation).cast<Real>(), now(collider.position).cast<Real>(),
            (before.rotation * rotation).cast<Real>(), before(collider.position).cast<Real>()};
}

}  // namespace pliant
