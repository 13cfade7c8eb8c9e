#pragma once

#include "pliant/solids/solid_system.h"
#include "pliant/state/particles.h"

#include <span>

namespace pliant {

/// The elastic force [BJ14, Algorithm 1]: v += alpha (g - x) / h with g the mean of the rigid goals at x,
/// or alpha_c = h^2 k_c cluster by cluster for a solid with a Young's modulus. Conserves both momenta.
void match_shapes(Real h, std::span<Solid> solids, Particles& particles, std::span<SolidSystem> systems);

/// Displacement of a block's particles to their blended goals: sum_c lambda_c gain_c (g_c - x). Without gains they are
/// all 1, as in the paper.
Vector3<Lanes> blend_goals(const Clusters& clusters, int block, const SolidScratch& scratch,
                           std::span<const Real> gain);

}  // namespace pliant
