#pragma once
// What does not change about the points of a contact surface: their radii, reach and longest edges.

#include "pliant/contact/pairs/pairs.h"

namespace pliant {

/// Sizes all arrays, and clears all marks.
void prepare_points(const ContactSurface& surface, const Particles& particles, PairPoints& points);

/// Per rigid body: the gap that contact keeps between a concave one and a collider, a little more than what the guard leaves to
/// its features. Otherwise the guard would carry it, which pushes it without regard to its turning.
std::vector<Real> gaps_of_rigids(const ContactSurface& surface, std::size_t bodies);

}  // namespace pliant
