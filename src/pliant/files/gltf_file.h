#pragma once
// Reads glTF 2.0, .gltf and .glb: meshes, and what an animation does to them.

#include "pliant/files/vertex_sequence.h"
#include "pliant/geometry/polygon_mesh.h"

#include <memory>
#include <string>

namespace pliant {

/// The triangles of the first scene, placed by their nodes, morph targets and skins where no animation has moved them. The
/// vertices of a mesh are those of its position accessors, once for each node that shows it; nodes are objects, and UVs are
/// flipped so that v points up as in other formats.
PolygonMesh read_gltf(const std::string& path);

/// The same vertices, moved by the animation of that name, or by the first one. InputError without any.
std::unique_ptr<VertexSequence> open_gltf_sequence(const std::string& path, const std::string& clip);

}  // namespace pliant
