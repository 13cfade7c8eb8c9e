#pragma once
// Finds where the vertices of one side of a seam belong on the other; used by sew only.

#include "pliant/cloth/cloth.h"

#include <array>
#include <span>
#include <vector>

namespace pliant {

/// A point on the surface of a cloth.
struct SeamPlace {
    int triangle = -1;              // of the cloth
    std::array<double, 3> weights;  // of its corners
};

/// A side of a seam, at its current positions.
struct SeamLayer {
    const Cloth& cloth;
    std::vector<Vec3d> x;       // per vertex of the cloth [m]
    std::vector<int> vertices;  // of the side

    Vec3d at(const SeamPlace& place) const;
};

/// Per vertex of a: the nearest point on the part of b that b's vertices span.
std::vector<SeamPlace> find_nearest_places(const SeamLayer& a, const SeamLayer& b);

/// Sorts a along its border. Per vertex of a: the point of b at the same fraction of the length of its border. Throws
/// InputError, prefixed with `what`, unless each side is one stretch of a border from end to end.
std::vector<SeamPlace> find_places_along(SeamLayer& a, const SeamLayer& b, const std::string& what);

}  // namespace pliant
