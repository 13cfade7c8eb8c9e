#pragma once
// What does not change about the points of a contact surface: their radii, reach and longest edges.

#include "pliant/contact/pairs/pairs.h"

namespace pliant {

/// Sizes all arrays, and clears all marks.
void prepare_points(const ContactSurface& surface, const Particles& particles, PairPoints& points);

}  // namespace pliant
