#pragma once
// A rigid motion given by keys over time: what drives pinned points and keyed colliders.

#include "pliant/base/fields.h"
#include "pliant/math/rotation.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

struct Key {
    double time = 0;                                  // [s]
    Vec3d translation;                                // from the position at rest [m]
    double degrees = 0;                               // about the motion's axis; may go past a full turn
    std::optional<std::array<double, 4>> quaternion;  // w x y z of the rotation, about the pivot, in place of degrees
    std::optional<double> frame;                      // in place of the time; of scene files, which turn it into one

    static constexpr auto fields()
    {
        return std::tuple{
            Field{"time", &Key::time, "s", "when this key is reached"},
            Field{"translation", &Key::translation, "m", "from the place at rest"},
            Field{"degrees", &Key::degrees, "deg", "turned about the motion's axis; may pass a full turn"},
            Field{"quaternion", &Key::quaternion, "1",
                  "the rotation as [w, x, y, z] of any length, in place of degrees; turned the shorter way round from "
                  "key to key"},
            Field{"frame", &Key::frame, "1", "when this key is reached, in frames, in place of the time"},
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
    double delay = 0;  // of all keys [s]
    std::string use;   // the motion of a scene that this one is; none once the scene is read

    static constexpr auto fields()
    {
        return std::tuple{
            Field{"keys", &Motion::keys, "", "keyframes in order of time; held before the first and after the last"},
            Field{"axis", &Motion::axis, "1", "direction of the axis that `degrees` turns about"},
            Field{"pivot", &Motion::pivot, "m", "a point on that axis, in the place at rest"},
            Field{"easing", &Motion::easing, "", "between keys: at constant speed, or starting and stopping softly"},
            Field{"delay", &Motion::delay, "s", "by which all keys come later"},
            Field{"use", &Motion::use, "",
                  "name of a motion in motions; what is given beside it takes the place of what that one has"},
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

/// Throws InputError, prefixed by `what`, unless the keys are in order of time, the axis is not zero, quaternions are
/// neither zero nor mixed with degrees, and nothing is left that only scene files have.
void check_motion(const Motion& motion, const char* what);

}  // namespace pliant
