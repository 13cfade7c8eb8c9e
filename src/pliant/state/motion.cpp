#include "pliant/state/motion.h"

#include "pliant/base/check.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace pliant {

namespace {

Quatd rotation_of(const Key& key)
{
    if (!key.quaternion) return {};
    const auto [w, x, y, z] = *key.quaternion;
    const double largest = std::max({std::abs(w), std::abs(x), std::abs(y), std::abs(z)});
    return normalized({w / largest, {x / largest, y / largest, z / largest}});
}

void check_rotations(const Motion& motion, const std::string& what)
{
    bool turns = false, degrees = false;
    for (std::size_t i = 0; i < motion.keys.size(); ++i) {
        const Key& key = motion.keys[i];
        const std::string place = what + ": key " + std::to_string(i);
        if (key.frame) throw InputError(place + " has a frame, which only scene files may have; give its time");
        if (key.quaternion && *key.quaternion == std::array{0.0, 0.0, 0.0, 0.0})
            throw InputError(place + " has a quaternion of zeros; [1, 0, 0, 0] does not turn");
        turns = turns || key.quaternion;
        degrees = degrees || key.degrees != 0;
    }
    if (turns && degrees)
        throw InputError(what + ": some keys have degrees and others quaternions; use one of both in a motion");
}

}  // namespace

RigidMap motion_at(const Motion& motion, double time)
{
    time -= motion.delay;
    const std::vector<Key>& keys = motion.keys;
    if (keys.empty()) return {};

    const auto after =
        std::upper_bound(keys.begin(), keys.end(), time, [](double t, const Key& k) { return t < k.time; });
    Key now = after == keys.begin() ? keys.front() : *(after - 1);
    Quatd turned = rotation_of(now);
    if (after != keys.begin() && after != keys.end()) {
        double s = (time - now.time) / (after->time - now.time);
        if (motion.easing == Easing::smooth) s = s * s * (3 - 2 * s);
        now.translation += s * (after->translation - now.translation);
        now.degrees += s * (after->degrees - now.degrees);
        if (now.quaternion || after->quaternion) turned = turned_between(turned, rotation_of(*after), s);
    }
    RigidMap map;
    if (now.quaternion || turned.w != 1) map.rotation = turned.matrix();
    else if (now.degrees != 0) map.rotation = rotation_about(motion.axis, now.degrees);
    map.shift = motion.pivot - map.rotation * motion.pivot + now.translation;
    return map;
}

void check_motion(const Motion& motion, const char* what)
{
    for (std::size_t i = 1; i < motion.keys.size(); ++i) {
        if (motion.keys[i].time <= motion.keys[i - 1].time) {
            throw InputError(std::string(what) + ": key " + std::to_string(i) +
                             " is not later than the key before it; give keys in order of time");
        }
    }
    check_rotations(motion, what);
    if (!motion.use.empty())
        throw InputError(std::string(what) + ": the motion \"" + motion.use +
                         "\" is known to scene files only; give keys");
    if (motion.axis.norm() == 0)
        throw InputError(std::string(what) + ": the axis is zero; give a direction such as [0, 1, 0]");
}

}  // namespace pliant
