#include "pliant/contact/colliders/colliders.h"

#include <utility>

namespace pliant {

std::shared_ptr<const ShapeMesh> make_collider_mesh(const SurfaceMesh& mesh, double voxel)
{
    ShapeMesh made{mesh, make_distance_field(mesh, voxel)};
    for (const Vec3d& vertex : mesh.vertices) made.points.push_back(vertex.cast<Real>());
    for (const Vec3d& normal : vertex_normals(mesh.vertices, mesh.triangles))
        made.normals.push_back(normal.cast<Real>());
    made.triangles = TriangleTree(mesh, {});
    return std::make_shared<const ShapeMesh>(std::move(made));
}

Shape shape_of(const Collider& collider)
{
    return {.kind = collider.shape,
            .half = Real(0.5) * collider.size,
            .radius = collider.radius,
            .half_height = collider.height / 2,
            .mesh = collider.mesh};
}

SurfacePoint nearest_surface(const Collider& collider, const ColliderPose& pose, const Vec3& x)
{
    return nearest_surface(shape_of(collider), pose, x);
}

Vec3 surface_motion(const ColliderPose& pose, const Vec3& x)
{
    const Vec3 local = pose.rotation.transposed() * (x - pose.position);
    return x - (pose.rotation_prev * local + pose.position_prev);
}

bool is_still(const ColliderPose& pose)
{
    return pose.position == pose.position_prev && pose.rotation.c[0] == pose.rotation_prev.c[0] &&
           pose.rotation.c[1] == pose.rotation_prev.c[1] && pose.rotation.c[2] == pose.rotation_prev.c[2];
}

ColliderPose pose_at(const Collider& collider, double time, double time_prev)
{
    const Mat3d rotation = rotation_of(collider.rotation);
    const RigidMap now = motion_at(collider.motion, time), before = motion_at(collider.motion, time_prev);
    return {{(now.rotation * rotation).cast<Real>(), now(collider.position).cast<Real>()},
            (before.rotation * rotation).cast<Real>(),
            before(collider.position).cast<Real>()};
}

PlacedCollider place_collider(const Collider& collider, double time, double time_prev)
{
    return {shape_of(collider), pose_at(collider, time, time_prev), collider.friction, collider.restitution};
}

void place_colliders(std::span<const Collider> colliders, double time, Real h, std::vector<PlacedCollider>& placed)
{
    placed.resize(colliders.size());
    for (std::size_t c = 0; c < colliders.size(); ++c) placed[c] = place_collider(colliders[c], time + h, time);
}

}  // namespace pliant
