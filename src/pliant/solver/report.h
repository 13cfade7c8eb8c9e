#pragma once

#include "pliant/base/profile.h"
#include "pliant/glue/glue.h"

#include <string>
#include <vector>

namespace pliant {

/// What one step did.
struct StepReport {
    int substeps = 0;               // taken
    int contacts = 0;               // of particles and rigid bodies with colliders, in the last substep
    int body_contacts = 0;          // of bodies with each other and themselves, in the last iteration
    int searches = 0;               // for pairs that could touch
    int passes = 0;                 // over the contacts of bodies
    long long held = 0;             // points held back from passing through something, summed over the substeps
    int open = 0;                   // pairs that could not be kept apart, because what moves them is keyed
    std::vector<GlueEvent> events;  // of glue, also of edits before the step
    std::string trouble;            // empty, or which body became non-finite and the likely cause
};

}  // namespace pliant
