#pragma once

#include "pliant/state/particles.h"

#include <span>
#include <vector>

namespace pliant {

/// x_prev = x; x += h v; `predicted` = the new x.
void predict(Real h, Particles& particles, std::vector<Vec3>& predicted);

/// v = (x - x_prev) / h, computed as v + (x - predicted) / h: what no constraint touched keeps its velocity
/// to the last bit. A pinned particle keeps the velocity of its driver.
void update_velocities(Real h, std::span<const Vec3> predicted, Particles& particles);

}  // namespace pliant
