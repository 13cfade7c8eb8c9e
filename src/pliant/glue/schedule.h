#pragma once
// When glue holds, how firmly, what it has done, and when it gives up.

#include "pliant/glue/joint.h"

namespace pliant {

/// Attaches and releases by the keys, takes down the work of the last substep and forgets its multipliers. Comes before
/// particles and bodies are predicted.
void begin_glue(double time, Real h, const Particles& particles, const RigidBodies& bodies, std::span<Glue> glues,
                Joints& joints, GlueScratch& scratch, std::vector<GlueEvent>& events);

/// Takes the forces down and breaks what cannot bear them. `time` is the end of the substep.
void end_glue(double time, Real h, const Joints& joints, std::span<Glue> glues, std::vector<GlueEvent>& events);

}  // namespace pliant
