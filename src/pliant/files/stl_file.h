#pragma once
// Reads .stl files, ASCII and binary.

#include "pliant/geometry/polygon_mesh.h"

#include <string>

namespace pliant {

/// Triangles. The format has no shared vertices: corners at the same position become one, in the order of the file. The
/// solids of an ASCII file are objects.
PolygonMesh read_stl(const std::string& path);

}  // namespace pliant
