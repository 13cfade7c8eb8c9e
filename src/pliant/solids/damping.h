#pragma once

#include "pliant/solids/goals.h"
#include "pliant/solids/solid.h"
#include "pliant/state/particles.h"

#include <span>

namespace pliant {

/// Damps the deformation of each solid at its own rate; rigid motion stays (state/damping.h).
void damp_solids(Real h, std::span<const Solid> solids, Particles& particles, std::span<SolidScratch> scratch);

}  // namespace pliant
