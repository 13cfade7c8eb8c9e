#pragma once
// Which particles of a solid belong together.

#include "pliant/math/types.h"
#include "pliant/shape/memberships.h"

#include <cstdint>

namespace pliant {

/// As published [BJ14, section 3]: while a particle is not covered, pick one at random; a cluster is all
/// within `radius` of it in the rest state. Equal shares. The same seed gives the same clusters anywhere.
Memberships cluster_randomly(std::span<const Vec3d> rest, double radius, std::uint64_t seed);

/// Evenly spread: centres on a lattice that fits the bounding box, 1.13 radii apart or a little closer, so
/// that a mirror-symmetric body gets mirror-symmetric clusters. A cluster is all within `radius` of its
/// centre, with shares proportional to (1 - d^2/radius^2)^2, which fade out smoothly at its rim.
Memberships cluster_evenly(std::span<const Vec3d> rest, double radius);

/// Given lists, equal shares. Throws InputError for an index out of range, an empty list, a repeated
/// member or a particle in no list.
Memberships cluster_by_lists(int particles, std::span<const std::vector<int>> lists);

}  // namespace pliant
