#include "pliant/state/motion.h"

#include "pliant/base/check.h"

#include <algorithm>
#include <string>

namespace pliant {

RigidMap motion_at(const Motion& motion, double time)
{
    const std::vector<Key>& keys = motion.keys;
    if (keys.empty()) return {};

    const auto after =
        std::upper_bound(keys.begin(), keys.end(), time, [](double t, const Key& k) { return t < k.time; });
    Key now = after == keys.begin() ? keys.front() : *(after - 1);
    if (after != keys.begin() && after != keys.end()) {
        double s = (time - now.time) / (after->time - now.time);
        if (motion.easing == Easing::smooth) s = s * s * (3 - 2 * s);
        now.translation += s * (after->translation - now.translation);
        now.degrees += s * (after->degrees - now.degrees);
    }
    RigidMap map;
    if (now.degrees != 0) map.rotation = rotation_about(motion.axis, now.degrees);
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
    if (motion.axis.norm() == 0)
        throw InputError(std::string(what) + ": the axis is zero; give a direction such as [0, 1, 0]");
}

}  // namespace pliant
