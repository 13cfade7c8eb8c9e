#pragma once
// How far a point is from a shape, for one point and for eight.

#include "pliant/geometry/distance_field.h"
#include "pliant/geometry/shape.h"

#include <vector>

namespace pliant {

/// What is made once of the mesh of a shape, in the frame of the shape.
struct ShapeMesh {
    SurfaceMesh surface{};                // empty where it is not needed
    DistanceField field{};                // the same: for what others are pushed out of
    std::vector<Vec3> points{}, normals;  // per vertex [m]; no normals without a field
};

/// The nearest point of the surface, seen from p in the frame of the shape. A plane faces +y. A mesh needs its field.
SurfacePoint nearest_on_shape(const Shape& shape, const Vec3& p);

/// The same in the world.
SurfacePoint nearest_surface(const Shape& shape, const ShapePose& pose, const Vec3& x);

/// The distances of eight points, the same numbers; inside, some negative ones. For a mesh, those to the box of its field,
/// which is nearer.
Lanes distance_to(const Shape& shape, const ShapePose& pose, const Vector3<Lanes>& x);

}  // namespace pliant
