#pragma once
// Which edges pass through which triangles. Exact for the numbers as they are: where rounding could decide, signs are
// computed with more digits.

#include "pliant/contact/pairs/surface.h"
#include "pliant/state/rigid_bodies.h"

#include <span>
#include <vector>

namespace pliant {

struct Crossing {
    int edge, triangle;  // of the surface
};

/// All of them, also among the parts of one body; an edge and a triangle with a common point, or with points that are
/// glued together, do not count. A measurement, not part of the step.
std::vector<Crossing> find_crossings(const ContactSurface& surface, std::span<const Vec3> x);

/// Where all points are, those that rigid bodies carry too.
std::vector<Vec3> places_of_points(const ContactSurface& surface, const Particles& particles,
                                   const RigidBodies& rigids);

/// Whether the segment from p to q meets the triangle a, b, c. One that only lies in its plane does not.
bool crosses(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c);

}  // namespace pliant
