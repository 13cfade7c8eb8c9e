#pragma once
// Particles that are bound hard: a point glue without stiffness one side of which is a single particle. Such a particle has
// no motion of its own. In the iterations its joint hands on what other constraints do to it, shared out by the exact
// effective masses, so that the parents carry its mass; after the last one it is placed where its parents say, and its
// velocity is what theirs make of it.
//
//   x_b = phi(x)                     place_bound
//   v_b = sum J_i v_i                match_bound_velocities: by impulses, so that momentum stays
//
// What a bound particle is bound to may be bound itself: parents are placed before their children. A circle has no such
// order and is refused. A particle with several bindings can follow none of them: it rests between them.

#include "pliant/glue/bindings.h"
#include "pliant/glue/joint.h"
#include "pliant/state/integrate.h"

namespace pliant {

/// Hands what is left between bound particles and their parents on once more, then places the particles. `predicted` goes
/// along with the latter: it is no motion.
void place_bound(Joints& joints, Particles& particles, RigidBodies& bodies, Predicted& predicted);

/// Places the particles alone, where something has moved their parents.
void follow_parents(Joints& joints, Particles& particles, RigidBodies& bodies, Predicted& predicted);

/// Comes after the velocities are known.
void match_bound_velocities(Real h, Joints& joints, Particles& particles, RigidBodies& bodies);

}  // namespace pliant
