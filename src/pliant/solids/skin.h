#pragma once
// The surface of a solid. Its vertices are particles, which take part in contact, or follow the clusters near them and
// are for display only.

#include "pliant/geometry/mesh.h"
#include "pliant/shape/cluster_rest.h"
#include "pliant/state/particles.h"

#include <array>
#include <memory>
#include <vector>

namespace pliant {

struct Skin {
    std::vector<Vec3> rest;                                            // per vertex [m]
    std::vector<int> first{0};                                         // per vertex, and one past the end
    std::vector<int> cluster;                                          // per influence
    std::vector<Real> share;                                           // per influence; those of a vertex add up to 1
    std::shared_ptr<const std::vector<std::array<int, 3>>> triangles;  // null for none
    std::vector<int> particle;  // per vertex: its particle of the body; empty if the vertices follow clusters
};

/// Distributes each vertex over the clusters near it, with smooth weights.
Skin make_skin(const SurfaceMesh& surface, std::span<const ClusterRest> clusters);

struct Solid;

/// Where the surface is now; x are the positions of the solid's particles. A vertex that follows is at
/// sum_c share (t_c + F_c (r - t0_c)), F_c the affine fit of the cluster.
void update_skin(const Solid& solid, std::span<const Vec3> x, std::vector<Vec3>& vertices);

}  // namespace pliant
