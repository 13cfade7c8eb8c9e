#pragma once

#include "pliant/world/world.h"

#include <cstdint>

namespace pliant {

/// Perturbs the initial state a little, differently for every seed. Bodies that nothing holds are moved and rotated by
/// less than a fifth of the smallest thickness, and everything that is free gets a velocity of up to 2 cm/s. No new
/// intersections arise: if they would, other and smaller shifts are tried, in the end none.
void jitter(World& world, std::uint64_t seed);

}  // namespace pliant
