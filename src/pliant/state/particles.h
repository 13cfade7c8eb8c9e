#pragma once
// All particles of the world, one array each. A body is a Range of them.
//
// A position is x + x_low (compensated). In float, x alone is accurate to an ulp of the distance from the origin, and a
// velocity found from it only to that over h, which is worse the more substeps there are. Passes over bodies read both
// parts and add to both (shape/points.h, shape/fit.h); code that writes x alone, as contact does, leaves x_low as it
// is.

#include "pliant/math/types.h"
#include "pliant/state/range.h"

#include <cstdint>
#include <span>
#include <vector>

namespace pliant {

struct Particles {
    std::vector<Vec3> x;           // position [m]
    std::vector<Vec3> x_low;       // its rounding error: the position is x + x_low [m]
    std::vector<Vec3> x_prev;      // position at the start of the substep [m]
    std::vector<Vec3> x_prev_low;  // its low part [m]
    std::vector<Vec3> v;           // velocity [m/s]
    std::vector<Real> mass;        // [kg], also of a pinned particle
    std::vector<Real> inv_mass;    // [1/kg]; 0: pinned, only a driver moves it
    std::vector<Real> radius;      // for contact [m]; kGhost for a point without contact

    static constexpr Real kGhost = -1e30F;  // a radius so negative that the point is never near anything

    int size() const { return static_cast<int>(x.size()); }
    bool is_ghost(int i) const { return radius[i] == kGhost; }
    /// x + x_low, in double.
    Vec3d position(int i) const { return x[i].cast<double>() + x_low[i].cast<double>(); }

    /// Sets the position of a particle.
    void put(int i, const Vec3& place)
    {
        x[i] = x_prev[i] = place;
        x_low[i] = x_prev_low[i] = {};
    }

    /// Appends particles at rest: positions [m] and masses [kg], and one contact radius [m] for all.
    Range append(std::span<const Vec3d> positions, std::span<const double> masses, Real contact_radius);
    /// Appends `count` particles at rest at the origin, of unit mass and radius zero.
    Range append(int count);
    void erase(Range range);
};

/// A 64-bit hash of the bits of positions, with their low parts, and velocities: two states that differ in any rounding
/// have different hashes, and so do zero and minus zero.
std::uint64_t hash_state(const Particles& particles);

}  // namespace pliant
