#pragma once
// Which edges pass through which triangles. Faces that only touch do not: not those of boxes that stand on each other or
// side by side, with coinciding edges and corners.
//
// Exact for the given coordinates (geometry/crossing.h). Where an edge meets a triangle just at its own end, at a side or
// at a corner of the triangle, the faces around that point decide (meeting.h). A body that touches another from inside counts
// as passing through it.

#include "pliant/contact/pairs/surface.h"
#include "pliant/state/rigid_bodies.h"

#include <span>
#include <vector>

namespace pliant {

struct Crossing {
    int edge, triangle;  // of the surface
};

/// All crossings, self-intersections included; an edge and a triangle with a common point, or with points that are
/// glued together, do not count. A measurement, not part of the step.
std::vector<Crossing> find_crossings(const ContactSurface& surface, std::span<const Vec3> x);

/// Crossings deeper than the rounding of coordinates: closed bodies that were placed to touch may overlap by that much.
std::vector<Crossing> find_deep_crossings(const ContactSurface& surface, std::span<const Vec3> x);

/// The rounding error of positions [m] for coordinates of this size [m].
Real rounding_of_places(Real largest_coordinate);

/// The positions of all points, those carried by rigid bodies included.
std::vector<Vec3> places_of_points(const ContactSurface& surface, const Particles& particles,
                                   const RigidBodies& rigids);

}  // namespace pliant
