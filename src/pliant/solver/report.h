#pragma once

#include "pliant/base/profile.h"

#include <string>

namespace pliant {

/// What one step did.
struct StepReport {
    int substeps = 0;     // taken
    int contacts = 0;     // of particles and rigid bodies with colliders, in the last substep
    std::string trouble;  // empty, or which body became non-finite and the likely cause
};

}  // namespace pliant
