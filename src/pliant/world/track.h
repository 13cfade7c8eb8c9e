#pragma once
// Keyed parameters: a number or a vector of the parameter tables that follows keys over time.

#include "pliant/base/fields.h"
#include "pliant/state/motion.h"

#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// A number or three of them.
struct KeyedValue {
    Vec3d number;  // a single number is the first
    bool is_vector = false;
};

struct TrackKey {
    double time = 0;  // [s]
    KeyedValue value;
    std::optional<double> frame;  // in place of the time; of scene files, which turn it into one

    static constexpr auto fields()
    {
        return std::tuple{
            Field{"time", &TrackKey::time, "s", "when this key is reached"},
            Field{"value", &TrackKey::value, "", "of the parameter: a number or three, in its unit"},
            Field{"frame", &TrackKey::frame, "1", "when this key is reached, in frames, in place of the time"},
        };
    }
};

/// In each frame the parameter has the value that the keys give at the start of that frame.
struct Track {
    std::string parameter;
    std::vector<TrackKey> keys;  // in order of time, at least one
    Easing easing = Easing::linear;

    static constexpr auto fields()
    {
        return std::tuple{
            Field{"parameter", &Track::parameter, "",
                  "as in --set: forces.wind, contact.friction, cloths.flag.bend_stiffness; with a * at the end of the "
                  "name of a body, as in cloths.flag-*.bend_stiffness, of all whose names begin so"},
            Field{"keys", &Track::keys, "", "in order of time; held before the first and after the last"},
            Field{"easing", &Track::easing, "", "between keys: evenly, or starting and stopping softly"},
        };
    }
};

}  // namespace pliant
