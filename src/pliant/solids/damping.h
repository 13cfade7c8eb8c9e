#pragma once

#include "pliant/solids/goals.h"
#include "pliant/solids/solid.h"
#include "pliant/state/particles.h"

#include <span>

namespace pliant {

/// Damps what is not rigid motion: each cluster's velocities go towards the rigid motion that has the
/// cluster's own linear and angular momentum, at the solid's rate and implicitly:
///
///   v += s sum_c lambda_c (v_c + omega_c x (x - t_c) - v),   s = h d / (1 + h d)
///
/// Both momenta stay as they are, and so does a body that only moves, turns or spins.
void damp_deformation(Real h, std::span<const Solid> solids, Particles& particles, std::span<SolidScratch> scratch);

}  // namespace pliant
