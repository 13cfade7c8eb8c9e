#include "pliant/world/tracks.h"

#include "pliant/base/check_fields.h"
#include "pliant/base/message.h"
#include "pliant/world/edits.h"
#include "pliant/world/internal.h"

#include <algorithm>
#include <concepts>
#include <string_view>

namespace pliant {

namespace {

/// What keys can change: numbers, vectors, and both where the engine would choose them.
template <class V>
constexpr int kNumbers = std::is_floating_point_v<V> ? 1 : 0;
template <class S>
constexpr int kNumbers<Vector3<S>> = 3;
template <class V>
constexpr int kNumbers<std::optional<V>> = kNumbers<V>;

template <std::floating_point T>
void put(const Vec3d& number, T& out)
{
    out = static_cast<T>(number.x);
}
template <class S>
void put(const Vec3d& number, Vector3<S>& out)
{
    out = number.cast<S>();
}
template <class V>
void put(const Vec3d& number, std::optional<V>& out)
{
    V value{};
    put(number, value);
    out = value;
}

/// `list.body.name`, or `list.name` without a body.
struct Path {
    std::string_view list, body, name;
};
Path split(std::string_view parameter)
{
    const std::size_t first = parameter.find('.'), last = parameter.rfind('.');
    if (first == std::string_view::npos) return {};
    Path path{parameter.substr(0, first), {}, parameter.substr(last + 1)};
    if (last > first) path.body = parameter.substr(first + 1, last - first - 1);
    return path;
}

bool is_named(std::string_view pattern, std::string_view name)
{
    if (pattern.ends_with('*')) return name.starts_with(pattern.substr(0, pattern.size() - 1));
    return pattern == name;
}

/// Calls visit(parameters, set), set(changed parameters), for every table that the path means.
template <class Visit>
void visit_tables(World& world, const Path& path, const Visit& visit)
{
    const auto visit_list = [&](const auto& list, const auto& set) {
        for (int i = 0; i < static_cast<int>(list.size()); ++i) {
            if (!is_named(path.body, list[i].name)) continue;
            if constexpr (requires { list[i].params; })
                visit(list[i].params, [&](const auto& params) { set(world, list.id_at(i), params); });
            else visit(list[i], [&](const auto& params) { set(world, list.id_at(i), params); });
        }
    };
    if (path.list == "forces") visit(*world.forces, [&](const auto& params) { set_forces(world, params); });
    else if (path.list == "contact") visit(*world.contact, [&](const auto& params) { set_contact(world, params); });
    else if (path.list == "solids") visit_list(world.solids, set_solid);
    else if (path.list == "cloths") visit_list(world.cloths, set_cloth);
    else if (path.list == "rods") visit_list(world.rods, set_rod);
    else if (path.list == "rigids") visit_list(world.rigids, set_rigid);
    else if (path.list == "colliders") visit_list(world.colliders, set_collider);
    else if (path.list == "glue") visit_list(world.glues, set_glue);
}

/// Sets a parameter wherever it has another value. Returns how many tables have it.
int set_value(World& world, const Path& path, const KeyedValue& value)
{
    int found = 0;
    visit_tables(world, path, [&]<class Params>(const Params& params, const auto& set) {
        for_each_field<Params>([&]<class Owner, class V>(const Field<Owner, V>& field) {
            if constexpr (kNumbers<V> > 0) {
                if (path.name != field.name || (kNumbers<V> == 3) != value.is_vector) return;
                ++found;
                V wanted{};
                put(value.number, wanted);
                if (params.*field.member == wanted) return;
                Params changed = params;
                changed.*field.member = wanted;
                set(changed);
            }
        });
    });
    return found;
}

/// Colliders move by their motion; jumps of their place and size would leave bodies inside.
bool moves_collider(const Path& path)
{
    return path.list == "colliders" && path.name != "friction" && path.name != "restitution";
}

void check_keys(const Track& track)
{
    const std::string what = "track of \"" + track.parameter + "\"";
    if (track.keys.empty()) throw InputError(what + ": there are no keys");
    for (std::size_t i = 0; i < track.keys.size(); ++i) {
        const TrackKey& key = track.keys[i];
        if (key.frame) throw InputError(message("{}: key {} has a frame, which only scene files may have", what, i));
        if (key.value.is_vector != track.keys[0].value.is_vector)
            throw InputError(message("{}: key {} is not of as many numbers as the first", what, i));
        check_vector(key.value.number, what.c_str());
        if (i > 0 && !(key.time > track.keys[i - 1].time))
            throw InputError(
                message("{}: key {} is not later than the key before it; give keys in order of time", what, i));
    }
    check_fields(track, what);
}

}  // namespace

KeyedValue value_at(const Track& track, double time)
{
    const auto& keys = track.keys;
    const auto after = std::ranges::upper_bound(keys, time, {}, &TrackKey::time);
    if (after == keys.begin()) return keys.front().value;
    KeyedValue value = (after - 1)->value;
    if (after == keys.end()) return value;
    double s = (time - (after - 1)->time) / (after->time - (after - 1)->time);
    if (track.easing == Easing::smooth) s = s * s * (3 - 2 * s);
    value.number += s * (after->value.number - value.number);
    return value;
}

void apply_tracks(World& world)
{
    for (const Track& track : *world.tracks) set_value(world, split(track.parameter), value_at(track, world.time));
}

void add_track(World& world, const Track& track)
{
    check_keys(track);
    const Path path = split(track.parameter);
    if (moves_collider(path))
        throw InputError("track of \"" + track.parameter +
                         "\": of a collider only friction and restitution can be "
                         "keyed; use its motion");
    // Every key is tried: the set_ functions know what is allowed. The one of now stays.
    for (const TrackKey& key : track.keys)
        if (set_value(world, path, key.value) == 0)
            throw InputError("track of \"" + track.parameter +
                             "\": there is no such parameter of as many numbers; write it like forces.wind or "
                             "cloths.flag.bend_stiffness");
    remove_track(world, track.parameter);
    writable(world.tracks).push_back(track);
    set_value(world, path, value_at(track, world.time));
}

void remove_track(World& world, const std::string& parameter)
{
    std::erase_if(writable(world.tracks), [&](const Track& track) { return track.parameter == parameter; });
}

}  // namespace pliant
