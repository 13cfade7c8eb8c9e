#pragma once

#include "pliant/geometry/mesh.h"

#include <algorithm>
#include <set>
#include <utility>

namespace pliant {

/// Vertices less edges plus triangles: 2 for what is like a ball, 0 for a ring, 1 for a sheet.
inline int euler_characteristic(const SurfaceMesh& mesh)
{
    std::set<std::pair<int, int>> edges;
    for (const auto& t : mesh.triangles) {
        for (std::size_t i = 0; i < 3; ++i) edges.insert(std::minmax(t[i], t[(i + 1) % 3]));
    }
    return static_cast<int>(mesh.vertices.size()) - static_cast<int>(edges.size()) +
           static_cast<int>(mesh.triangles.size());
}

}  // namespace pliant
