#include "pliant/shape/inertia.h"

#include <limits>

namespace pliant {

Vec3 spin_of(const Mat3& inertia, const Vec3& angular_momentum)
{
    constexpr Real kFlat = 64 * std::numeric_limits<Real>::epsilon();
    const Real mean = inertia.trace() / 3;
    if (!(mean > 0)) return {};
    const Mat3 scaled = (1 / mean) * inertia;
    return scaled.determinant() > kFlat ? scaled.inverse() * ((1 / mean) * angular_momentum) : Vec3{};
}

}  // namespace pliant
