#pragma once
// What contacts of rigid bodies carry from one frame to the next: part of the state of a World.

#include "pliant/math/types.h"

#include <array>

namespace pliant {

/// The force at one point of contact at the end of a frame: the next one starts from it (warm start).
struct RigidPush {
    int a = -1, b = -1;         // rigid bodies; b from their number on: colliders; below 0: none, nor any behind it
    std::array<Vec3, 2> place;  // on a and on b, in their own frames [m]
    Real push = 0;              // along the normal [N]
    Vec3 hold{};                // friction on a [N]
};

/// How many there is room for from the start, so that a step allocates nothing.
inline constexpr int kPushesPerBody = 12;

}  // namespace pliant
