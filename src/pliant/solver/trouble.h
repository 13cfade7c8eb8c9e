#pragma once

#include "pliant/solver/report.h"
#include "pliant/world/world.h"

#include <vector>

namespace pliant {

/// The first body with a position or velocity that is not finite, or none. `scratch` is reused from call to call.
Trouble find_trouble(const World& world, std::vector<Real>& scratch);

/// That a step of dt cannot be taken.
Trouble trouble_of_step(Real dt);

}  // namespace pliant
