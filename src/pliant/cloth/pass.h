#pragma once
// One pass over a cloth, as cloth.h tells it.

#include "pliant/cloth/cloth_system.h"
#include "pliant/state/particles.h"

#include <span>
#include <vector>

namespace pliant {

/// Drag, lift, pressure, and damping: v changes, before positions are predicted.
void apply_cloth_forces(Real h, const Vec3& wind, Real air_density, std::span<const Cloth> cloths, Particles& particles,
                        std::span<ClothSystem> systems);

/// Multipliers start anew in every substep.
void begin_cloths(std::span<ClothSystem> systems);

/// One pass.
void project_cloths(Real h, std::span<const Cloth> cloths, Particles& particles, std::span<ClothSystem> systems);

}  // namespace pliant
