#pragma once
// Reads Wavefront .obj files.

#include "pliant/geometry/polygon_mesh.h"

#include <string>

namespace pliant {

/// Vertices, faces, UVs, objects, groups and materials; normals, lines, curves and smoothing are skipped.
PolygonMesh read_obj(const std::string& path);

}  // namespace pliant
