#pragma once
// External forces: gravity, wind and drag on everything, and forces applied by the user.

#include "pliant/base/fields.h"
#include "pliant/state/air_flow.h"
#include "pliant/state/particles.h"
#include "pliant/state/rigid_bodies.h"

#include <span>

namespace pliant {

struct Forces {
    Vec3 gravity{0, Real(-9.81), 0};
    Vec3 wind;      // mean velocity of the air [m/s]
    Real drag = 0;  // rate at which a particle approaches the velocity of the air [1/s]
    Real air_density = Real(1.2);
    Real gusts = 0;      // share of the wind by which it swells and falls
    Real gust_time = 2;  // over which it does [s]
    Real turbulence = 0;
    Real turbulence_length = 1;  // [m]
    int wind_seed = 1;

    static constexpr auto fields()
    {
        return std::tuple{
            Field{"gravity", &Forces::gravity, "m/s^2", "acceleration of every free particle"},
            Field{"wind", &Forces::wind, "m/s", "mean velocity of the air; acts through drag, and on cloth"},
            Field{"drag", &Forces::drag, "1/s", "rate at which a particle takes on the velocity of the air",
                  kNonNegative},
            Field{"air_density", &Forces::air_density, "kg/m^3", "for the drag and lift of cloth", kNonNegative},
            Field{"gusts", &Forces::gusts, "1",
                  "by which share of its speed the wind swells and falls; it never turns round", kNonNegative},
            Field{"gust_time", &Forces::gust_time, "s", "from a gust to the lull after it, about", kPositive},
            Field{"turbulence", &Forces::turbulence, "1",
                  "intensity: the standard deviation of each component of the air's velocity, as a share of the wind's "
                  "speed",
                  kNonNegative},
            Field{"turbulence_length", &Forces::turbulence_length, "m",
                  "size of the largest eddies, which the wind carries along", kPositive},
            Field{"wind_seed", &Forces::wind_seed, "1", "of gusts and turbulence", kNonNegative},
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

/// The air at a time, after the wind has carried it by `travel` [m].
AirFlow air_flow(const Forces& forces, const Vec3d& travel, double time);

/// v = (v + h c wind) / (1 + h c) + h g: drag towards the wind, implicit and so stable at any rate, then gravity,
/// undamped, so that a hanging body carries its whole weight.
void apply_forces(const Forces& forces, const AirFlow& air, Real h, Particles& particles);

/// The same for the centres of rigid bodies; drag also slows their spin, as in air that does not rotate.
void apply_forces(const Forces& forces, const AirFlow& air, Real h, RigidBodies& bodies);

}  // namespace pliant
