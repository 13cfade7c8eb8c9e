#pragma once
// The surface of a body that can be touched, at rest: every kind of body provides one, and contact, rays and pictures need no
// more of the body.

#include "pliant/geometry/mesh.h"

#include <array>
#include <vector>

namespace pliant {

struct RestSurface {
    std::vector<Vec3d> rest;                    // per particle of the body, or per point that a rigid body carries [m]
    std::vector<int> points;                    // those that take part
    std::vector<std::array<int, 2>> edges;      // of points; both ends equal for a ball
    std::vector<std::array<int, 3>> triangles;  // of points
};

/// All points of a mesh, its edges in order and its triangles.
RestSurface rest_surface_of(std::vector<Vec3d> rest, std::vector<std::array<int, 3>> triangles);

}  // namespace pliant
