#pragma once
// Sparse symmetric positive definite systems of 6 x 6 blocks, one row of blocks for each rigid body, factored as L L^T in the
// order of a BlockPattern (block_ldl.h), whose unknowns are the bodies.

#include "pliant/math/block_ldl.h"

#include <array>
#include <span>

namespace pliant {

using Vec6d = std::array<double, 6>;

/// Stored by columns.
struct Block6 {
    std::array<double, 36> a{};

    double& operator()(int i, int j) { return a[static_cast<std::size_t>(6 * j + i)]; }
    const double& operator()(int i, int j) const { return a[static_cast<std::size_t>(6 * j + i)]; }
};

/// From the lower half of a matrix to its factor, in place. The diagonal of a factor holds inverses; a pivot that elimination
/// leaves nothing of takes no part.
void factor_blocks(const BlockPattern& pattern, std::span<Block6> blocks);

/// From a right side, by places, to the solution, in place.
void solve_blocks(const BlockPattern& pattern, std::span<const Block6> blocks, std::span<Vec6d> x);

/// How many products of two blocks a factorisation takes.
long factor_cost(const BlockPattern& pattern);

}  // namespace pliant
