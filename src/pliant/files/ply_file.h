#pragma once
// Reads .ply files, ASCII and binary.

#include "pliant/geometry/polygon_mesh.h"

#include <string>

namespace pliant {

/// Vertices, faces, texture coordinates of vertices or of corners, and the objects, groups and materials that our own
/// writer adds to the format; other elements and properties are skipped, and so are faces of fewer than three corners.
PolygonMesh read_ply(const std::string& path);

}  // namespace pliant
