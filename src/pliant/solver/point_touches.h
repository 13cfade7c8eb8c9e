#pragma once
// Points of rods that glue holds, on colliders. Pushed out alone, a light point under a load would be driven in again by all
// that hangs on it, and a stiff rod in between would store energy that nobody has given. So contact and friction are part of the
// solve of glue and rods:
//
//   hold_touching_points   before the first solve: what is in a collider is put on the surface and held there (hold_point)
//   correct_touches        after it: what is pulled is let go, what is pushed harder than friction can hold slides, with constant
//                          friction, and what has got into a collider is held too; then it is solved again (an active set)
//   note_point_touches     after the passes: tells contact what has pushed

#include "pliant/contact/colliders/particle_contacts.h"
#include "pliant/shape/constraint_system.h"

#include <span>
#include <vector>

namespace pliant {

struct PointTouch {
    enum class State { off, sticks, slides };

    int node = 0, collider = 0;
    State state = State::off;
    int changes = 0;   // of state
    Vec3d normal;      // of the plane on which it stays
    double plane = 0;  // normal . x there [m]
    double depth = 0;  // of the prediction below it [m]
    Vec3d stuck;       // where it would be if it had moved with the surface [m]
    Vec3d against;     // direction of friction while it slides
};

/// What a touch has to become.
struct TouchCorrection {
    PointTouch::State next;
    double friction = 0;  // [kg m]
    bool solve = false;   // it matters
};

/// Of one system, in a substep.
struct PointTouches {
    std::vector<int> nodes;           // that may touch: points of rods, compiled
    std::vector<PointTouch> touches;  // near a collider
    std::vector<TouchCorrection> corrections;
    int rounds = 0;
};

/// What it takes to hold them.
struct TouchScene {
    std::span<const PlacedCollider> colliders;
    const Particles& particles;
};

void hold_touching_points(const TouchScene& scene, ConstraintSystem& system, PointTouches& of);
/// Whether the system has to be solved again, from the state before.
bool correct_touches(const TouchScene& scene, ConstraintSystem& system, RigidBodies& bodies, PointTouches& of);
void note_point_touches(const TouchScene& scene, Real h, const ConstraintSystem& system, const PointTouches& of,
                        ParticleContacts& contacts, std::vector<Vec3>& predicted);
/// Lets all go where they are. Returns whether there were any: it has to be factored again then.
bool let_points_go(ConstraintSystem& system);

}  // namespace pliant
