#pragma once
// External forces: gravity, wind and drag on everything, and forces applied by the user.

#include "pliant/base/fields.h"
#include "pliant/state/particles.h"
#include "pliant/state/rigid_bodies.h"

#include <span>

namespace pliant {

struct Forces {
    Vec3 gravity{0, Real(-9.81), 0};
    Vec3 wind;      // velocity of the air, the same everywhere [m/s]
    Real drag = 0;  // rate at which a particle approaches the velocity of the air [1/s]
    Real air_density = Real(1.2);

    static constexpr auto fields()
    {
        return std::tuple{
            Field{"gravity", &Forces::gravity, "m/s^2", "acceleration of every free particle"},
            Field{"wind", &Forces::wind, "m/s", "velocity of the air; acts through drag, and on cloth"},
            Field{"drag", &Forces::drag, "1/s", "rate at which a particle takes on the velocity of the air",
                  kNonNegative},
            Field{"air_density", &Forces::air_density, "kg/m^3", "for the drag and lift of cloth", kNonNegative},
        };
    }
};

/// A force that the user applies to a body for one step.
struct AppliedForce {
    Range particles;    // all that are free are accelerated alike,
    Vec3 acceleration;  // [m/s^2]
    int rigid = -1;     // or this rigid body is pushed
    Vec3 force;         // [N]
    Vec3 point;         // where the force acts, in the body's frame [m]
};

void apply_forces(std::span<const AppliedForce> forces, Real h, Particles& particles, RigidBodies& bodies);

/// v = (v + h c wind) / (1 + h c) + h g: drag towards the wind, implicit and so stable at any rate, then gravity,
/// undamped, so that a hanging body carries its whole weight.
void apply_forces(const Forces& forces, Real h, Particles& particles);

/// The same for the centres of rigid bodies; drag also slows their spin, as in air that does not rotate.
void apply_forces(const Forces& forces, Real h, RigidBodies& bodies);

}  // namespace pliant
