#pragma once
// Which mesh of a file a body came from, so that display and output have the vertices and faces of the file.

#include "pliant/geometry/polygon_mesh.h"
#include "pliant/world/world.h"

#include <memory>

namespace pliant {

/// Records where the surface of a body came from: `source->vertex` has the vertices of a cloth, of the surface of a
/// solid or of the mesh of a rigid body. Vertices of the source that no face uses stay in place in the world, for a
/// rigid body in the frame of its form. Null removes the source. Throws InputError if it belongs to another mesh.
void set_source(World& world, SolidId id, std::shared_ptr<const SurfaceSource> source);
void set_source(World& world, ClothId id, std::shared_ptr<const SurfaceSource> source);
void set_source(World& world, RigidId id, std::shared_ptr<const SurfaceSource> source);

/// The same for the mesh that is embedded in the body.
void set_render_source(World& world, SolidId id, std::shared_ptr<const SurfaceSource> source);
void set_render_source(World& world, ClothId id, std::shared_ptr<const SurfaceSource> source);

}  // namespace pliant
