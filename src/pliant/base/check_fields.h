#pragma once
// The limits of the parameter tables, enforced for whoever sets a parameter: scene files, C++ and Python alike.

#include "pliant/base/check.h"
#include "pliant/base/fields.h"

#include <array>
#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// The range that the limits allow, such as "between 0 and 1"; empty if the value is within it.
std::string broken_limit(double value, const Limits& limits);

namespace detail {

[[noreturn]] void fail_limit(const std::string& key, double value, const std::string& wanted);

template <class T>
void check_value(const T& value, const Limits& limits, const std::string& key);

/// Types with three numeric components, such as Vector3.
template <class T>
concept ThreeNumbers = requires(const T& v) {
    { v.x } -> std::convertible_to<double>;
    { v.y } -> std::convertible_to<double>;
    { v.z } -> std::convertible_to<double>;
};

template <class T>
struct IsList : std::false_type {};
template <class T>
struct IsList<std::vector<T>> : std::true_type {};
template <class T, std::size_t N>
struct IsList<std::array<T, N>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

template <HasFields T>
void check_all(const T& params, const std::string& prefix)
{
    for_each_field<T>([&](const auto& field) { check_value(params.*field.member, field.limits, prefix + field.name); });
}

template <class T>
void check_value(const T& value, const Limits& limits, const std::string& key)
{
    if constexpr (std::is_same_v<T, bool>) {
        return;
    } else if constexpr (requires { enum_names(value); }) {
        if (static_cast<std::size_t>(value) >= enum_names(value).size())
            fail_limit(key, static_cast<double>(value), "one of its names");
    } else if constexpr (std::is_arithmetic_v<T>) {
        const auto number = static_cast<double>(value);
        if (const std::string wanted = broken_limit(number, limits); !wanted.empty()) fail_limit(key, number, wanted);
    } else if constexpr (IsOptional<T>::value) {
        if (value) check_value(*value, limits, key);
    } else if constexpr (IsList<T>::value) {
        for (std::size_t i = 0; i < value.size(); ++i)
            check_value(value[i], limits, key + "[" + std::to_string(i) + "]");
    } else if constexpr (ThreeNumbers<T>) {
        check_value(value.x, limits, key + "[0]");
        check_value(value.y, limits, key + "[1]");
        check_value(value.z, limits, key + "[2]");
    } else if constexpr (HasFields<T>) {
        check_all(value, key + ".");
    }
}

}  // namespace detail

/// Throws InputError that names the parameter, its value and what is allowed; `what` stands in front, such as
/// `solid "bunny"`.
template <HasFields T>
void check_fields(const T& params, const std::string& what)
{
    detail::check_all(params, what.empty() ? "" : what + ": ");
}

}  // namespace pliant
