#pragma once
// Where colliders are in a substep, and how far from them anything is.

#include "pliant/contact/colliders/collider.h"
#include "pliant/geometry/distance_field.h"

#include <vector>

namespace pliant {

/// What is made once of the mesh of a collider, in its own frame.
struct ColliderMesh {
    SurfaceMesh surface;
    DistanceField field;
    std::vector<Vec3> points, normals;  // per vertex of the surface [m]
};

/// Where a collider is during a substep.
struct ColliderPose {
    Mat3 rotation = Mat3::identity();  // collider to world
    Vec3 position;                     // [m]
    Mat3 rotation_prev = Mat3::identity();
    Vec3 position_prev;  // at the start of the substep
};

/// The nearest surface point of a collider, seen from x.
SurfacePoint nearest_surface(const Collider& collider, const ColliderPose& pose, const Vec3& x);

/// The distances of eight points, the same numbers; inside, some negative ones. For a mesh, those to the box of its
/// distances, which is nearer.
Lanes distance_to(const Collider& collider, const ColliderPose& pose, const Vector3<Lanes>& x);

/// How far the collider's own material at x has moved in the substep.
Vec3 surface_motion(const ColliderPose& pose, const Vec3& x);

ColliderPose pose_at(const Collider& collider, double time, double time_prev);

}  // namespace pliant
