#pragma once
// Embedding: a detailed mesh carried by a coarse body, and shown in its place. See shape/embedding.h.

#include "pliant/geometry/mesh.h"
#include "pliant/world/world.h"

namespace pliant {

/// Shows a mesh in place of the body. The mesh is given where the body is now, which is taken for its rest shape: call
/// it before the body is placed. Vertices may be inside or outside: in tetrahedra and triangles they are blends of
/// the corners, among the particles of a filled solid of those nearby, and beyond, they turn with the nearest. An empty
/// mesh shows the body itself again. Throws InputError for an invalid mesh.
void embed(World& world, SolidId id, const SurfaceMesh& mesh);
void embed(World& world, ClothId id, const SurfaceMesh& mesh);

}  // namespace pliant
