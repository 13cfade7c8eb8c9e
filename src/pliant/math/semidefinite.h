#pragma once
// Small symmetric systems that may be singular: several constraints on one thing, some of which say the same or
// contradict each other.

#include <span>

namespace pliant {

/// Solves A x = b in place, for an A of n = b.size() rows that is symmetric and positive semidefinite, or nearly so: b
/// becomes x and A is used up. Where A is singular, x is of least norm among those that come nearest to b, both measured in
/// units of the roots of the diagonal: what is said twice is shared out, what contradicts itself meets in the middle.
///
///   A = L U, the largest of the diagonal first; L n x r, U r x n      r = n: x = U^-1 L^-1 b
///   r < n: x = U^T (U U^T)^-1 (L^T L)^-1 L^T b
///
/// A row of zeros gives zero. `small` is what a pivot must be above, as a part of its diagonal, to count.
void solve_semidefinite(std::span<double> a, std::span<double> b, double small);

inline constexpr int kMostSemidefinite = 64;  // rows

}  // namespace pliant
