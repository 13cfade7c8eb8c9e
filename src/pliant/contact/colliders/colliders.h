#pragma once
// Things that bodies run into and that do not give way: planes, spheres, boxes, capsules and closed meshes, at rest or
// in keyed motion.

#include "pliant/base/fields.h"
#include "pliant/geometry/distance_field.h"
#include "pliant/state/motion.h"

#include <memory>
#include <string>
#include <vector>

namespace pliant {

enum class ColliderShape { plane, sphere, box, capsule, mesh };
constexpr auto enum_names(ColliderShape) { return std::array{"plane", "sphere", "box", "capsule", "mesh"}; }

/// What is made once of the mesh of a collider, in its own frame.
struct ColliderMesh {
    SurfaceMesh surface;
    DistanceField field;
    std::vector<Vec3> points, normals;  // per vertex of the surface [m]
};

/// `voxel` [m]: how fine its distances are (distance_field.h).
std::shared_ptr<const ColliderMesh> make_collider_mesh(const SurfaceMesh& mesh, double voxel = 0);

struct Collider {
    std::string name;
    ColliderShape shape = ColliderShape::plane;
    Vec3d position;           // centre; for a plane a point on it, for a mesh its origin
    Vec3d rotation;           // axis times degrees
    Real radius = Real(0.5);  // sphere, capsule
    Real height = 1;          // capsule: of its straight part, along y
    Vec3 size{1, 1, 1};       // box: full edge lengths
    Real friction = Real(0.5);
    Real restitution = 0;
    Motion motion;
    std::shared_ptr<const ColliderMesh> mesh{};  // of the shape mesh

    static constexpr auto fields()
    {
        return std::tuple{
            Field{"name", &Collider::name, "", "for messages and statistics"},
            Field{"shape", &Collider::shape, "",
                  "plane (facing its own +y), sphere, box, capsule (along its own y) or mesh"},
            Field{"position", &Collider::position, "m", "centre; for a plane a point on it, for a mesh its origin"},
            Field{"rotation", &Collider::rotation, "deg", "axis times angle"},
            Field{"radius", &Collider::radius, "m", "of a sphere or a capsule", kPositive},
            Field{"height", &Collider::height, "m", "of the straight part of a capsule", kNonNegative},
            Field{"size", &Collider::size, "m", "edge lengths of a box", kPositive},
            Field{"friction", &Collider::friction, "1", "Coulomb coefficient", kNonNegative},
            Field{"restitution", &Collider::restitution, "1", "0 no bounce, 1 full bounce", kUnitInterval},
            Field{"motion", &Collider::motion, "", "keyed motion"},
        };
    }
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
