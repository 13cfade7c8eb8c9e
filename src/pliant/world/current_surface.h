#pragma once
// What there is of a body to be met by a ray or a ball, now. For queries, debugging and display.

#include "pliant/world/bodies.h"

#include <array>
#include <span>
#include <vector>

namespace pliant {

struct CurrentSurface {
    std::vector<Vec3> points;                   // [m]
    std::vector<std::array<int, 3>> triangles;  // of points
    std::vector<std::array<int, 2>>
        tubes;        // between two points, where there are no triangles; the same twice for a ball
    Real radius = 0;  // of the tubes [m]
};

/// Particles as they are now: the triangles of their surface, or tubes along its edges where there are none.
CurrentSurface current_surface(const Particles& particles, Range range, RestSurface rest);

template <class Body>
CurrentSurface current_surface(const World& world, const Body& body)
{
    return current_surface(world.particles, body.particles, rest_surface(body));
}
// Those that know their surface without asking for its edges.
CurrentSurface current_surface(const World& world, const Solid& solid);
CurrentSurface current_surface(const World& world, const Cloth& cloth);
CurrentSurface current_surface(const World& world, const Rigid& rigid);

}  // namespace pliant
