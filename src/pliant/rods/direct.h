#pragma once
// Stiff rods in one solve: all constraints of a strand, a ring or a tree as one linear system.
//
// With C_P divided by the edge length, for scale, and linearised at the positions of the start of the substep, not at the
// predicted ones,
//
//   (J W J^T + alpha/h^2) lambda = -C(x_old) - J (x - x_old),   x += W J^T lambda,
//
// one solve gives a rest state that does not depend on the step, and keeps both momenta. Where a substep has turned an
// edge so far that its length is off by more than a hundredth, it is solved again at the new positions.
//
// Eight nets of one shape at a time, by Cholesky in the order of rods/net.h. The condition number grows with the fourth
// power of the number of edges that act as one in a substep: lanes of float are refined by residuals in double, and where
// that is not enough all is done in double.

#include "pliant/rods/net.h"
#include "pliant/rods/rod.h"

#include <span>
#include <vector>

namespace pliant {

using Quad = Pack<double, 4>;

/// To be made again when ends are clamped or freed.
DirectNets make_direct_nets(const Rod& rod);

/// What multipliers do. A holds all lanes of a solve, or four of them: then entries come in parts, one after the other.
template <class A>
struct NetSums {
    std::vector<Vector3<A>> lambda;  // per unknown, so far in this substep
    std::vector<Vector3<A>> change;  // of them, by this solve
    std::vector<Vector3<A>> moves;   // per node, divided by the root of its inverse mass
    std::vector<A> rolls;            // per edge: of its ghost along d2, divided likewise

    void resize(const NetPattern& largest, int parts);
};

/// What a group is while it is solved.
template <class S>
struct NetScratch {
    struct Node {
        Vector3<S> before, moved;  // at the start of the substep, and from there to the prediction
        S w, root;                 // inverse mass and its root
    };
    std::vector<Node> nodes;
    std::vector<EdgeFrame<S>> frames;    // per edge
    std::vector<S> moved_roll;           // per edge: how far its ghost has moved along d2
    std::vector<Matrix3<S>> gradients;   // transposed, and scaled by the roots of inverse masses
    std::vector<Vector3<S>> rolls;       // the same
    std::vector<Vector3<S>> right;       // per unknown: right side
    std::vector<Vector3<S>> compliance;  // alpha/h^2
    std::vector<Matrix3<S>> blocks;      // the Cholesky factor
    std::vector<Vector3<S>> pivots;      // inverse roots
    std::vector<Vector3<S>> solution;
    NetSums<S> coarse;
    NetSums<Quad> fine;  // for refinement

    void resize(const NetPattern& largest);
};

struct DirectScratch {
    std::vector<NetScratch<Lanes>> lanes;  // per group that may be solved at the same time
    std::vector<NetScratch<Quad>> quads;

    void resize(const DirectNets& nets);
};

/// Moves the points from their predicted places. `before` are the places at the start of the substep, by the same
/// origin. `tips` has the frames of clamped ends at the end of the substep, per tip of the rod.
void solve_nets(const Rod& rod, Real h, std::span<const Point> before, std::span<const Mat3d> tips,
                DirectScratch& scratch, std::span<Point> points);

}  // namespace pliant
