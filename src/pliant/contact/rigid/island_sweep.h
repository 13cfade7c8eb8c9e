#pragma once
// Sweeps over the contacts of a large island (projected Gauss-Seidel on velocities), where a factor would cost too much. Sweeps
// go forth and back and start from the multipliers of the last substep; the points, what they aim for and their multipliers
// are those of the direct solution (islands.h), so that an island may change from one to the other.
//
//   l += -(n . v + b) / (n . K n),  l >= 0      t += -K_t^-1 v_t,  |t| <= mu l      K: mobility of the point

#include "pliant/contact/rigid/island_solve.h"

namespace pliant {

void sweep_island(double h, SolveStage stage, const RigidBodies& bodies, Island& island, Islands& islands);

}  // namespace pliant
