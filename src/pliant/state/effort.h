#pragma once
// Effort: how many substeps a frame gets. Every room has its own rule, `wanted_substeps`, for its bodies;
// solver/effort.h takes the largest answer. All of them follow one idea: a substep may not move anything by more than a
// fraction of the shortest length that the body resolves, and must be short compared with its fastest oscillation.

#include "pliant/math/types.h"
#include "pliant/state/range.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace pliant {

/// The gravity that default materials are made for, whatever that of the scene is [m/s^2].
inline constexpr double kStandardGravity = 9.81;

/// What a rule knows about the next frame, in addition to the body.
struct Outlook {
    double dt = 0;           // of the frame [s]
    double gravity = 0;      // [m/s^2]
    bool obstacles = false;  // there is something to run into: colliders, or contact between bodies
    double load = 0;         // mass that lies on the body, or may [kg]
    double hung = 0;         // mass that is glued to it [kg]
    bool held = false;       // some of it is pinned, or glued to something immovable
    double approach = 0;     // highest speed of anything that may hit it in this frame [m/s]
    double wind = 0;         // its highest speed, gusts and eddies included [m/s]
    double air_density = 0;  // [kg/m^3]
    double last = 0;         // substeps of the last frame, at normal quality; 0 if there was none
};

struct WantedSubsteps {
    double count = 1;      // not rounded
    const char* why = "";  // what decided
};

inline WantedSubsteps more_of(const WantedSubsteps& a, const WantedSubsteps& b) { return b.count > a.count ? b : a; }

/// The highest speed of some particles [m/s].
inline double highest_speed(std::span<const Vec3> v)
{
    Real squared = 0;
    for (const Vec3& each : v) squared = std::max(squared, each.squared_norm());
    return std::sqrt(static_cast<double>(squared));
}

}  // namespace pliant
