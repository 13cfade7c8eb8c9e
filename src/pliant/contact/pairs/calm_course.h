#pragma once
// Whether bodies keep the course for which a proof of calm was made (calm.h).

#include "pliant/contact/pairs/calm.h"

#include <limits>

namespace pliant {

/// Coordinate of what is nowhere: bounds of a box without points, a distance to nothing.
inline constexpr Real kNeverNear = std::numeric_limits<Real>::infinity();
/// Particles that are looked at together.
inline constexpr int kCourseGrain = 4096;

/// Whether all do at the end of a substep of length h [s] that has just been made.
bool all_keep_course(Real h, const CalmScene& scene, Calm& calm);
/// Sets up Calm::deviations, by its tiles.
void list_parts(Calm& calm);

}  // namespace pliant
