#pragma once
// Things that bodies run into and that do not give way: planes, spheres, boxes, capsules, cylinders and closed meshes, at
// rest or in keyed motion.

#include "pliant/base/fields.h"
#include "pliant/geometry/shape.h"
#include "pliant/state/motion.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pliant {

using ColliderShape = Shape::Kind;

/// `voxel` [m]: how fine its distances are (distance_field.h).
std::shared_ptr<const ShapeMesh> make_collider_mesh(const SurfaceMesh& mesh, double voxel = 0);

struct Collider {
    std::string name;
    ColliderShape shape = ColliderShape::plane;
    Vec3d position;           // centre; for a plane a point on it, for a mesh its origin
    Vec3d rotation;           // axis times degrees
    Real radius = Real(0.5);  // sphere, capsule, cylinder
    Real height = 1;          // capsule: of its straight part; cylinder; both along y
    Vec3 size{1, 1, 1};       // box: full edge lengths
    Real friction = Real(0.5);
    Real restitution = 0;
    Motion motion;
    std::shared_ptr<const ShapeMesh> mesh{};  // of the shape mesh

    static constexpr auto fields()
    {
        return std::tuple{
            Field{"name", &Collider::name, "", "for messages and statistics"},
            Field{"shape", &Collider::shape, "",
                  "plane (facing its own +y), sphere, box, capsule or cylinder (along its own y), or mesh"},
            Field{"position", &Collider::position, "m", "centre; for a plane a point on it, for a mesh its origin"},
            Field{"rotation", &Collider::rotation, "deg", "axis times angle"},
            Field{"radius", &Collider::radius, "m", "of a sphere, a capsule or a cylinder", kPositive},
            Field{"height", &Collider::height, "m", "of the straight part of a capsule, or of a cylinder",
                  kNonNegative},
            Field{"size", &Collider::size, "m", "edge lengths of a box", kPositive},
            Field{"friction", &Collider::friction, "1", "Coulomb coefficient", kNonNegative},
            Field{"restitution", &Collider::restitution, "1", "0 no bounce, 1 full bounce", kUnitInterval},
            Field{"motion", &Collider::motion, "", "keyed motion"},
        };
    }
};

/// Its own frame.
Shape shape_of(const Collider& collider);

/// Where a collider is during a substep, and where it was at its start.
struct ColliderPose : ShapePose {
    Mat3 rotation_prev = Mat3::identity();
    Vec3 position_prev;  // [m]
};
ColliderPose pose_at(const Collider& collider, double time, double time_prev);

/// A collider in a substep.
struct PlacedCollider {
    Shape shape;
    ColliderPose pose;
    Real friction = 0, restitution = 0;
};
PlacedCollider place_collider(const Collider& collider, double time, double time_prev);
/// All of them, for the substep from `time` to `time` + h.
void place_colliders(std::span<const Collider> colliders, double time, Real h, std::vector<PlacedCollider>& placed);

/// The nearest surface point of a collider, seen from x.
SurfacePoint nearest_surface(const Collider& collider, const ColliderPose& pose, const Vec3& x);

/// How far the collider's own material at x has moved in the substep.
Vec3 surface_motion(const ColliderPose& pose, const Vec3& x);

}  // namespace pliant
