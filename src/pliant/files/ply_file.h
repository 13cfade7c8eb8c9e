#pragma once
// Reads .ply files, ASCII and binary. By hand: Assimp 5.2 ends the whole program on some damaged ones.

#include "pliant/math/types.h"

#include <string>
#include <vector>

namespace pliant {

struct PlyContent {
    std::vector<Vec3d> vertices;          // [m]
    std::vector<std::vector<int>> faces;  // corners, indices into vertices
};

/// Positions and faces; other elements and properties are skipped.
PlyContent read_ply(const std::string& path);

}  // namespace pliant
