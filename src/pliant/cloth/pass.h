#pragma once
// One pass over a cloth, as described in cloth.h.

#include "pliant/cloth/cloth_system.h"
#include "pliant/state/particles.h"

#include <span>
#include <vector>

namespace pliant {

/// Drag, lift, pressure and damping change v before positions are predicted.
void apply_cloth_forces(Real h, const AirFlow& flow, Real air_density, std::span<const Cloth> cloths,
                        Particles& particles, std::span<ClothSystem> systems);

/// Resets the XPBD multipliers at the start of a substep.
void begin_cloths(std::span<ClothSystem> systems);

void project_cloths(Real h, std::span<const Cloth> cloths, Particles& particles, std::span<ClothSystem> systems);

}  // namespace pliant
