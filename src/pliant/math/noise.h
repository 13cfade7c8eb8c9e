#pragma once
// Smooth random numbers over a line and over space, from a hash of lattice points: the same bits on every machine.

#include "pliant/math/types.h"

#include <cstdint>

namespace pliant {

/// Between -1 and 1, smooth (twice differentiable), changing over about 1 of `t`.
double noise(double t, std::uint64_t seed);

/// A velocity field without sources, the curl of a random potential: every component has the mean 0 and the standard
/// deviation 1, and changes over about 1 of `x`, with smaller eddies in the larger ones. Zero where `x` is not finite or
/// beyond 1e15.
Vec3d eddy_noise(const Vec3d& x, std::uint64_t seed);

}  // namespace pliant
