#include "pliant/json/fields_json.h"

#include "pliant/base/check_fields.h"
#include "pliant/json/nearest_name.h"

#include <fmt/format.h>

#include <cstdlib>
#include <limits>

namespace pliant::detail {

namespace {

constexpr bool has_low(const Limits& limits) { return limits.low > kAnyNumber.low; }
constexpr bool has_high(const Limits& limits) { return limits.high < kAnyNumber.high; }

double printed_as(const std::string& digits) { return std::strtod(digits.c_str(), nullptr); }

}  // namespace

std::optional<double> read_number(const JsonCursor& at, const Limits& limits)
{
    if (!at.value().is_number()) {
        at.report_not("a number");
        return {};
    }
    const double value = at.value().get<double>();
    if (const std::string broken = broken_limit(value, limits); !broken.empty()) {
        at.report_not(broken);
        return {};
    }
    return value;
}

std::optional<int> read_integer(const JsonCursor& at, const Limits& limits)
{
    if (!at.value().is_number() || at.value().get<double>() != std::floor(at.value().get<double>())) {
        at.report_not("a whole number");
        return {};
    }
    constexpr Limits kInt{.low = std::numeric_limits<int>::min(), .high = std::numeric_limits<int>::max()};
    const std::optional<double> value = read_number(at, limits);
    if (!value || !read_number(at, kInt)) return {};
    return static_cast<int>(*value);
}

std::optional<std::size_t> read_name(const JsonCursor& at, std::span<const std::string> names)
{
    if (at.value().is_string()) {
        const std::string& given = at.value().get_ref<const std::string&>();
        for (std::size_t i = 0; i < names.size(); ++i)
            if (names[i] == given) return i;
        if (const std::string nearest = nearest_name(given, names); !nearest.empty()) {
            at.report(fmt::format("unknown name {}; did you mean \"{}\"?", brief(at.value()), nearest));
            return {};
        }
    }
    at.report_not(fmt::format("one of \"{}\"", join_names(names, "\", \"")));
    return {};
}

Json number_schema(const char* type, const Limits& limits)
{
    // Whole numbers print as such: 1 rather than 1.0.
    const auto number = [](double value) {
        const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
        return whole ? Json(static_cast<long long>(value)) : Json(value);
    };
    Json schema = {{"type", type}};
    if (has_low(limits)) schema[limits.open_low ? "exclusiveMinimum" : "minimum"] = number(limits.low);
    if (has_high(limits)) schema["maximum"] = number(limits.high);
    return schema;
}

double shortest(float value) { return printed_as(fmt::format("{}", value)); }

Json rounded(const Json& value)
{
    if (value.is_number_float()) return printed_as(fmt::format("{:.6g}", value.get<double>()));
    if (!value.is_array()) return value;
    Json list = Json::array();
    for (const Json& item : value) list.push_back(rounded(item));
    return list;
}

void describe(const char* doc, const char* unit, const Json& default_value, Json& schema)
{
    const std::string_view u = unit;
    schema["description"] = u.empty() || u == "1" ? std::string(doc) : fmt::format("{} [{}]", doc, u);
    // An object shows the defaults of its own properties; an empty text or list is no information.
    const bool telling = default_value.is_number() || default_value.is_boolean() ||
                         (default_value.is_string() && !default_value.get_ref<const std::string&>().empty()) ||
                         (default_value.is_array() && !default_value.empty() && !default_value[0].is_object());
    if (telling) schema["default"] = rounded(default_value);
}

void add_field(const AnyField& field, std::vector<AnyField>& list) { list.push_back(field); }

void read_object(const JsonCursor& at, std::span<const AnyField> fields)
{
    if (!at.value().is_object()) return at.report_not("an object in braces");
    for (std::size_t i = 0; i < at.size(); ++i) {
        bool known = false;
        for (const AnyField& field : fields) {
            if (at.key(i) != field.name) continue;
            known = true;
            field.read(at.item(i), field.limits, field.member);
        }
        if (known) continue;
        std::vector<std::string> names;
        for (const AnyField& field : fields) names.emplace_back(field.name);
        at.report_unknown_key(i, names);
    }
}

Json write_object(std::span<const AnyField> fields)
{
    Json json = Json::object();
    for (const AnyField& field : fields) {
        Json member = field.write(field.member);
        if (!member.is_null()) json[field.name] = std::move(member);
    }
    return json;
}

Json object_schema(std::span<const AnyField> fields)
{
    Json properties = Json::object();
    for (const AnyField& field : fields) {
        Json property = field.schema(field.limits);
        describe(field.doc, field.unit, field.write(field.member), property);
        properties[field.name] = std::move(property);
    }
    return {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

Json array_schema(Json items, std::optional<std::size_t> count)
{
    Json schema{{"type", "array"}, {"items", std::move(items)}};
    if (!count) return schema;
    schema["minItems"] = *count;
    schema["maxItems"] = *count;
    return schema;
}

}  // namespace pliant::detail
