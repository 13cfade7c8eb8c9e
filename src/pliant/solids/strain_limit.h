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
///
/// With a Young's modulus `corrected` is an inelastic stop: of the pulls of a cluster it takes what stops its members, and
/// leaves the way back to the elastic force. As published, the pulls also speed up members that are on their way back: a body
/// that its weight strains to the limit then never comes to rest.
void limit_strain(std::span<Solid> solids, Particles& particles, std::span<SolidSystem> systems);

}  // namespace pliant
