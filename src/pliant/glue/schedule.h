#pragma once
// What glue does around the projections of a substep: keys, targets, work, breaking.

#include "pliant/glue/joint.h"

namespace pliant {

/// Attaches and releases by keys, measures the joints where they are, counts the work of the last substep and readies the
/// systems for the first pass. Comes before positions are predicted.
void begin_glue(double time, Real h, const Particles& particles, const RigidBodies& bodies, std::span<Glue> glues,
                Joints& joints, std::vector<GlueEvent>& events);

/// Reads forces and torques, and breaks what is overloaded. Comes after the velocities are known.
void end_glue(double time, Real h, const Joints& joints, std::span<Glue> glues, std::vector<GlueEvent>& events);

}  // namespace pliant
