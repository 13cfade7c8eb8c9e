#pragma once

#include "pliant/solids/goals.h"
#include "pliant/solids/solid.h"
#include "pliant/state/particles.h"

#include <span>

namespace pliant {

/// Damps what is not rigid motion: velocities go towards the rigid motion that has the body's own linear and
/// angular momentum, at the solid's rate d and implicitly [MHHR07, section 3.5]:
///
///   v += s (V + omega x (x - t) - v),   s = h d / (1 + h d)
///
/// Both momenta stay as they are, and so does a body that only moves, turns or spins. All modes of deformation
/// die out at the same rate; damping cluster by cluster would leave slow swaying alone.
void damp_deformation(Real h, std::span<const Solid> solids, Particles& particles, std::span<SolidScratch> scratch);

}  // namespace pliant
