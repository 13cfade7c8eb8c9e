#pragma once
// The air during a substep: a wind that is the same everywhere, and eddies that it carries along (Taylor's frozen
// turbulence).

#include "pliant/math/noise.h"

namespace pliant {

struct AirFlow {
    Vec3 wind;               // its mean, gusts included [m/s]
    Real eddies = 0;         // standard deviation of each component of the turbulence [m/s]
    double length = 1;       // of the largest eddies [m]
    Vec3d travel{};          // how far the wind has carried the air [m]
    std::uint64_t seed = 0;  // of the eddies

    /// The velocity of the air at a point [m/s].
    Vec3 at(const Vec3& x) const
    {
        if (eddies == 0) return wind;
        return wind + eddies * eddy_noise((x.cast<double>() - travel) / length, seed).cast<Real>();
    }
};

}  // namespace pliant
