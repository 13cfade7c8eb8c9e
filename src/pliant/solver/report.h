#pragma once

#include "pliant/base/profile.h"
#include "pliant/contact/pairs/report.h"
#include "pliant/glue/glue.h"

#include <string>
#include <vector>

namespace pliant {

/// What one step did.
struct StepReport {
    int substeps = 0;  // taken
    int contacts = 0;  // of particles and rigid bodies with colliders, in the last substep
    FeatureContactReport feature_contacts;
    std::vector<GlueEvent> events;  // of glue, also of edits before the step
    std::string trouble;            // empty, or which body became non-finite and the likely cause
};

}  // namespace pliant
