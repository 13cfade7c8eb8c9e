#pragma once
// The constraints of a strand, a ring or a tree as one linear system of 3 x 3 blocks: its symbolic factorisation, that
// is the order of elimination, which blocks couple through a shared particle, and which fill in. Nets of one shape
// share it.
//
// Unknowns are multipliers in blocks of three: one for each edge (length, ghost on the bisector, distance of the ghost)
// and one for each joint (bend and twist). Edges are numbered so that a joint leads from a lower one to a higher; they
// are eliminated from the last to the first, that is from the leaves of a tree to its root, each with the joint before
// it. That fills in nothing outside the band of a strand, and for a ring only the border that closes it.

#include "pliant/shape/points.h"

#include <compare>
#include <span>
#include <vector>

namespace pliant {

/// How nodes, edges and joints of a net connect. Nodes are particles: points and ghosts.
struct NetShape {
    struct Edge {
        int p0, p1, ghost;
        auto operator<=>(const Edge&) const = default;
    };
    struct Joint {
        int a, b;  // edges before and after it; -1 stands for the frame that holds an end
        auto operator<=>(const Joint&) const = default;
    };
    int nodes = 0;
    std::vector<Edge> edges;
    std::vector<Joint> joints;

    auto operator<=>(const NetShape&) const = default;
};

/// An open strand: joint k is before edge k; the first and the last joint hold the ends.
NetShape chain_shape(int edges);

struct NetPattern {
    /// Gradients are numbered: of edge e by its p0, p1, ghost: 3 e, 3 e + 1, 3 e + 2; of joint j by the point before
    /// it, its own and the one after it: 3 (edges + j) and on. By ghosts a joint has no matrices but rolls (all are
    /// multiples of d2, across which no edge pulls): 2 j of the edge before it, 2 j + 1 of the edge after it.
    struct Pair {
        int a, b;  // of the row, of the column
    };
    struct Touch {
        int gradient, node;  // or a roll and its edge
    };
    struct Block {
        int row;                           // an unknown
        int couples, rolls, products = 0;  // one past its last of each
    };
    NetShape shape;
    std::vector<int> edge_unknown, joint_unknown;  // positions in the order of elimination
    std::vector<Touch> touches, roll_touches;      // unknown by unknown
    std::vector<int> first_touch, first_roll;      // per unknown, and one past the end
    std::vector<int> first_block;                  // per unknown, and one past the end; the first is on the diagonal
    std::vector<Block> blocks;                     // column by column, rows ascending
    std::vector<Pair> couples;                     // of gradients
    std::vector<Pair> rolls;
    std::vector<Pair> products;  // of blocks of the Cholesky factor, to be subtracted

    int unknowns() const { return static_cast<int>(shape.edges.size() + shape.joints.size()); }
    int gradients() const { return 3 * unknowns(); }
    std::span<const Touch> touches_of(int unknown) const
    {
        return std::span(touches).subspan(first_touch[unknown], first_touch[unknown + 1] - first_touch[unknown]);
    }
    std::span<const Touch> roll_touches_of(int unknown) const
    {
        return std::span(roll_touches).subspan(first_roll[unknown], first_roll[unknown + 1] - first_roll[unknown]);
    }
};

NetPattern make_pattern(NetShape shape);

/// The nets of a rod, in groups of eight, one per SIMD lane.
struct DirectNets {
    struct Edge {  // the same edge of eight nets
        Lanes length, ghost_distance;
        Lanes give;   // length over the area of the section, relative
        Lanes there;  // 1 for a net that has it, 0 for a padding lane
    };
    struct Joint {
        Lanes lbar;           // half an edge at an end
        Vector3<Lanes> bulk;  // the same
        Vector3<Lanes> rest;  // Omega_rest [1/m]
        Lanes there;          // 1 between two edges, 0 at an end
    };
    struct Tip {  // a clamped end
        int tip;  // of the rod
        int joint, edge, lane;
    };
    struct Group {
        int pattern;
        int first_node, first_edge, first_joint, first_tip, last_tip;
    };
    std::vector<NetPattern> patterns;
    std::vector<Group> groups;
    std::vector<IndexLanes> nodes;  // particles of the body
    std::vector<Edge> edges;
    std::vector<Joint> joints;
    std::vector<Tip> tips;
};

}  // namespace pliant
