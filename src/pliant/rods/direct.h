#pragma once
// Stiff rods in one solve: all constraints of a strand, a ring or a tree as one linear system.
//
// With C_P divided by the edge length, for scale, and linearised at the positions of the start of the substep, not at the
// predicted ones,
//
//   (J W J^T + alpha/h^2) lambda = -C(x_old) - J (x - x_old),   x += W J^T lambda,
//
// one solve gives a rest state that does not depend on the step, and keeps both momenta. Bend and twist have C - c h J v in
// place of C, v at the start of the substep: of second order but for 1 - c, so that a rod rings (kKeptSwing,
// rods/linearise.h). At rest that changes nothing. Where a substep has turned an
// edge so far that its length is off by more than a hundredth, it is solved again at the new positions.
//
// Eight nets of one shape at a time, by Cholesky in the order of rods/net.h. The condition number grows with the fourth
// power of the number of edges that act as one in a substep: lanes of float are refined by residuals in double, and where
// that is not enough all is done in double.

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

/// Moves the points from their predicted places. `before` are the places at the start of the substep, by the same
/// origin, `velocity` the velocities there. `tips` has the frames of clamped ends, per tip of the rod.
void solve_nets(const Rod& rod, const DirectNets& nets, const RodStiffness& stiffness, Real h,
                std::span<const Point> before, std::span<const Point> velocity, std::span<const TipFrames> tips,
                DirectScratch& scratch, std::span<Point> points);

}  // namespace pliant
