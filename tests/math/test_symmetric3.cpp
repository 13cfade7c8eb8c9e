#include "pliant/math/symmetric3.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

Mat3d outer(const Vec3d& v) { return {{v.x * v, v.y * v, v.z * v}}; }

/// A sum of squares of so many random directions: of that rank.
Mat3d random_square(int rank, std::mt19937& random)
{
    std::uniform_real_distribution<double> number(-1, 1);
    Mat3d sum{};
    for (int k = 0; k < rank; ++k) sum = sum + outer({number(random), number(random), number(random)});
    return sum;
}

TEST(Symmetric3, SolvesWithOneRightSide)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> number(-1, 1);
    for (int trial = 0; trial < 200; ++trial) {
        const Mat3d a = random_square(5, random);
        const Vec3d x{number(random), number(random), number(random)};
        EXPECT_LT((solve_symmetric(a, a * x) - x).norm(), 1e-9);
    }
}

TEST(Symmetric3, WhatNothingActsOnIsLeftFinite)
{
    std::mt19937 random(2);
    for (int trial = 0; trial < 200; ++trial) {
        for (const int rank : {1, 2}) {
            const Mat3d a = random_square(rank, random);
            const Vec3d b = a * Vec3d{1, 2, 3};
            EXPECT_LT((a * solve_symmetric(a, b) - b).norm(), 1e-6) << "rank " << rank;
        }
    }
    // rounding has left a little: no further than a tiny stiffness lets it
    const Mat3d nearly{{{1, 1, 0}, {1, 1 + 2.3e-16, 0}, {0, 0, 1}}};
    EXPECT_LT(solve_symmetric(nearly, Vec3d{1, 2, 3}).norm(), 1e13);
    EXPECT_EQ(solve_symmetric(Mat3d{}, Vec3d{1, 2, 3}), Vec3d{}) << "what cannot move";
}

TEST(Symmetric3, FactorsAndSolvesInTwoSteps)
{
    std::mt19937 random(3);
    const auto inverse_root = [](double pivot, double) { return pivot > 1e-12 ? 1 / std::sqrt(pivot) : 0; };
    for (int trial = 0; trial < 200; ++trial) {
        const Mat3d a = random_square(5, random);
        Mat3d l = a;
        const Vec3d inverse = factor_symmetric(l, inverse_root), b = a * Vec3d{1, -2, 3};
        EXPECT_LT((backward(l, inverse, forward(l, inverse, b)) - Vec3d{1, -2, 3}).norm(), 1e-8);
    }
}

}  // namespace
}  // namespace pliant
