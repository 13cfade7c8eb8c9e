#pragma once
// What the rules for the effort have in common. Every room has its own rule, `wanted_substeps`, for the bodies that it
// knows; solver/effort.h takes the largest answer. The idea of all of them: a substep may not move anything by more than a
// fraction of the shortest length that the body resolves, and must be short against its fastest oscillation.

#include "pliant/math/types.h"
#include "pliant/state/range.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace pliant {

/// What default materials are made for, whatever the gravity of the scene [m/s^2].
inline constexpr double kStandardGravity = 9.81;

/// What a rule knows about the frame to come, beside the body.
struct Outlook {
    double dt = 0;           // of the frame [s]
    double gravity = 0;      // [m/s^2]
    bool obstacles = false;  // there is something to run into: colliders, or contact between bodies
    double load = 0;         // mass of what lies on it, or may [kg]
    double hung = 0;         // mass of what is glued to it [kg]
    bool held = false;       // some of it is pinned, or glued to something that does not move
    double approach = 0;     // the highest speed of what may hit the body in this frame [m/s]
};

/// The answer of a rule.
struct WantedSubsteps {
    double count = 1;      // not rounded
    const char* why = "";  // what decided
};

inline WantedSubsteps more_of(const WantedSubsteps& a, const WantedSubsteps& b) { return b.count > a.count ? b : a; }

/// The highest speed of some particles [m/s]. The largest of many is the same in any order.
inline double highest_speed(std::span<const Vec3> v)
{
    Real squared = 0;
    for (const Vec3& each : v) squared = std::max(squared, each.squared_norm());
    return std::sqrt(static_cast<double>(squared));
}

}  // namespace pliant
