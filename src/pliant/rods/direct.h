#pragma once
// Stiff rods in one solve: all constraints of a strand as one linear system, banded along the rod.
//
// Unknowns are multipliers in blocks of three, in the order El_0, Ed_0, El_1, Ed_1, ..., El_N: Ed_k the three constraints
// of edge k (with C_P divided by the edge length, for scale), El_k bend and twist between edges k-1 and k, where El_0 and
// El_N hold the ends to frames of their own with half an edge. El_k reaches four blocks ahead, Ed_k three. Linearised at
// the positions of the start of the substep, not at the predicted ones,
//
//   (J W J^T + alpha/h^2) lambda = -C(x_old) - J (x - x_old),   x += W J^T lambda,
//
// one solve gives a rest state that does not depend on the step, and keeps both momenta. In double: the condition
// number of 50 edges is beyond float. Eight strands of about the same length at a time.

#include "pliant/rods/rod.h"

#include <span>
#include <vector>

namespace pliant {

using Wide = Pack<double>;

struct DirectStrands {
    struct Group {          // eight strands
        int first;          // into links
        int edges;          // of the longest
        IndexLanes strand;  // -1 for nobody
    };
    struct Link {  // edge k of eight strands, its first point, and the joint before it
        IndexLanes point, ghost;
        IndexLanes edge;  // of the body; -1 for nobody
        Wide there;       // 1 for a lane with this edge, 0 for nobody
        Wide length, ghost_distance;
        Wide lbar;           // of the joint with the edge before; half an edge at a start
        Vector3<Wide> rest;  // Omega_rest of that joint [1/m]
    };
    std::vector<Link> links;  // per group: one for each edge, and one more for the last point
    std::vector<Group> groups;
    int longest = 0;
};

DirectStrands make_direct_strands(const Rod& rod);

/// What is computed for one link, and the rows of the factored matrix.
struct DirectScratch {
    struct Row {                 // a block of three unknowns
        Matrix3<Wide> band[5];   // the block on the diagonal and those below it
        Vector3<Wide> diagonal;  // inverse roots of the pivots
        Vector3<Wide> right;
    };
    struct Gradients {
        Matrix3<Wide> joint[5];              // transposed: columns are gradients; p_{k-1}, p_k, p_{k+1}, g_{k-1}, g_k
        Matrix3<Wide> edge[3];               // p_k, p_{k+1}, g_k
        Vector3<Wide> before, ghost_before;  // where p_k and g_k were at the start of the substep
        Vector3<Wide> moved, ghost_moved;    // from there to the prediction
        Wide w, ghost_w;
    };
    std::vector<Row> rows;
    std::vector<Gradients> links;
    int workspaces = 0, longest = 0;

    void resize(const DirectStrands& strands);
};

/// Moves the points from their predicted places. `before` are the places at the start of the substep, by the same
/// origin. `tips` has the frames of clamped ends at the end of the substep, per tip of the rod.
void solve_strands(const Rod& rod, const DirectStrands& strands, Real h, std::span<const Point> before,
                   std::span<const Mat3d> tips, DirectScratch& scratch, std::span<Point> points);

}  // namespace pliant
