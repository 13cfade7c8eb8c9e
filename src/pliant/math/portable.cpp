#include "pliant/math/portable.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace pliant::portable {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// ln 2 in two parts. The first has 33 bits, so that its product with an exponent is exact.
constexpr double kLn2High = 0x1.62e42feep-1;
constexpr double kLn2Low = 0x1.a39ef35793c76p-33;

/// ln(1 + f) for 1 + f between sqrt(1/2) and sqrt(2), by ln((1 + s)/(1 - s)) = 2 (s + s^3/3 + s^5/5 + ...).
double log1p_near_zero(double f, double correction)
{
    const double s = f / (2 + f), z = s * s;
    double series = 0;  // 2 (1/3 + z/5 + z^2/7 + ...); the last term is below 1e-18
    for (int k = 25; k >= 3; k -= 2) series = 2.0 / k + z * series;
    const double half_square = 0.5 * f * f;
    // Equal to 2 s + s z series, but f itself comes without an error.
    return f - (half_square - (s * (half_square + z * series) + correction));
}

/// arctan(t) for t in [0, 7/16]. The series ends below 1e-18.
double atan_series(double t)
{
    const double z = t * t;
    double series = 0;
    for (int k = 49; k >= 3; k -= 2) series = 1.0 / k - z * series;
    return t - t * z * series;
}

/// arctan(t) for t >= 0, through arctan(t) = arctan(c) + arctan((t - c)/(1 + c t)).
double atan_positive(double t)
{
    struct Centre {
        double below;      // used for t below this
        double c;          // where the series starts
        double high, low;  // arctan(c) in two parts
    };
    constexpr Centre kCentres[] = {{11.0 / 16, 0.5, 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                   {19.0 / 16, 1, 0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
                                   {39.0 / 16, 1.5, 0x1.f730bd281f69bp-1, 0x1.007887af0cbbdp-56}};
    if (t < 7.0 / 16) return atan_series(t);
    for (const auto& [below, c, high, low] : kCentres) {
        if (t >= below) continue;
        const double u = (t - c) / (1 + c * t);
        return high + (std::copysign(atan_series(std::fabs(u)), u) + low);
    }
    return 0x1.921fb54442d18p+0 - (atan_series(1 / t) - 0x1.1a62633145c07p-54);
}

}  // namespace

double log1p(double x)
{
    if (std::isnan(x) || x < -1) return kNan;
    if (x == -1) return -kInfinity;
    if (x == 0 || x == kInfinity) return x;  // keeps the sign of zero
    if (x > std::numbers::sqrt2 / 2 - 1 && x < std::numbers::sqrt2 - 1) return log1p_near_zero(x, 0);

    const double sum = 1 + x;
    // What rounding has taken from the sum; relative to it, it adds to the logarithm.
    const double lost = (sum > 2 ? 1 - (sum - x) : x - (sum - 1)) / sum;
    int exponent = 0;
    double mantissa = std::frexp(sum, &exponent);  // in [1/2, 1)
    if (mantissa < std::numbers::sqrt2 / 2) {
        mantissa *= 2;
        --exponent;
    }
    const double rest = log1p_near_zero(mantissa - 1, exponent * kLn2Low + lost);
    return exponent * kLn2High + rest;
}

double expm1(double x)
{
    if (std::isnan(x) || x == 0 || x == kInfinity) return x;
    if (x > 709.79) return kInfinity;
    if (x < -40) return -1;
    // x = k ln 2 + r + low, |r| <= ln(2) / 2
    const int k = static_cast<int>(std::floor(x * std::numbers::log2e + 0.5));
    const double high = x - k * kLn2High, r = high - k * kLn2Low;
    const double low = (high - r) - k * kLn2Low;

    double series = 0;  // 1/2 + r/6 + r^2/24 + ...; the last term is below 1e-18
    for (int n = 16; n >= 2; --n) series = (1 + r * series) / n;
    const double e = r + (r * r * series + (low + low * r));
    if (k == 0) return e;
    return std::ldexp((1 - std::ldexp(1.0, -k)) + e, k);
}

double atan2(double y, double x)
{
    if (std::isnan(x) || std::isnan(y)) return kNan;
    const double across = std::fabs(y), along = std::fabs(x);
    double angle = 0;  // of (along, across)
    if (across == along) {
        angle = across == 0 ? 0 : std::numbers::pi / 4;
    } else {
        angle = atan_positive(across / along);
    }
    if (std::signbit(x)) angle = std::numbers::pi - (angle - 0x1.1a62633145c07p-53);
    return std::copysign(angle, y);
}

double cbrt(double x)
{
    if (x == 0 || !std::isfinite(x)) return x;
    int exponent = 0;
    double m = std::frexp(std::fabs(x), &exponent);   // in [1/2, 1)
    const int thirds = (exponent + 3000) / 3 - 1000;  // rounded down, also below zero
    m = std::ldexp(m, exponent - 3 * thirds);         // in [1/2, 4)

    double t = 0.5 + 0.35 * m;
    for (int i = 0; i < 6; ++i) t -= (t - m / (t * t)) / 3;
    // A last step from a t of 24 bits: its square is then exact, and the result right within 0.7 units.
    t = static_cast<double>(static_cast<float>(t));
    const double r = m / (t * t);
    t += t * ((r - t) / (2 * t + r));
    return std::copysign(std::ldexp(t, thirds), x);
}

}  // namespace pliant::portable
