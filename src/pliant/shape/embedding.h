#pragma once
// A mesh for display that is carried by the points of a simulated body, its cage.
//
//   x = sum_i b_i x_i + R offset      update_embedding
//
// Inside the cage a vertex is a blend of points, the sum alone: it follows any affine motion exactly. What sticks out of
// the cage is its offset, which turns with the frame that is fitted to points nearby: glue for display. The offset grows
// from nothing at the border of the cage, so that the mesh does not break there.

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
        Real blend;   // b_i; those of a vertex have the sum 1
        Real weight;  // of the fit
        Vec3 arm;     // v_i of the fit [m]
    };

    std::vector<int> first{0};                                         // per vertex, and one past the end
    std::vector<Parent> parents;                                       // in order of the vertices
    std::vector<Vec3> offset;                                          // per vertex, at rest [m]
    std::shared_ptr<const std::vector<std::array<int, 3>>> triangles;  // null for no mesh
    std::shared_ptr<const SurfaceSource> source;  // the mesh in a file that it came from; null for none

    bool empty() const { return triangles == nullptr; }
};

/// Where the vertices are when the points of the body are at x.
void update_embedding(const Embedding& embedding, std::span<const Vec3> x, std::vector<Vec3>& vertices);

}  // namespace pliant
