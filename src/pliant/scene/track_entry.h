#pragma once
// Keys in a scene file: keyed parameters, and motions that have a name.

#include "pliant/json/fields_json.h"
#include "pliant/world/track.h"

#include <string>

namespace pliant {

/// A motion that others use by its name.
struct MotionEntry : Motion {
    std::string name;

    static constexpr auto fields()
    {
        return std::tuple_cat(std::tuple{Field{"name", &MotionEntry::name, "", "by which others use it"}},
                              Motion::fields());
    }
};

/// A number, or an array of three.
template <>
struct JsonType<KeyedValue> {
    static void read(const JsonCursor& at, const Limits& limits, KeyedValue& out)
    {
        out.is_vector = at.value().is_array();
        if (out.is_vector) JsonType<Vec3d>::read(at, limits, out.number);
        else JsonType<double>::read(at, limits, out.number.x);
    }
    static Json write(const KeyedValue& value)
    {
        return value.is_vector ? JsonType<Vec3d>::write(value.number) : JsonType<double>::write(value.number.x);
    }
    static Json schema(const Limits& limits)
    {
        return {{"anyOf", Json::array({JsonType<double>::schema(limits), JsonType<Vec3d>::schema(limits)})}};
    }
};

}  // namespace pliant
