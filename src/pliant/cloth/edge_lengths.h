#pragma once
// Edges that are too long, one by one: what the fibres' linear solve has left over.

#include "pliant/geometry/mesh_edges.h"
#include "pliant/shape/points.h"

#include <span>
#include <vector>

namespace pliant {

/// Edges in colours, those of a colour without a common vertex, eight a group.
struct EdgeLengths {
    struct Group {
        IndexLanes a, b;
        Lanes length;  // at rest [m]
    };
    std::vector<Group> groups;
    std::vector<int> first_group;  // per colour, and one past the end
};

/// Of the edges that `take` is set for, or of all.
EdgeLengths make_edge_lengths(const SurfaceMesh& rest, const MeshEdges& edges, const std::vector<bool>& take = {});

/// Shortens each edge that is longer than at rest to its rest length, split by inverse mass.
void project_edges(const EdgeLengths& edges, std::span<Point> points);

}  // namespace pliant
