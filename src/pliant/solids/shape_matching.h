#pragma once

#include "pliant/solids/solid_system.h"
#include "pliant/state/particles.h"

#include <span>

namespace pliant {

/// The elastic force [BJ14, Algorithm 1]: v += alpha (g - x) / h with g the mean of the rigid goals at x,
/// or alpha_c = h^2 k_c cluster by cluster for a solid with a Young's modulus. Keeps both momenta.
void match_shapes(Real h, std::span<Solid> solids, Particles& particles, std::span<SolidSystem> systems);

/// Displacement to the blended goals, per block: sum_c lambda_c gain_c (g_c - x).
/// A solid's gains are all 1 for the goals of the paper.
Vector3<Lanes> blend_goals(const Clusters& clusters, int block, const SolidScratch& scratch,
                           std::span<const Real> gain);

}  // namespace pliant
