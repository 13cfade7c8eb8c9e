#pragma once
// Finds where the vertices of one side of a seam belong on the other; used by sew only.

#include "pliant/cloth/cloth.h"

#include <array>
#include <span>
#include <vector>

namespace pliant {

/// A place on the surface of a cloth.
struct SeamPlace {
    int triangle = -1;              // of the cloth
    std::array<double, 3> weights;  // of its corners
};

/// A side of a seam, as it is now.
struct SeamLayer {
    const Cloth& cloth;
    std::vector<Vec3d> x;       // per vertex of the cloth [m]
    std::vector<int> vertices;  // of the side

    Vec3d at(const SeamPlace& place) const;
};

/// Per vertex of a: the nearest place on the part of b that its vertices span.
std::vector<SeamPlace> find_nearest_places(const SeamLayer& a, const SeamLayer& b);

/// Per vertex of a, which is put in order along its border: the place that is as far along the border of b. Throws
/// InputError unless each side is one run of border from end to end. `what` is for the message.
std::vector<SeamPlace> find_places_along(SeamLayer& a, const SeamLayer& b, const std::string& what);

}  // namespace pliant
