#pragma once
// A rigid motion given by keys over time: what drives pinned points and keyed colliders.

#include "pliant/base/fields.h"
#include "pliant/math/rotation.h"

#include <vector>

namespace pliant {

struct Key {
    double time = 0;     // [s]
    Vec3d translation;   // from the position at rest [m]
    double degrees = 0;  // about the motion's axis; may go past a full turn

    static constexpr auto fields()
    {
        return std::tuple{
            Field{"time", &Key::time, "s", "when this key is reached"},
            Field{"translation", &Key::translation, "m", "from the place at rest"},
            Field{"degrees", &Key::degrees, "deg", "turned about the motion's axis; may pass a full turn"},
        };
    }
};

enum class Easing { linear, smooth };
constexpr auto enum_names(Easing) { return std::array{"linear", "smooth"}; }

struct Motion {
    std::vector<Key> keys;  // in order of time; none: no motion
    Vec3d axis{0, 1, 0};    // of the rotation
    Vec3d pivot;            // a point of the axis [m]
    Easing easing = Easing::linear;

    static constexpr auto fields()
    {
        return std::tuple{
            Field{"keys", &Motion::keys, "", "keyframes in order of time; held before the first and after the last"},
            Field{"axis", &Motion::axis, "1", "direction of the axis that `degrees` turns about"},
            Field{"pivot", &Motion::pivot, "m", "a point on that axis, in the place at rest"},
            Field{"easing", &Motion::easing, "", "between keys: at constant speed, or starting and stopping softly"},
        };
    }
};

/// x -> rotation (x - pivot) + pivot + translation
struct RigidMap {
    Mat3d rotation = Mat3d::identity();
    Vec3d shift;

    Vec3d operator()(const Vec3d& p) const { return rotation * p + shift; }
};

/// The motion at a time. Requires keys that `check_motion` accepts.
RigidMap motion_at(const Motion& motion, double time);

/// Throws InputError, prefixed by `what`, unless the keys are in order of time and the axis is not zero.
void check_motion(const Motion& motion, const char* what);

}  // namespace pliant
