#pragma once

#include "pliant/world/world.h"

namespace pliant {

/// What of the world's bodies touches. Throws InputError for a rule between bodies that do not exist.
ContactSurface make_contact_surface(const World& world);

}  // namespace pliant
