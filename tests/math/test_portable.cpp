#include "pliant/math/portable.h"
#include "pliant/math/stiffness.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace {

using namespace pliant;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

/// Distance from the reference, in units of the last place of a double of its size.
double ulps(double value, long double reference)
{
    const double rounded = static_cast<double>(reference);
    const double unit = std::nextafter(std::fabs(rounded), kInf) - std::fabs(rounded);
    return static_cast<double>(std::fabs(static_cast<long double>(value) - reference) / static_cast<long double>(unit));
}

bool same(double a, double b)
{
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

/// Of both signs, from 2^low to 2^high, all sizes alike.
class AnySize {
  public:
    AnySize(double low, double high) : exponent_(low, high) {}
    double operator()() { return (generator_() % 2 == 0 ? 1 : -1) * std::exp2(exponent_(generator_)); }

  private:
    std::mt19937_64 generator_{7};
    std::uniform_real_distribution<double> exponent_;
};

constexpr int kTrials = 200'000;

/// The largest error of a function of one number [units in the last place].
double worst_of(AnySize number, double (*own)(double), long double (*reference)(long double))
{
    double worst = 0;
    for (int i = 0; i < kTrials; ++i) {
        const double x = number();
        worst = std::max(worst, ulps(own(x), reference(static_cast<long double>(x))));
    }
    return worst;
}

TEST(Portable, Log1pIsAccurate)
{
    AnySize small(-60, 0), large(-1, 1020);
    double worst = 0;
    for (int i = 0; i < kTrials; ++i) {
        for (const double x : {small(), std::fabs(large())})
            worst = std::max(worst, ulps(portable::log1p(x), std::log1p(static_cast<long double>(x))));
    }
    EXPECT_LT(worst, 1.5);
}

TEST(Portable, Expm1IsAccurate)
{
    EXPECT_LT(worst_of(AnySize(-60, 9.4), portable::expm1, [](long double x) { return std::expm1(x); }), 2);
}

TEST(Portable, Atan2IsAccurate)
{
    AnySize wide(-300, 300), near(-3, 3);
    double worst = 0;
    for (int i = 0; i < kTrials; ++i) {
        for (AnySize* number : {&wide, &near}) {
            const double y = (*number)(), x = (*number)();
            const long double reference = std::atan2(static_cast<long double>(y), static_cast<long double>(x));
            worst = std::max(worst, ulps(portable::atan2(y, x), reference));
        }
    }
    EXPECT_LT(worst, 2);
}

TEST(Portable, CbrtIsAccurateAndExactForCubes)
{
    EXPECT_LT(worst_of(AnySize(-1070, 1020), portable::cbrt, [](long double x) { return std::cbrt(x); }), 1);
    for (int n = -1000; n <= 1000; ++n) EXPECT_EQ(portable::cbrt(1.0 * n * n * n), n);
}

TEST(Portable, SpecialValuesAreThoseOfTheStandard)
{
    constexpr double kSpecial[] = {0.0, -0.0, 1, -1, 2, -2, kInf, -kInf, kNotANumber, 5e-324, -5e-324, 710, -746};
    for (const double x : kSpecial) {
        EXPECT_TRUE(same(portable::log1p(x), std::log1p(x)) || std::isfinite(std::log1p(x))) << x;
        EXPECT_TRUE(same(portable::expm1(x), std::expm1(x)) || std::isfinite(std::expm1(x))) << x;
        EXPECT_TRUE(same(portable::cbrt(x), std::cbrt(x)) || std::isfinite(std::cbrt(x))) << x;
        EXPECT_EQ(std::signbit(portable::expm1(x)), std::signbit(std::expm1(x))) << x;
        for (const double y : kSpecial)
            EXPECT_TRUE(
                same(portable::atan2(y, x), std::atan2(y, x)) ||
                ulps(portable::atan2(y, x), std::atan2(static_cast<long double>(y), static_cast<long double>(x))) < 2)
                << y << ' ' << x;
    }
    EXPECT_TRUE(same(portable::log1p(-0.0), -0.0));
    EXPECT_TRUE(same(portable::expm1(-0.0), -0.0));
    EXPECT_TRUE(same(portable::cbrt(-0.0), -0.0));
}

#ifndef PLIANT_DOUBLE
// glibc's log1pf and that of musl differ here in the last bit.
TEST(Stiffness, PerIterationIsRoundedFromDouble)
{
    constexpr float kBend = 0.171F;
    const auto log = static_cast<float>(std::log1p(-static_cast<double>(kBend)));
    EXPECT_EQ(stiffness_per_iteration(kBend, 1, 1, 1), -static_cast<float>(std::expm1(static_cast<double>(log))));
    const float share = log * 0.1F / 4.0F;
    EXPECT_EQ(stiffness_per_iteration(kBend, 4, 0.1F, 1), -static_cast<float>(std::expm1(static_cast<double>(share))));
}
#endif

}  // namespace
