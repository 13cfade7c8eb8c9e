#pragma once

#include "pliant/rigid/rigid.h"
#include "pliant/state/effort.h"

namespace pliant {

/// A rigid body moves exactly in any step. Where it touches, a pass carries a load on by one body: that takes some passes,
/// whatever stands on it.
inline WantedSubsteps wanted_substeps(const Rigid&, const Outlook& outlook)
{
    constexpr double kInContact = 8;
    return outlook.obstacles ? WantedSubsteps{kInContact, "contact"} : WantedSubsteps{};
}

}  // namespace pliant
