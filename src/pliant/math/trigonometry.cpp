#include "pliant/math/trigonometry.h"

#include <cmath>
#include <numbers>

namespace pliant {

SinCos sin_cos_degrees(double degrees)
{
    const double quarters = std::floor(degrees / 90.0 + 0.5);
    const double x = (degrees - 90.0 * quarters) * (std::numbers::pi / 180.0);  // within 45 degrees
    const double x2 = x * x;
    double s = 0, c = 0;  // Taylor series, the last terms below 1e-18
    for (int k = 17; k >= 1; k -= 2) s = (1.0 - s * x2 / ((k + 1) * (k + 2)));
    for (int k = 16; k >= 0; k -= 2) c = (1.0 - c * x2 / ((k + 1) * (k + 2)));
    s *= x;
    switch (static_cast<int>(quarters - 4.0 * std::floor(quarters / 4.0))) {
        case 0: return {s, c};
        case 1: return {c, -s};
        case 2: return {-s, -c};
        default: return {-c, s};
    }
}

}  // namespace pliant
