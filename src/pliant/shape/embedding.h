#pragma once
// A mesh for display that follows the points of a simulated body, its cage.
//
//   x = sum_i b_i x_i + R offset      update_embedding
//
// Inside the cage a vertex is a blend of points, the sum alone, and follows any affine motion exactly. Outside, it also
// has an offset, which rotates with a frame fitted to points nearby. The offset is zero at the boundary of the cage, so
// that the mesh is continuous there.

#include "pliant/geometry/polygon_mesh.h"
#include "pliant/math/types.h"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace pliant {

struct Embedding {
    struct Parent {
        int point;    // of the body
        Real blend;   // b_i; those of a vertex add up to 1
        Real weight;  // in the fit of R
        Vec3 arm;     // v_i in the fit of R [m]
    };

    std::vector<int> first{0};                                         // per vertex, and one past the end
    std::vector<Parent> parents;                                       // in order of the vertices
    std::vector<Vec3> offset;                                          // per vertex, at rest [m]
    std::shared_ptr<const std::vector<std::array<int, 3>>> triangles;  // null if there is no mesh
    std::shared_ptr<const SurfaceSource> source;                       // the mesh file that it came from; may be null

    bool empty() const { return triangles == nullptr; }
};

/// Positions of the vertices for points of the body at x.
void update_embedding(const Embedding& embedding, std::span<const Vec3> x, std::vector<Vec3>& vertices);

}  // namespace pliant
