#pragma once

#include "pliant/solids/solid_system.h"
#include "pliant/state/particles.h"

#include <span>

namespace pliant {

/// Damps the deformation of each solid at its own rate; rigid motion is not damped (state/damping.h).
void damp_solids(Real h, std::span<const Solid> solids, Particles& particles, std::span<SolidSystem> systems);

}  // namespace pliant
