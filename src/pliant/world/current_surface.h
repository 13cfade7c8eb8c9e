#pragma once
// The current surface of a body, for queries, debug lines and display.

#include "pliant/geometry/mesh.h"
#include "pliant/world/bodies.h"

#include <array>
#include <vector>

namespace pliant {

struct CurrentSurface {
    std::vector<Vec3> points;                   // [m]
    std::vector<std::array<int, 3>> triangles;  // of points
    std::vector<std::array<int, 2>> tubes;  // pairs of points, if there are no triangles; a ball if both are the same
    Real radius = 0;                        // of the tubes [m]

    std::array<Vec3d, 3> corners(const std::array<int, 3>& triangle) const
    {
        return {at(triangle[0]), at(triangle[1]), at(triangle[2])};
    }
    Vec3d at(int point) const { return points[static_cast<std::size_t>(point)].cast<double>(); }
};

/// From current positions: the triangles of the surface, or tubes along its edges if it has none.
CurrentSurface current_surface(const Particles& particles, Range range, RestSurface rest);

template <class Body>
CurrentSurface current_surface(const World& world, const Body& body)
{
    return current_surface(world.particles, body.particles, rest_surface(body));
}
// Kinds whose surface is known without computing its edges.
CurrentSurface current_surface(const World& world, const Solid& solid);
CurrentSurface current_surface(const World& world, const Cloth& cloth);
CurrentSurface current_surface(const World& world, const Rigid& rigid);

/// A bounding box of the surface of a body [m], computed from its points or, for a rigid body, from its extent.
Box3 current_bounds(const Particles& particles, Range range);
template <class Body>
Box3 current_bounds(const World& world, const Body& body)
{
    return current_bounds(world.particles, body.particles);
}
Box3 current_bounds(const World& world, const Solid& solid);
Box3 current_bounds(const World& world, const Rigid& rigid);

}  // namespace pliant
