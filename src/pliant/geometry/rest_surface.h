#pragma once
// What of a body can be touched, as it is at rest: every kind of body gives one, and contact, rays and pictures need no
// more of it.

#include "pliant/geometry/mesh.h"

#include <array>
#include <vector>

namespace pliant {

struct RestSurface {
    std::vector<Vec3d> rest;                    // per particle of the body, or per point that a rigid body carries [m]
    std::vector<int> points;                    // those that take part
    std::vector<std::array<int, 2>> edges;      // of points; the same twice for a ball
    std::vector<std::array<int, 3>> triangles;  // of points
};

/// All points of a mesh, its edges in order and its triangles.
RestSurface rest_surface_of(std::vector<Vec3d> rest, std::vector<std::array<int, 3>> triangles);

}  // namespace pliant
