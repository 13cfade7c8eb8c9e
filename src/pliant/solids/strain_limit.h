#pragma once

#include "pliant/solids/solid_system.h"
#include "pliant/state/particles.h"

#include <span>

namespace pliant {

/// One iteration of the strain limit [BJ14, Algorithm 2]: y += omega (g' - y), g' the mean over clusters of
/// the nearest point within gamma w_c of the rigid goal, depending on the solid's limiter:
///
///   particle    each member by itself, as published: changes momentum
///   corrected   the same, less the cluster's mean displacement and rotation: conserves both momenta
///   cluster     one factor for the cluster, that of its farthest member: conserves both momenta
void limit_strain(std::span<Solid> solids, Particles& particles, std::span<SolidSystem> systems);

}  // namespace pliant
