#pragma once
// Two surfaces that meet in a point which is a corner of one of them, or lies on an edge of both: whether they pass through
// each other there or only touch.

#include "pliant/math/types.h"

#include <array>
#include <span>
#include <vector>

namespace pliant {

/// The part of a surface around that point.
struct Star {
    std::vector<std::array<int, 2>> edges;      // numbers of points
    std::vector<std::array<int, 3>> triangles;  // the same
    bool closed = false;                        // of a body with an inside, which its triangles face away from
};

/// Whether two stars still pass through each other when one of them is moved by about `little` [m], whatever the direction,
/// or have a part of their insides in common: of bodies with insides one then reaches into the other. `x` has the places of
/// the points [m], `where` is the point in which they meet; overlaps up to `tolerance` [m] do not count.
bool pass_through(const Star& a, const Star& b, std::span<const Vec3> x, const Vec3d& where, double little,
                  double tolerance);

}  // namespace pliant
