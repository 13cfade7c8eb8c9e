#pragma once
// Keyed parameters at work; `add_track` is in world/edits.h.

#include "pliant/world/world.h"

namespace pliant {

/// The value at a time. Requires keys that add_track accepts.
KeyedValue value_at(const Track& track, double time);

/// Gives every keyed parameter its value of now, through the set_ functions: what has to be compiled again is. A track
/// whose body was removed does nothing.
void apply_tracks(World& world);

}  // namespace pliant
