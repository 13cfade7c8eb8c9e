#pragma once
// Sparse symmetric systems of 3 x 3 blocks, factored as L D L^T in an order that fills in little.
//
// Unknowns are of two signs. Those of sign +1 have a positive definite diagonal, as the multipliers of constraints have;
// those of sign -1 a negative definite one, as the motions of bodies that stay in the system have:
//
//   [ A + c   J ] [ lambda ]   [ r ]
//   [ J^T    -M ] [   dx   ] = [ 0 ]
//
// Such a matrix is quasi-definite [Van95]: it has a factor with D = +-1 in every order of elimination. A multiplier that
// nothing but a body in the system gives way to waits until that body has been eliminated: before, its pivot would be next
// to nothing.
//
// The order is that of minimum degree, ties by number, so that it is the same on every machine.

#include "pliant/math/types.h"

#include <span>
#include <vector>

namespace pliant {

/// Which unknowns meet in the matrix.
struct BlockGraph {
    std::vector<std::vector<int>> neighbours;  // per unknown, in any order, each pair on either side or on both
    std::vector<char> negative;                // per unknown: of sign -1
    std::vector<char> waits;                   // per unknown: for a neighbour of sign -1

    explicit BlockGraph(int unknowns)
        : neighbours(static_cast<std::size_t>(unknowns)),
          negative(static_cast<std::size_t>(unknowns), 0),
          waits(static_cast<std::size_t>(unknowns), 0)
    {}
    int unknowns() const { return static_cast<int>(neighbours.size()); }
};

/// The places of the unknowns in the order of elimination, and the blocks of L, column by column.
struct BlockPattern {
    std::vector<int> place;    // per unknown
    std::vector<int> unknown;  // per place
    std::vector<double> sign;  // per place
    std::vector<int> first;    // per place, and one past the end: its column; the first block is on the diagonal
    std::vector<int> row;      // per block: a place, going up in a column

    int unknowns() const { return static_cast<int>(place.size()); }
    int blocks() const { return static_cast<int>(row.size()); }
    int diagonal(int unknown_number) const { return first[place[unknown_number]]; }
    /// The block of two unknowns that meet. Its rows are those of the unknown that is eliminated later.
    int block_of(int a, int b) const;
};

BlockPattern make_block_pattern(const BlockGraph& graph);

/// From the lower half of a matrix to its factor, in place; `pivots` are the inverse roots of the pivots. A pivot that
/// elimination leaves nothing of takes no part: its unknown becomes zero.
void factor_blocks(const BlockPattern& pattern, std::span<Mat3d> blocks, std::span<Vec3d> pivots);

/// From a right side, by places, to the solution, in place.
void solve_blocks(const BlockPattern& pattern, std::span<const Mat3d> blocks, std::span<const Vec3d> pivots,
                  std::span<Vec3d> x);

}  // namespace pliant
