#include "pliant/math/semidefinite.h"

#include "pliant/base/check.h"

#include <array>
#include <cmath>
#include <utility>

namespace pliant {

namespace {

using Row = std::array<double, kMostSemidefinite>;

/// A view of a square matrix, row by row; the caller owns the memory.
struct Square {
    double* data;
    int n;

    double* operator[](int row) const { return data + static_cast<std::ptrdiff_t>(row) * n; }
};

/// Scales A to a unit diagonal; a row of zeros stays zero. Returns the factor of each row.
Row scale_to_unit(const Square& a, std::span<double> b)
{
    Row scale{};
    for (int i = 0; i < a.n; ++i) scale[i] = a[i][i] > 0 ? 1 / std::sqrt(a[i][i]) : 0;
    for (int i = 0; i < a.n; ++i) {
        for (int j = 0; j < a.n; ++j) a[i][j] *= scale[i] * scale[j];
        b[i] *= scale[i];
    }
    return scale;
}

void swap_rows(const Square& a, int i, int j)
{
    for (int k = 0; k < a.n; ++k) std::swap(a[i][k], a[j][k]);
    for (int k = 0; k < a.n; ++k) std::swap(a[k][i], a[k][j]);
}

/// Factors A in place into L, of unit diagonal, and U; order[k] is the row of the k-th pivot. Returns the rank.
int factor(const Square& a, double small, std::array<int, kMostSemidefinite>& order)
{
    for (int i = 0; i < a.n; ++i) order[i] = i;
    for (int k = 0; k < a.n; ++k) {
        int largest = k;
        for (int i = k + 1; i < a.n; ++i)
            if (a[i][i] > a[largest][largest]) largest = i;
        if (!(a[largest][largest] > small)) return k;
        if (largest != k) {
            swap_rows(a, k, largest);
            std::swap(order[k], order[largest]);
        }
        for (int i = k + 1; i < a.n; ++i) {
            const double factor = a[i][k] /= a[k][k];
            for (int j = k + 1; j < a.n; ++j) a[i][j] -= factor * a[k][j];
        }
    }
    return a.n;
}

/// x of full rank: L y = b, then U x = y.
void substitute(const Square& lu, Row& b)
{
    for (int i = 0; i < lu.n; ++i)
        for (int j = 0; j < i; ++j) b[i] -= lu[i][j] * b[j];
    for (int i = lu.n - 1; i >= 0; --i) {
        for (int j = i + 1; j < lu.n; ++j) b[i] -= lu[i][j] * b[j];
        b[i] /= lu[i][i];
    }
}

/// Solves G x = b for a positive definite G of r rows, by Cholesky; G is overwritten.
void solve_definite(const Square& g, Row& b)
{
    for (int k = 0; k < g.n; ++k) {
        for (int j = 0; j < k; ++j) g[k][k] -= g[k][j] * g[k][j];
        g[k][k] = std::sqrt(g[k][k]);
        for (int i = k + 1; i < g.n; ++i) {
            for (int j = 0; j < k; ++j) g[i][k] -= g[i][j] * g[k][j];
            g[i][k] /= g[k][k];
        }
    }
    for (int i = 0; i < g.n; ++i) {
        for (int j = 0; j < i; ++j) b[i] -= g[i][j] * b[j];
        b[i] /= g[i][i];
    }
    for (int i = g.n - 1; i >= 0; --i) {
        b[i] /= g[i][i];
        for (int j = 0; j < i; ++j) b[j] -= g[i][j] * b[i];
    }
}

/// The minimum-norm solution, for a rank r < n.
void solve_singular(const Square& lu, int r, Row& b)
{
    const auto lower = [&](int k, int i) { return k == i ? 1 : k > i ? lu[k][i] : 0; };  // L, n x r
    const auto upper = [&](int k, int i) { return i >= k ? lu[k][i] : 0; };              // U, r x n
    std::array<double, kMostSemidefinite * kMostSemidefinite> products;
    const Square g{products.data(), r};
    Row y{};
    for (int i = 0; i < r; ++i) {
        for (int k = i; k < lu.n; ++k) y[i] += lower(k, i) * b[k];
        for (int j = 0; j <= i; ++j) {
            g[i][j] = 0;
            for (int k = i; k < lu.n; ++k) g[i][j] += lower(k, i) * lower(k, j);
        }
    }
    solve_definite(g, y);
    for (int i = 0; i < r; ++i)
        for (int j = 0; j <= i; ++j) {
            g[i][j] = 0;
            for (int k = i; k < lu.n; ++k) g[i][j] += upper(i, k) * upper(j, k);
        }
    solve_definite(g, y);
    for (int k = 0; k < lu.n; ++k) {
        b[k] = 0;
        for (int i = 0; i < r && i <= k; ++i) b[k] += upper(i, k) * y[i];
    }
}

}  // namespace

void solve_semidefinite(std::span<double> a, std::span<double> b, double small)
{
    const Square m{a.data(), static_cast<int>(b.size())};
    PLIANT_ASSERT(m.n <= kMostSemidefinite && a.size() >= b.size() * b.size());
    const Row scale = scale_to_unit(m, b);
    std::array<int, kMostSemidefinite> order;
    const int rank = factor(m, small, order);
    Row x;
    for (int i = 0; i < m.n; ++i) x[i] = b[order[i]];
    if (rank == m.n) substitute(m, x);
    else solve_singular(m, rank, x);
    for (int i = 0; i < m.n; ++i) b[order[i]] = x[i] * scale[order[i]];
}

}  // namespace pliant
