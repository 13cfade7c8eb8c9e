#pragma once
// Embedding: a detailed mesh that follows a coarse body and is shown in its place. See shape/embedding.h.

#include "pliant/geometry/mesh.h"
#include "pliant/world/world.h"

namespace pliant {

/// Shows a mesh in place of the body. The mesh is attached to the current positions of the body, which are taken for
/// its rest shape: call this before the body is placed. Vertices inside tetrahedra or on triangles are blends of the
/// corners; among the particles of a filled solid they are blends of those nearby; outside, they rotate with the
/// nearest ones. An empty mesh shows the body itself again. Throws InputError for an invalid mesh.
void embed(World& world, SolidId id, const SurfaceMesh& mesh);
void embed(World& world, ClothId id, const SurfaceMesh& mesh);

}  // namespace pliant
