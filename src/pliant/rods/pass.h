#pragma once
// One pass over rods, as rod.h tells it, and the gravity of their ghosts.

#include "pliant/rods/rod_system.h"
#include "pliant/state/particles.h"

#include <span>
#include <vector>

namespace pliant {

/// After gravity has acted on all particles: takes it from the ghosts and gives it to their edges, in the measure in
/// which the edges do not fall [USS14, supplement]. Ghosts neither bend a rod that hangs nor spin one that falls.
///
///   r = ((vm - vm_prev)/h . g) / |g|^2,  c = (1 - r) h g:  v_ghost -= c,  v_end += (m_ghost / 2 m_end) c
void lift_ghosts(Real h, const Vec3& gravity, std::span<Rod> rods, Particles& particles, std::span<RodSystem> systems);

/// Damps deformation, bend and twist at each rod's own rates; clamps turn as they do from `time` on.
void damp_rods(Real h, double time, std::span<const Rod> rods, Particles& particles, std::span<RodSystem> systems);

/// Keeps the velocities at the start of a substep, before forces change them, for rods with a direct solve.
void keep_velocities(std::span<const Rod> rods, const Particles& particles, std::span<RodSystem> systems);

/// Multipliers start anew in every substep.
void begin_rods(std::span<RodSystem> systems);

/// Pass `pass` of `iterations`; frames of tips are those at `time`. What is solved directly is solved in the first.
void project_rods(Real h, int pass, int iterations, double time, std::span<const Rod> rods, Particles& particles,
                  std::span<RodSystem> systems);

}  // namespace pliant
