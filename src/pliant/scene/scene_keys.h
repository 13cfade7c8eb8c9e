#pragma once
// Keys in a scene file, wherever the tables have them: those in frames get their times, and motions that use another one
// become what they mean. Arrays move the motions of their copies along.

#include "pliant/scene/scene_parts.h"

#include <concepts>

namespace pliant {

/// What visits_keys calls `visit(value, path)` for.
template <class T>
concept TimedKey = requires(T& key) {
    { key.time } -> std::same_as<double&>;
    { key.frame } -> std::same_as<std::optional<double>&>;
};

template <class T>
struct KeysInside;

/// Whether there is a key among the fields of T. Most tables hold none, and no code is made for them.
template <class T>
constexpr bool kKeysInFields = false;
template <HasFields T>
constexpr bool kKeysInFields<T> =
    std::apply([]<class... F>(const F&...) { return (KeysInside<typename F::Value>::kAny || ...); }, T::fields());

template <class T>
struct KeysInside {
    static constexpr bool kIsOne = TimedKey<T> || std::derived_from<T, Motion>;
    static constexpr bool kAny = kIsOne || kKeysInFields<T>;

    template <class Visit>
    static void visit(T& value, const std::string& path, const Visit& visit)
    {
        if constexpr (kIsOne) visit(value, path);
        if constexpr (HasFields<T>)
            for_each_field<T>([&]<class Owner, class V>(const Field<Owner, V>& field) {
                if constexpr (KeysInside<V>::kAny)
                    KeysInside<V>::visit(value.*field.member, path.empty() ? field.name : path + "/" + field.name,
                                         visit);
            });
    }
};
template <class T>
struct KeysInside<std::optional<T>> {
    static constexpr bool kAny = KeysInside<T>::kAny;

    template <class Visit>
    static void visit(std::optional<T>& value, const std::string& path, const Visit& visit)
    {
        if (value) KeysInside<T>::visit(*value, path, visit);
    }
};
template <class T>
struct KeysInside<std::vector<T>> {
    static constexpr bool kAny = KeysInside<T>::kAny;

    template <class Visit>
    static void visit(std::vector<T>& list, const std::string& path, const Visit& visit)
    {
        if constexpr (HasFields<T>)
            for (std::size_t i = 0; i < list.size(); ++i)
                KeysInside<T>::visit(list[i], path + "/" + std::to_string(i), visit);
    }
};

/// Resolves all keys of the file; problems are reported with their places.
void resolve_keys(const SceneSource& source, Problems& problems, SceneFile& file);

/// The entry of a copy, whose motions turn about pivots that have moved along by `offset` and come later by `delay`.
template <class Entry>
Entry with_motions_of_copy(Entry entry, const Vec3d& offset, double delay)
{
    KeysInside<Entry>::visit(entry, "", [&](auto& value, const std::string&) {
        if constexpr (requires { value.pivot; }) {
            value.pivot += offset;
            value.delay += delay;
        }
    });
    return entry;
}

}  // namespace pliant
