#pragma once
// Spatial queries over the surfaces of all bodies and colliders. A body that is missed costs a bounding box of
// its points; of the others every triangle is tested. There is no BVH that edits could make stale. This is fast enough for
// picking and game logic, not for the inner loop of a tool.

#include "pliant/world/world.h"

#include <limits>
#include <optional>
#include <vector>

namespace pliant {

struct RayHit {
    BodyRef body;
    Vec3 point;         // [m]
    Vec3 normal;        // of the surface, towards the origin of the ray
    Real distance = 0;  // from there [m]
    int particle = -1;  // of the body, the nearest to the point; -1 for rigid bodies and colliders
};

/// The first surface that a ray meets, within `reach` [m]. Solids are met at their skin, or at their particles as balls
/// where they have none; rods as tubes; cloth and meshes from both sides. Throws InputError for a direction of no length
/// and for arguments that are not finite.
std::optional<RayHit> raycast(const World& world, const Vec3& origin, const Vec3& direction,
                              Real reach = std::numeric_limits<Real>::max());

/// All bodies and colliders that come within `radius` of a point [m], in the order of their kinds. A point inside a solid, a
/// rigid body or a collider counts. Throws InputError for a centre that is not finite and for a negative radius.
std::vector<BodyRef> overlap(const World& world, const Vec3& center, Real radius);

struct ClosestPoints {
    Vec3d a, b;           // on either body [m]
    double distance = 0;  // [m]
};

/// Where two bodies are nearest to each other. Where that is a whole region, as of boxes that stand flush, its middle.
/// Throws InputError unless both bodies exist and have a surface; colliders have no part in it.
ClosestPoints closest_points(const World& world, const BodyRef& a, const BodyRef& b);

/// The name of a body or collider; empty if it has been removed.
std::string name_of(const World& world, const BodyRef& body);

}  // namespace pliant
