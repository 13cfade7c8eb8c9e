#pragma once
// A surface filled with a regular grid holds some points more than were asked for. Surplus points are removed next to the
// surface, mirror images together, so that a symmetric body stays symmetric.

#include "pliant/geometry/scan.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pliant {

/// The points of a grid that lie inside a surface.
struct Filling {
    Grid grid;
    std::vector<Run> runs;
    std::int64_t count = 0;
};

/// Marks `surplus` points of the filling near the surface: together with all their mirror images where possible, else with
/// those in x, else one by one.
std::vector<bool> choose_surplus(const SurfaceMesh& mesh, const Filling& filling, std::size_t surplus);

}  // namespace pliant
