#pragma once
// The faces of a convex mesh as polygons.

#include "pliant/geometry/convex.h"
#include "pliant/geometry/mesh.h"

namespace pliant {

/// The faces of the convex hull of a closed mesh; none if the mesh is not convex but for rounding, or has very many vertices.
HullFaces find_hull_faces(const SurfaceMesh& mesh);

/// The corner, edge or face of a hull that is furthest along n or nearly so, in its own frame (see feature_along).
Feature3 hull_feature(const ShapeMesh& hull, const Vec3d& n);

}  // namespace pliant
