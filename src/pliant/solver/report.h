#pragma once

#include "pliant/contact/pairs/report.h"
#include "pliant/glue/glue.h"
#include "pliant/solver/effort.h"
#include "pliant/world/world.h"

#include <string>
#include <vector>

namespace pliant {

enum class TroubleKind { none, bad_step, not_finite };

/// What went wrong in a step, for programs; `text` of the report is for people.
struct Trouble {
    TroubleKind kind = TroubleKind::none;
    std::string body;   // its name; empty where the whole step is meant
    int particle = -1;  // of the body; -1 for a rigid body
    std::string text;

    explicit operator bool() const { return kind != TroubleKind::none; }
};

/// What two bodies, or a body and a collider, did to each other in a step.
struct ContactEvent {
    BodyRef a, b;
    Vec3 point;        // where they pushed most [m]
    Vec3 normal;       // there, from b to a
    Real impulse = 0;  // of all pushes along their normals [kg m/s]
};

/// What one step did.
struct StepReport {
    int substeps = 0;  // taken
    Effort effort;     // why as many
    int contacts = 0;  // of particles and rigid bodies with colliders, in the last substep
    int asleep = 0;    // rigid bodies
    FeatureContactReport feature_contacts;
    std::vector<GlueEvent> events;      // of glue, also of edits before the step
    std::vector<ContactEvent> touches;  // while Solver::report_contacts is on, in the order of the bodies
    Trouble trouble;                    // none, or the body that became non-finite and the likely cause
};

}  // namespace pliant
