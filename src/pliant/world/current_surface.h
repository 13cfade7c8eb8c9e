#pragma once
// What there is of a body to be met by a ray or a ball, now. For queries and debugging.

#include "pliant/world/bodies.h"

#include <array>
#include <vector>

namespace pliant {

struct CurrentSurface {
    struct Tube {  // between two points, of some radius; a ball if they are the same
        int a, b;
    };
    std::vector<Vec3d> points;                  // [m]
    std::vector<std::array<int, 3>> triangles;  // of points
    std::vector<Tube> tubes;
    double radius = 0;               // of the tubes [m]
    std::vector<int> particle_at{};  // per point: particle of the body; empty for a rigid body, which has none
};

/// A surface of particles as they are now: triangles, and tubes where there are none.
CurrentSurface current_surface(const Particles& particles, Range range, const RestSurface& rest);

template <class Body>
CurrentSurface current_surface(const World& world, const Body& body)
{
    return current_surface(world.particles, body.particles, rest_surface(body));
}
/// A skin that follows the particles is where it is shown.
CurrentSurface current_surface(const World& world, const Solid& solid);
CurrentSurface current_surface(const World& world, const Rigid& rigid);

}  // namespace pliant
