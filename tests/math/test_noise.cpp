#include "pliant/math/noise.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace pliant {
namespace {

TEST(Noise, StaysWithinItsBoundsAndIsSmooth)
{
    double low = 0, high = 0;
    for (int i = -5000; i < 5000; ++i) {
        const double t = 0.013 * i, value = noise(t, 7);
        low = std::min(low, value);
        high = std::max(high, value);
        EXPECT_LT(std::abs(noise(t + 1e-4, 7) - value), 1e-3);
    }
    EXPECT_GE(low, -1);
    EXPECT_LE(high, 1);
    EXPECT_LT(low, -0.7);
    EXPECT_GT(high, 0.7);
}

TEST(EddyNoise, HasTheMeanZeroAndTheDeviationOne)
{
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> place(-400, 400);
    Vec3d sum, squares;
    constexpr int kSamples = 200000;
    for (int i = 0; i < kSamples; ++i) {
        const Vec3d v = eddy_noise({place(random), place(random), place(random)}, 5);
        sum += v;
        squares += Vec3d{v.x * v.x, v.y * v.y, v.z * v.z};
    }
    for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(sum[k] / kSamples, 0, 0.02);
        EXPECT_NEAR(std::sqrt(squares[k] / kSamples), 1, 0.03);
    }
}

TEST(EddyNoise, HasNoSources)
{
    constexpr double kStep = 1e-4;
    std::mt19937_64 random(4);
    std::uniform_real_distribution<double> place(-9, 9);
    for (int i = 0; i < 200; ++i) {
        const Vec3d x{place(random), place(random), place(random)};
        double divergence = 0;
        for (int k = 0; k < 3; ++k) {
            Vec3d step;
            step[k] = kStep;
            divergence += (eddy_noise(x + step, 1)[k] - eddy_noise(x - step, 1)[k]) / (2 * kStep);
        }
        EXPECT_NEAR(divergence, 0, 1e-5);
    }
}

TEST(EddyNoise, IsZeroWhereNothingCanBeTold)
{
    EXPECT_EQ(eddy_noise({std::numeric_limits<double>::quiet_NaN(), 0, 0}, 1), Vec3d{});
    EXPECT_EQ(eddy_noise({0, 1e300, 0}, 1), Vec3d{});
    EXPECT_EQ(noise(std::numeric_limits<double>::infinity(), 1), 0);
}

/// The bits that every machine has to arrive at.
TEST(Noise, HasTheSameBitsEverywhere)
{
    std::uint64_t bits = 0;
    for (int i = 0; i < 1000; ++i) {
        const Vec3d v = eddy_noise({0.37 * i, -1.9 + 0.011 * i, 100.0 / (i + 1)}, 42);
        for (int k = 0; k < 3; ++k) bits = bits * 31 + std::bit_cast<std::uint64_t>(v[k]);
        bits = bits * 31 + std::bit_cast<std::uint64_t>(noise(0.17 * i, 42));
    }
    EXPECT_EQ(bits, 0x219AB685A7460250ULL);
}

}  // namespace
}  // namespace pliant
