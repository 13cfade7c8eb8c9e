#pragma once
// Edges that are too long, one by one (Gauss-Seidel by colour): what the fibres' linear solve has left over.

#include "pliant/geometry/mesh_edges.h"
#include "pliant/shape/points.h"

#include <span>
#include <vector>

namespace pliant {

/// Edges by graph colour: those of one colour share no vertex. Groups of eight, one per SIMD lane.
struct EdgeLengths {
    struct Group {
        IndexLanes a, b;
        Lanes length;  // at rest [m]
    };
    std::vector<Group> groups;
    std::vector<int> first_group;  // per colour, and one past the end
};

/// Takes the edges for which `take` is set, or all if it is empty.
EdgeLengths make_edge_lengths(const SurfaceMesh& rest, const MeshEdges& edges, const std::vector<bool>& take = {});

/// Shortens each edge that is longer than at rest to its rest length, split by inverse mass.
void project_edges(const EdgeLengths& edges, std::span<Point> points);

}  // namespace pliant
