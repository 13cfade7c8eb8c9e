#pragma once
// The elastic energy of a rod, in double. Not part of the step.

#include "pliant/rods/rod.h"

#include <span>

namespace pliant {

/// Of bend, twist and stretch, and of the clamps at its ends [J]; zero with the published stiffness. x are the positions of
/// the rod's particles, at a time [s].
double elastic_energy(const Rod& rod, std::span<const Vec3d> x, double time);

}  // namespace pliant
