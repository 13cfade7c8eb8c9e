#pragma once
// Convex shapes by their support function h(n) = max n . x, in their own frame. A plane with normal n separates a shape from
// some points if n . x > h(n) for all of them: that is all that contact needs to certify that they are apart.

#include "pliant/geometry/shape_distance.h"
#include "pliant/math/lanes.h"

namespace pliant {

/// All but meshes, also those that happen to be convex.
inline bool has_support(const Shape& shape) { return shape.kind != Shape::Kind::mesh; }

/// h(n) of a unit vector n [m]. A plane is a half-space: n has to be its own normal, +y. A mesh has none.
template <class S>
PLIANT_INLINE S support_of(const Shape& shape, const Vector3<S>& n)
{
    switch (shape.kind) {
        case Shape::Kind::plane: return S(0);
        case Shape::Kind::sphere: return S(shape.radius);
        case Shape::Kind::box:
            return abs(n.x) * S(shape.half.x) + abs(n.y) * S(shape.half.y) + abs(n.z) * S(shape.half.z);
        case Shape::Kind::capsule: return abs(n.y) * S(shape.half_height) + S(shape.radius);
        case Shape::Kind::cylinder:
            return abs(n.y) * S(shape.half_height) + sqrt(n.x * n.x + n.z * n.z) * S(shape.radius);
        case Shape::Kind::mesh: return S(std::numeric_limits<Real>::max());
    }
    return S(0);
}

/// An outward normal near a point: exact for planes, spheres and capsules, for boxes and cylinders that of a face.
template <class S>
PLIANT_INLINE Vector3<S> normal_near(const Shape& shape, const Vector3<S>& p)
{
    const S tiny(Real(1e-30)), zero(0), one(1);
    switch (shape.kind) {
        case Shape::Kind::sphere: return p * (one / max(p.norm(), tiny));
        case Shape::Kind::capsule: {
            const S height(shape.half_height);
            const Vector3<S> out{p.x, p.y - min(max(p.y, -height), height), p.z};
            return out * (one / max(out.norm(), tiny));
        }
        case Shape::Kind::box: {
            const S x = abs(p.x) - S(shape.half.x), y = abs(p.y) - S(shape.half.y), z = abs(p.z) - S(shape.half.z);
            const auto is_x = (x >= y) & (x >= z);
            const auto is_y = y >= z;
            return {select(is_x, flip_by(one, p.x), zero), select(is_x, zero, select(is_y, flip_by(one, p.y), zero)),
                    select(is_x, zero, select(is_y, zero, flip_by(one, p.z)))};
        }
        case Shape::Kind::cylinder: {
            const S across = sqrt(p.x * p.x + p.z * p.z), per = one / max(across, tiny);
            const auto at_side = across - S(shape.radius) >= abs(p.y) - S(shape.half_height);
            return {select(at_side, p.x * per, zero), select(at_side, zero, flip_by(one, p.y)),
                    select(at_side, p.z * per, zero)};
        }
        case Shape::Kind::plane:
        case Shape::Kind::mesh: break;
    }
    return {zero, one, zero};
}

/// Half of the least thickness [m]: what goes less deep than this is nearest to the side that it came from. Infinite for a plane.
inline Real half_thickness(const Shape& shape)
{
    switch (shape.kind) {
        case Shape::Kind::plane: return std::numeric_limits<Real>::infinity();
        case Shape::Kind::sphere:
        case Shape::Kind::capsule: return shape.radius;
        case Shape::Kind::box: return std::min(shape.half.x, std::min(shape.half.y, shape.half.z));
        case Shape::Kind::cylinder: return std::min(shape.radius, shape.half_height);
        case Shape::Kind::mesh: return 4 * shape.mesh->field.voxel;
    }
    return 0;
}

}  // namespace pliant
