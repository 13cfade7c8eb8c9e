#pragma once

#include "pliant/contact/crossings.h"
#include "pliant/world/world.h"

namespace pliant {

/// What of the world's bodies touches. A rule between bodies that do not exist has no effect.
ContactSurface make_contact_surface(const World& world);

/// The edges that pass through triangles now; none without contact. A measurement, not part of the step.
std::vector<Crossing> find_crossings(const World& world);

}  // namespace pliant
