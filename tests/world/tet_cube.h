#pragma once

#include "pliant/geometry/mesh.h"

#include <array>
#include <utility>

namespace pliant {

/// A cube of 3 x 3 x 3 cells of five tetrahedra each, about the origin.
inline TetMesh tet_cube(double size = 1)
{
    constexpr int n = 3;
    TetMesh tets;
    const auto at = [](int i, int j, int k) { return (k * (n + 1) + j) * (n + 1) + i; };
    for (int k = 0; k <= n; ++k)
        for (int j = 0; j <= n; ++j)
            for (int i = 0; i <= n; ++i)
                tets.vertices.push_back(size * Vec3d{1.0 * i / n - 0.5, 1.0 * j / n - 0.5, 1.0 * k / n - 0.5});
    for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i) {
                const auto c = [&](int x, int y, int z) {  // mirrored in every other cell, so that faces match
                    return at(i + ((i + x) % 2), j + ((j + y) % 2), k + ((k + z) % 2));
                };
                const int a = c(0, 0, 0), b = c(1, 1, 0), d = c(1, 0, 1), e = c(0, 1, 1);
                for (std::array<int, 4> t :
                     {std::array{a, b, d, e}, std::array{a, b, d, c(1, 0, 0)}, std::array{a, b, e, c(0, 1, 0)},
                      std::array{a, d, e, c(0, 0, 1)}, std::array{b, d, e, c(1, 1, 1)}}) {
                    const Vec3d& o = tets.vertices[t[0]];
                    const double volume =
                        (tets.vertices[t[1]] - o).cross(tets.vertices[t[2]] - o).dot(tets.vertices[t[3]] - o);
                    if (volume < 0) std::swap(t[0], t[1]);
                    tets.tetrahedra.push_back(t);
                }
            }
    return tets;
}

}  // namespace pliant
