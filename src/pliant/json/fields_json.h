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

/// A field of a struct with the functions of its type: what follows is compiled once, and not for every field.
struct AnyField {
    const char *name, *doc, *unit;
    Limits limits;
    void* member;
    void (*read)(const JsonCursor& at, const Limits& limits, void* out);
    Json (*write)(const void* value);
    Json (*schema)(const Limits& limits);
};

/// One more; out of line, since it is called for every field of every table.
void add_field(const AnyField& field, std::vector<AnyField>& list);

/// The fields of an object. Those that no key names stay unchanged.
void read_object(const JsonCursor& at, std::span<const AnyField> fields);
Json write_object(std::span<const AnyField> fields);
/// The members hold the defaults.
Json object_schema(std::span<const AnyField> fields);
/// Of at least and at most that many items.
Json array_schema(Json items, std::optional<std::size_t> count);

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
    static Json schema(const Limits& limits) { return detail::array_schema(JsonType<S>::schema(limits), 3); }
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
    static Json schema(const Limits& limits) { return detail::array_schema(JsonType<T>::schema(limits), N); }
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
    static Json schema(const Limits& limits) { return detail::array_schema(JsonType<T>::schema(limits), {}); }
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

namespace detail {

template <class V>
void read_any(const JsonCursor& at, const Limits& limits, void* out)
{
    JsonType<V>::read(at, limits, *static_cast<V*>(out));
}
template <class V>
Json write_any(const void* value)
{
    return JsonType<V>::write(*static_cast<const V*>(value));
}

template <HasFields T>
std::vector<AnyField> fields_of(T& value)
{
    std::vector<AnyField> list;
    for_each_field<T>([&]<class Owner, class V>(const Field<Owner, V>& field) {
        add_field({field.name, field.doc, field.unit, field.limits, &(value.*field.member), read_any<V>, write_any<V>,
                   JsonType<V>::schema},
                  list);
    });
    return list;
}

}  // namespace detail

template <HasFields T>
struct JsonType<T> {
    static void read(const JsonCursor& at, const Limits&, T& out) { detail::read_object(at, detail::fields_of(out)); }
    static Json write(const T& value) { return detail::write_object(detail::fields_of(const_cast<T&>(value))); }
    static Json schema(const Limits&)
    {
        T defaults{};
        return detail::object_schema(detail::fields_of(defaults));
    }
};

}  // namespace pliant
