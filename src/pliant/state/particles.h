#pragma once
// All particles of the world, one array each. A body is a Range of them.

#include "pliant/math/types.h"
#include "pliant/state/range.h"

#include <cstdint>
#include <span>
#include <vector>

namespace pliant {

struct Particles {
    std::vector<Vec3> x;         // position [m]
    std::vector<Vec3> x_prev;    // position at the start of the substep [m]
    std::vector<Vec3> v;         // velocity [m/s]
    std::vector<Real> mass;      // [kg], also of a pinned particle
    std::vector<Real> inv_mass;  // [1/kg], 0 = pinned: only a driver moves it
    std::vector<Real> radius;    // for contact [m]; kGhost for a point that touches nothing

    static constexpr Real kGhost = -1e30F;  // so far inside itself that it is never near anything

    int size() const { return static_cast<int>(x.size()); }
    bool is_ghost(int i) const { return radius[i] == kGhost; }

    /// Appends particles at rest: positions [m] and masses [kg], and one contact radius [m] for all.
    Range append(std::span<const Vec3d> positions, std::span<const double> masses, Real contact_radius);
    /// Appends `count` particles at rest at the origin, of unit mass and radius zero.
    Range append(int count);
    void erase(Range range);
};

/// The 64-bit fingerprint of positions and velocities: equal exactly when all their bits are.
/// Minus zero and zero differ; so do two states that differ in any rounding.
std::uint64_t hash_state(const Particles& particles);

}  // namespace pliant
