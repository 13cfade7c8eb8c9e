#pragma once
// From parameter tables to JSON and back. For every type that a table may hold, its JsonType says once how
// it is read, written and described:
//
//   read     takes the value if type and limits allow it, otherwise reports a problem and changes nothing
//   write    the value as JSON
//   schema   what an editor needs to know about it (JSON Schema, draft 2020-12)
//
// A struct with fields() is an object: its JsonType is made of those of its fields, and so on down.

#include "pliant/base/fields.h"
#include "pliant/json/json_text.h"
#include "pliant/math/types.h"

#include <array>
#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pliant {

template <class T>
struct JsonType;

/// Reads a document into a struct: a missing key leaves its field unchanged.
template <HasFields T>
void read_fields(const JsonText& text, Problems& problems, T& out)
{
    JsonType<T>::read(JsonCursor(text, problems), kAnyNumber, out);
}

template <class T>
Json write_fields(const T& value)
{
    return JsonType<T>::write(value);
}

template <HasFields T>
Json make_schema()
{
    return JsonType<T>::schema(kAnyNumber);
}

namespace detail {

/// A finite number within limits; otherwise reports a problem.
std::optional<double> read_number(const JsonCursor& at, const Limits& limits);
/// A whole number within limits and the range of int; otherwise reports a problem.
std::optional<int> read_integer(const JsonCursor& at, const Limits& limits);
/// The position of a name in a list; otherwise reports a problem.
std::optional<std::size_t> read_name(const JsonCursor& at, std::span<const std::string> names);

Json number_schema(const char* type, const Limits& limits);
/// The double that prints like the float: 0.1, not 0.10000000149.
double shortest(float value);
/// Rounds defaults to six digits, so that float and double builds make the same schema.
Json rounded(const Json& value);
/// Adds description and default to the schema of a field.
void describe(const char* doc, const char* unit, const Json& default_value, Json& schema);

/// Reads an array of exactly `count` elements with read(element, index).
template <class Read>
void read_tuple(const JsonCursor& at, std::size_t count, const char* what, Read&& read)
{
    if (!at.value().is_array() || at.size() != count) return at.report_not(what);
    for (std::size_t i = 0; i < count; ++i) read(at.item(i), i);
}

}  // namespace detail

template <>
struct JsonType<bool> {
    static void read(const JsonCursor& at, const Limits&, bool& out)
    {
        if (!at.value().is_boolean()) return at.report_not("true or false");
        out = at.value().get<bool>();
    }
    static Json write(bool value) { return value; }
    static Json schema(const Limits&) { return {{"type", "boolean"}}; }
};

template <>
struct JsonType<int> {
    static void read(const JsonCursor& at, const Limits& limits, int& out)
    {
        if (const std::optional<int> value = detail::read_integer(at, limits)) out = *value;
    }
    static Json write(int value) { return value; }
    static Json schema(const Limits& limits) { return detail::number_schema("integer", limits); }
};

template <std::floating_point T>
struct JsonType<T> {
    static void read(const JsonCursor& at, const Limits& limits, T& out)
    {
        const std::optional<double> value = detail::read_number(at, limits);
        if (!value) return;
        const T number = static_cast<T>(*value);
        if (!std::isfinite(number)) return at.report_not("a number that single precision can hold");
        if (limits.open_low && !(static_cast<double>(number) > limits.low))
            return at.report_not("a number that single precision can tell from 0");
        out = number;
    }
    static Json write(T value)
    {
        if constexpr (std::is_same_v<T, float>) return detail::shortest(value);
        return value;
    }
    static Json schema(const Limits& limits) { return detail::number_schema("number", limits); }
};

template <>
struct JsonType<std::string> {
    static void read(const JsonCursor& at, const Limits&, std::string& out)
    {
        if (!at.value().is_string()) return at.report_not("a text in double quotes");
        out = at.value().get<std::string>();
    }
    static Json write(const std::string& value) { return value; }
    static Json schema(const Limits&) { return {{"type", "string"}}; }
};

template <NamedEnum E>
struct JsonType<E> {
    static std::vector<std::string> names()
    {
        const auto list = enum_names(E{});
        return {list.begin(), list.end()};
    }
    static void read(const JsonCursor& at, const Limits&, E& out)
    {
        if (const std::optional<std::size_t> index = detail::read_name(at, names())) out = static_cast<E>(*index);
    }
    static Json write(E value) { return name_of(value); }
    static Json schema(const Limits&) { return {{"enum", names()}}; }
};

template <class S>
struct JsonType<Vector3<S>> {
    static void read(const JsonCursor& at, const Limits& limits, Vector3<S>& out)
    {
        detail::read_tuple(at, 3, "three numbers such as [0, 1, 0]", [&](const JsonCursor& item, std::size_t i) {
            JsonType<S>::read(item, limits, out[static_cast<int>(i)]);
        });
    }
    static Json write(const Vector3<S>& v)
    {
        return Json::array({JsonType<S>::write(v.x), JsonType<S>::write(v.y), JsonType<S>::write(v.z)});
    }
    static Json schema(const Limits& limits)
    {
        return {{"type", "array"}, {"items", JsonType<S>::schema(limits)}, {"minItems", 3}, {"maxItems", 3}};
    }
};

template <class T, std::size_t N>
struct JsonType<std::array<T, N>> {
    static void read(const JsonCursor& at, const Limits& limits, std::array<T, N>& out)
    {
        const std::string what = "an array of " + std::to_string(N);
        detail::read_tuple(at, N, what.c_str(),
                           [&](const JsonCursor& item, std::size_t i) { JsonType<T>::read(item, limits, out[i]); });
    }
    static Json write(const std::array<T, N>& values)
    {
        Json json = Json::array();
        for (const T& value : values) json.push_back(JsonType<T>::write(value));
        return json;
    }
    static Json schema(const Limits& limits)
    {
        return {{"type", "array"}, {"items", JsonType<T>::schema(limits)}, {"minItems", N}, {"maxItems", N}};
    }
};

template <class T>
struct JsonType<std::vector<T>> {
    static void read(const JsonCursor& at, const Limits& limits, std::vector<T>& out)
    {
        if (!at.value().is_array()) return at.report_not("an array");
        std::vector<T> values(at.size());
        for (std::size_t i = 0; i < at.size(); ++i) JsonType<T>::read(at.item(i), limits, values[i]);
        out = std::move(values);
    }
    static Json write(const std::vector<T>& values)
    {
        Json json = Json::array();
        for (const T& value : values) json.push_back(JsonType<T>::write(value));
        return json;
    }
    static Json schema(const Limits& limits) { return {{"type", "array"}, {"items", JsonType<T>::schema(limits)}}; }
};

/// A missing key means no value; there is no null.
template <class T>
struct JsonType<std::optional<T>> {
    static void read(const JsonCursor& at, const Limits& limits, std::optional<T>& out)
    {
        T value = out.value_or(T{});
        JsonType<T>::read(at, limits, value);
        out = std::move(value);
    }
    static Json write(const std::optional<T>& value) { return value ? JsonType<T>::write(*value) : Json(); }
    static Json schema(const Limits& limits) { return JsonType<T>::schema(limits); }
};

template <HasFields T>
struct JsonType<T> {
    static std::vector<std::string> names()
    {
        std::vector<std::string> list;
        for_each_field<T>([&](const auto& field) { list.push_back(field.name); });
        return list;
    }

    static void read(const JsonCursor& at, const Limits&, T& out)
    {
        if (!at.value().is_object()) return at.report_not("an object in braces");
        for (std::size_t i = 0; i < at.size(); ++i) {
            bool known = false;
            for_each_field<T>([&]<class Owner, class V>(const Field<Owner, V>& field) {
                if (at.key(i) != field.name) return;
                known = true;
                JsonType<V>::read(at.item(i), field.limits, out.*field.member);
            });
            if (!known) at.report_unknown_key(i, names());
        }
    }

    static Json write(const T& value)
    {
        Json json = Json::object();
        for_each_field<T>([&]<class Owner, class V>(const Field<Owner, V>& field) {
            Json member = JsonType<V>::write(value.*field.member);
            if (!member.is_null()) json[field.name] = std::move(member);
        });
        return json;
    }

    static Json schema(const Limits&)
    {
        const T defaults{};
        Json properties = Json::object();
        for_each_field<T>([&]<class Owner, class V>(const Field<Owner, V>& field) {
            Json property = JsonType<V>::schema(field.limits);
            detail::describe(field.doc, field.unit, JsonType<V>::write(defaults.*field.member), property);
            properties[field.name] = std::move(property);
        });
        return {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
    }
};

}  // namespace pliant
