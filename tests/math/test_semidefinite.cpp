// Small systems that may be singular, against what defines their solutions.

#include "pliant/math/semidefinite.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace pliant {
namespace {

/// A = F F^T of n rows and a rank of at most `columns`.
std::vector<double> random_matrix(int n, int columns, std::mt19937& random)
{
    std::uniform_real_distribution<double> u(-1, 1);
    std::vector<double> f(static_cast<std::size_t>(n * columns));
    for (double& x : f) x = u(random);
    std::vector<double> a(static_cast<std::size_t>(n * n));
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < columns; ++k) a[i * n + j] += f[i * columns + k] * f[j * columns + k];
    return a;
}

std::vector<double> times(const std::vector<double>& a, const std::vector<double>& x)
{
    std::vector<double> y(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = 0; j < x.size(); ++j) y[i] += a[i * x.size() + j] * x[j];
    return y;
}

std::vector<double> solved(std::vector<double> a, std::vector<double> b)
{
    solve_semidefinite(a, b, 1e-9);
    return b;
}

TEST(Semidefinite, SolvesWhatHasOneSolution)
{
    std::mt19937 random(3);
    for (const int n : {1, 3, 12, 63}) {
        const std::vector<double> a = random_matrix(n, n + 4, random), b = random_matrix(n, 1, random);
        const std::vector<double> right(b.begin(), b.begin() + n);
        const std::vector<double> again = times(a, solved(a, right));
        for (int i = 0; i < n; ++i) EXPECT_NEAR(again[i], right[i], 1e-8) << n;
    }
}

TEST(Semidefinite, SharesOutWhatIsSaidTwice)
{
    // x0 + x1 = 2 twice over: least norm gives one each.
    const std::vector<double> x = solved({1, 1, 1, 1}, {2, 2});
    EXPECT_NEAR(x[0], 1, 1e-12);
    EXPECT_NEAR(x[1], 1, 1e-12);
}

TEST(Semidefinite, MeetsInTheMiddleOfContradictions)
{
    const std::vector<double> a{1, 1, 1, 1, 1, 1, 1, 1, 1};
    const std::vector<double> x = solved(a, {0, 3, 6});
    EXPECT_NEAR(x[0] + x[1] + x[2], 3, 1e-12) << "the mean of what is wanted";
}

TEST(Semidefinite, LeavesAResidualThatNothingCouldLessen)
{
    std::mt19937 random(4);
    for (const int n : {6, 20, 63}) {
        std::vector<double> a = random_matrix(n, n / 2, random);
        for (int i = 0; i < n; ++i) {  // a unit diagonal: then the norms are plain
            const double scale = 1 / std::sqrt(a[i * n + i]);
            for (int j = 0; j < n; ++j) {
                a[i * n + j] *= scale;
                a[j * n + i] *= scale;
            }
        }
        std::vector<double> b(static_cast<std::size_t>(n));
        for (int i = 0; i < n; ++i) b[i] = std::sin(i + 1.0);
        const std::vector<double> x = solved(a, b);
        std::vector<double> residual = times(a, x);
        for (int i = 0; i < n; ++i) residual[i] -= b[i];
        for (const double slope : times(a, residual)) EXPECT_NEAR(slope, 0, 1e-6) << n;
    }
}

TEST(Semidefinite, GivesZeroForARowOfZeros)
{
    const std::vector<double> x = solved({0, 0, 0, 2}, {1, 4});
    EXPECT_EQ(x[0], 0);
    EXPECT_NEAR(x[1], 2, 1e-12);
}

}  // namespace
}  // namespace pliant
