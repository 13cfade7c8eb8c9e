#pragma once
// Colliders: obstacles that contact does not move. Planes, spheres, boxes, capsules, cylinders and closed meshes, at
// rest or in keyed motion.

#include "pliant/base/fields.h"
#include "pliant/geometry/mesh.h"
#include "pliant/geometry/shape.h"
#include "pliant/state/motion.h"

#include <memory>
#include <string>

namespace pliant {

using ColliderShape = Shape::Kind;

/// `voxel` [m]: how fine its distances are (distance_field.h).
std::shared_ptr<const ShapeMesh> make_collider_mesh(const SurfaceMesh& mesh, double voxel = 0);

struct Collider {
    static constexpr const char* kKind = "collider";

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

}  // namespace pliant
