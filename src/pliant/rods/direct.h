#pragma once
// Stiff rods in one solve: all constraints of a strand, a ring or a tree as one linear system.
//
// With C_P divided by the edge length, for scale, and linearised at the positions of the start of the substep, not at
// the predicted ones,
//
//   (J W J^T + alpha/h^2) lambda = -C(x_old) - J (x - x_old),   x += W J^T lambda,
//
// one solve gives a static equilibrium that does not depend on the step, and conserves both momenta. For bend and twist
// C is replaced by C - c h J v, with v at the start of the substep, which removes most of implicit Euler's damping
// (kKeptSwing, rods/linearise.h) and does not change the equilibrium. Where a substep has rotated an edge so far that
// its length is off by more than 1 %, the net is solved again at the new positions.
//
// Eight nets of one shape at a time, one per SIMD lane, by sparse Cholesky in the order of rods/net.h. The condition
// number grows with the fourth power of the number of edges that a substep couples: float lanes are refined by
// residuals in double (iterative refinement), and where that is not enough everything is done in double.

#include "pliant/rods/net_scratch.h"

#include "pliant/rods/linearise.h"

#include <span>
#include <vector>

namespace pliant {

struct DirectScratch {
    std::vector<NetScratch<Lanes>> lanes;  // per group that may be solved at the same time
    std::vector<NetScratch<Quad>> quads;

    void resize(const DirectNets& nets);
};

/// Moves the points from their predicted positions. `before` are the positions at the start of the substep relative to
/// the same origin, `velocity` the velocities then. `tips` has the frames of clamped ends, per tip of the rod.
void solve_nets(const Rod& rod, const DirectNets& nets, const RodStiffness& stiffness, Real h,
                std::span<const Point> before, std::span<const Point> velocity, std::span<const TipFrames> tips,
                DirectScratch& scratch, std::span<Point> points);

}  // namespace pliant
