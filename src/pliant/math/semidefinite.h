#pragma once
// Small symmetric systems that may be singular: several constraints on one body, some of which are redundant or
// contradict each other.

#include <span>

namespace pliant {

/// Solves A x = b in place, for an A of n = b.size() rows that is symmetric and positive semidefinite, or nearly so: b
/// becomes x and A is overwritten. Where A is singular, x is the minimum-norm least-squares solution, both norms measured in
/// units of the roots of the diagonal: redundant equations share the load, contradictory ones meet in the middle.
///
///   A = L U, the largest of the diagonal first; L n x r, U r x n      r = n: x = U^-1 L^-1 b
///   r < n: x = U^T (U U^T)^-1 (L^T L)^-1 L^T b
///
/// A row of zeros gives zero. A pivot counts if it is above `small` times its diagonal element.
void solve_semidefinite(std::span<double> a, std::span<double> b, double small);

inline constexpr int kMostSemidefinite = 64;  // rows

}  // namespace pliant
