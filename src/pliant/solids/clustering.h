#pragma once
// Which particles of a solid form clusters.

#include "pliant/math/types.h"
#include "pliant/shape/memberships.h"

#include <cstdint>

namespace pliant {

/// As published [BJ14, section 3]: while some particle is uncovered, pick such a one at random; all particles within
/// `radius` of it in the rest state are a cluster. Equal shares. The same seed gives the same clusters on every
/// platform.
Memberships cluster_randomly(std::span<const Vec3d> rest, double radius, std::uint64_t seed);

/// Evenly spread: centres on a lattice that fits the bounding box, 1.13 radii apart or a little closer, so
/// that a mirror-symmetric body gets mirror-symmetric clusters. A cluster is all particles within `radius` of its
/// centre, with shares proportional to (1 - d^2/radius^2)^2, which fall smoothly to zero at its rim.
Memberships cluster_evenly(std::span<const Vec3d> rest, double radius);

/// One cluster per list, equal shares. Throws InputError for an index out of range, an empty list, a repeated member or
/// a particle in no list.
Memberships cluster_by_lists(int particles, std::span<const std::vector<int>> lists);

}  // namespace pliant
