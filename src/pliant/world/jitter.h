#pragma once

#include "pliant/world/world.h"

#include <cstdint>

namespace pliant {

/// Makes a start a little different, another for every seed. Bodies that nothing holds are moved and turned by less than
/// a fifth of the thinnest thickness, and whatever is free gets a velocity of up to 2 cm/s. Nothing passes through
/// anything that did not before: if it would, all is moved another way or by less, in the end not at all.
void jitter(World& world, std::uint64_t seed);

}  // namespace pliant
