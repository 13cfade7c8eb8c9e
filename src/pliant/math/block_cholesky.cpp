#include "pliant/math/block_cholesky.h"

#include <cmath>

namespace pliant {

namespace {

constexpr double kLostPivot = 1e-14;  // of the diagonal

/// The lower half becomes L, with inverses on its diagonal.
void factor_pivot(Block6& block)
{
    for (int j = 0; j < 6; ++j) {
        double d = block(j, j);
        const double before = d;
        for (int k = 0; k < j; ++k) d -= block(j, k) * block(j, k);
        const double inverse = d > kLostPivot * before ? 1 / std::sqrt(d) : 0;
        block(j, j) = inverse;
        for (int i = j + 1; i < 6; ++i) {
            double sum = block(i, j);
            for (int k = 0; k < j; ++k) sum -= block(i, k) * block(j, k);
            block(i, j) = sum * inverse;
        }
    }
}

/// b = b L^-T
void divide(const Block6& pivot, Block6& b)
{
    for (int j = 0; j < 6; ++j) {
        for (int k = 0; k < j; ++k)
            for (int i = 0; i < 6; ++i) b(i, j) -= pivot(j, k) * b(i, k);
        for (int i = 0; i < 6; ++i) b(i, j) *= pivot(j, j);
    }
}

/// sum -= a b^T
void subtract_product(const Block6& a, const Block6& b, Block6& sum)
{
    for (int j = 0; j < 6; ++j)
        for (int k = 0; k < 6; ++k)
            for (int i = 0; i < 6; ++i) sum(i, j) -= b(j, k) * a(i, k);
}

void forward(const Block6& pivot, Vec6d& x)
{
    for (int j = 0; j < 6; ++j) {
        x[j] *= pivot(j, j);
        for (int i = j + 1; i < 6; ++i) x[i] -= pivot(i, j) * x[j];
    }
}

void backward(const Block6& pivot, Vec6d& x)
{
    for (int j = 5; j >= 0; --j) {
        for (int i = j + 1; i < 6; ++i) x[j] -= pivot(i, j) * x[i];
        x[j] *= pivot(j, j);
    }
}

}  // namespace

void factor_blocks(const BlockPattern& pattern, std::span<Block6> blocks)
{
    for (int c = 0; c < pattern.unknowns(); ++c) {
        const int first = pattern.first[c], last = pattern.first[c + 1];
        factor_pivot(blocks[first]);
        for (int i = first + 1; i < last; ++i) divide(blocks[first], blocks[i]);
        for (int j = first + 1; j < last; ++j) {
            int target = pattern.first[pattern.row[j]];
            for (int i = j; i < last; ++i) {
                while (pattern.row[target] != pattern.row[i]) ++target;
                subtract_product(blocks[i], blocks[j], blocks[target]);
            }
        }
    }
}

void solve_blocks(const BlockPattern& pattern, std::span<const Block6> blocks, std::span<Vec6d> x)
{
    for (int c = 0; c < pattern.unknowns(); ++c) {
        const int first = pattern.first[c], last = pattern.first[c + 1];
        forward(blocks[first], x[c]);
        for (int b = first + 1; b < last; ++b) {
            Vec6d& below = x[pattern.row[b]];
            for (int j = 0; j < 6; ++j)
                for (int i = 0; i < 6; ++i) below[i] -= blocks[b](i, j) * x[c][j];
        }
    }
    for (int c = pattern.unknowns() - 1; c >= 0; --c) {
        const int first = pattern.first[c], last = pattern.first[c + 1];
        for (int b = first + 1; b < last; ++b) {
            const Vec6d& below = x[pattern.row[b]];
            for (int j = 0; j < 6; ++j) {
                double sum = 0;
                for (int i = 0; i < 6; ++i) sum += blocks[b](i, j) * below[i];
                x[c][j] -= sum;
            }
        }
        backward(blocks[first], x[c]);
    }
}

long factor_cost(const BlockPattern& pattern)
{
    long products = 0;
    for (int c = 0; c < pattern.unknowns(); ++c) {
        const long below = pattern.first[c + 1] - pattern.first[c] - 1;
        products += below * (below + 1) / 2;
    }
    return products;
}

}  // namespace pliant
