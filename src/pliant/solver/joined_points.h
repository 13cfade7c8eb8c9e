#pragma once
// Particles in colliders that do not move alone: the parents of a weld (points of rods: point_touches.h). Pushed out by
// themselves, they would be driven in again by all that hangs on them, and a stiff rod between would store energy that nobody
// has given. So a push moves the point and all that is joined to it, through the factor of their system.

#include "pliant/solver/compiled.h"
#include "pliant/world/world.h"

namespace pliant {

/// Points of a system that are pushed out with it. Where more of them touch, they share the load, and each is pushed alone.
inline constexpr int kMostJoinedTouches = 8;

void push_out_joined_points(Real h, World& world, Compiled& compiled);

}  // namespace pliant
