#pragma once
// Reads glTF 2.0, .gltf and .glb.

#include "pliant/geometry/polygon_mesh.h"

#include <string>

namespace pliant {

/// The triangles of the first scene, placed by their nodes. The vertices of a mesh are those of its position accessors,
/// once for each node that shows it; nodes are objects, and UVs are flipped so that v points up as in other formats.
PolygonMesh read_gltf(const std::string& path);

}  // namespace pliant
