#pragma once

#include "pliant/state/particles.h"

#include <vector>

namespace pliant {

/// Predicted positions, before any constraint: x + x_low [m].
struct Predicted {
    std::vector<Vec3> x, x_low;
};

/// x_prev = x; x += h v; predicted = x. All with their low parts.
void predict(Real h, Particles& particles, Predicted& predicted);

/// v = (x - x_prev) / h, computed as v + (x - predicted) / h: a particle that no constraint has moved keeps its
/// velocity to the last bit. A pinned particle keeps the velocity of its driver.
void update_velocities(Real h, const Predicted& predicted, Particles& particles);

}  // namespace pliant
