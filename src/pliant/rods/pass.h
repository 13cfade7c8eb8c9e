#pragma once
// One pass over rods, as described in rod.h, their damping, and the gravity of their ghosts.

#include "pliant/rods/rod_system.h"
#include "pliant/state/particles.h"

#include <span>
#include <vector>

namespace pliant {

/// Called after gravity has acted on all particles: moves the weight of the ghosts to their edges, as far as the edges
/// do not fall freely [USS14, supplement]. Ghosts then neither bend a rod that hangs nor spin one that falls.
///
///   r = ((vm - vm_prev)/h . g) / |g|^2,  c = (1 - r) h g:  v_ghost -= c,  v_end += (m_ghost / 2 m_end) c
void lift_ghosts(Real h, const Vec3& gravity, std::span<Rod> rods, Particles& particles, std::span<RodSystem> systems);

/// Damps deformation, bend and twist at each rod's own rates, for a substep that starts at `time`.
void damp_rods(Real h, double time, std::span<const Rod> rods, Particles& particles, std::span<RodSystem> systems);

/// For rods with a direct solve: stores the velocities at the start of a substep, before forces change them.
void keep_velocities(std::span<const Rod> rods, const Particles& particles, std::span<RodSystem> systems);

/// Resets the XPBD multipliers at the start of a substep.
void begin_rods(std::span<RodSystem> systems);

/// Pass number `pass` of `iterations`; clamped ends have their frames at `time`. A direct solve happens in pass 0 only.
void project_rods(Real h, int pass, int iterations, double time, std::span<const Rod> rods, Particles& particles,
                  std::span<RodSystem> systems);

}  // namespace pliant
