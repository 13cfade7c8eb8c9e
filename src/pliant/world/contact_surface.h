#pragma once

#include "pliant/contact/colliders/collider_crossing.h"
#include "pliant/contact/pairs/crossings.h"
#include "pliant/world/world.h"

#include <string_view>

namespace pliant {

/// Whether a name in a rule matches a body: it is the body's name, or a prefix of it and a star.
bool is_meant(std::string_view name, std::string_view body);

/// False if it is clear without a look at glue that no two features of bodies do.
bool may_touch(const World& world);

/// The surface of all bodies that takes part in contact. A rule between bodies that do not exist has no effect.
ContactSurface make_contact_surface(const World& world);

/// The edges that pass through triangles now; none without contact. A measurement, not part of the step.
std::vector<Crossing> find_crossings(const World& world);

/// The features and rigid bodies that overlap colliders now, whether contact is on or off.
std::vector<ColliderCrossing> find_collider_crossings(const World& world);

/// Of both kinds.
std::size_t count_intersections(const World& world);

}  // namespace pliant
