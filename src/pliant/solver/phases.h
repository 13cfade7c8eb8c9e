#pragma once
// The phases of a substep, in the order of Solver::step. Each times itself.

#include "pliant/solver/compiled.h"
#include "pliant/solver/report.h"

#include <span>

namespace pliant {

/// Brings what is compiled up to date, and divides the frame.
std::span<const Substep> begin_frame(World& world, Real dt, Compiled& c);

void drive(const Substep& s, World& world, Compiled& c);
void apply_forces(const Substep& s, World& world, Compiled& c);
void predict(const Substep& s, World& world, Compiled& c);
void project_bodies(const Substep& s, int iteration, World& world, Compiled& c);
void project_glue(const Substep& s, int iteration, World& world, Compiled& c);
void project_contact(const Substep& s, World& world, Compiled& c);
void guard(const Substep& s, World& world, Compiled& c);
void update_velocities(const Substep& s, World& world, Compiled& c);

/// A frame in which everything sleeps.
StepReport rest_frame(World& world, Real dt);

/// What the frame has done, and what went wrong.
StepReport finish_frame(Real dt, World& world, Compiled& c);

}  // namespace pliant
