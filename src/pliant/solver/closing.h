#pragma once
// Angular momentum while a wide gap closes. A small cloud that is pushed at the middle of a wide gap would be wrenched round by the
// lever, so each side is pushed at its own point there, and the two pushes f make a torque: the gap x f. The two bodies
// take it back as a whole: both turn at the same rate, so that their shapes do not change.

#include "pliant/state/range.h"
#include "pliant/world/world.h"

#include <vector>

namespace pliant {

struct Compiled;

/// What one end of a joint belongs to, taken as rigid.
struct WholeBody {
    Range particles;
    int rigid = -1;
    bool free = false;  // nothing holds it
    Vec3d center;       // of particles [m]
    Mat3d inertia;      // [kg m^2]
};

/// Comes after the velocities are known.
void keep_angular_momentum(Real h, World& world, Compiled& compiled);

}  // namespace pliant
