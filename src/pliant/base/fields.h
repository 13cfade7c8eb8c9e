#pragma once
// Parameter tables. A struct of parameters lists its fields once:
//
//     struct WindParams {
//         Real speed = 0;
//         static constexpr auto fields()
//         {
//             return std::tuple{Field{"speed", &WindParams::speed, "m/s", "of the air", kNonNegative}};
//         }
//     };
//
// The scene format, its JSON Schema, `--set`, `pliant check` and the documentation are made from it.
// An enum lists its names in order through a function found by argument-dependent lookup:
//
//     constexpr auto enum_names(Limiter) { return std::array{"particle", "corrected", "cluster"}; }

#include <array>
#include <cstddef>
#include <limits>
#include <tuple>
#include <type_traits>

namespace pliant {

/// What a number may be. NaN and infinity are never allowed.
struct Limits {
    double low = -std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::max();
    bool open_low = false;  // low itself is excluded
};

inline constexpr Limits kAnyNumber{};
inline constexpr Limits kNonNegative{.low = 0};
inline constexpr Limits kPositive{.low = 0, .open_low = true};
inline constexpr Limits kUnitInterval{.low = 0, .high = 1};

template <class Owner, class T>
struct Field {
    using Value = T;

    const char* name;
    T Owner::* member;
    const char* unit;  // "1" where it has none
    const char* doc;   // one line, for the schema and the documentation
    Limits limits = kAnyNumber;
};

template <class Owner, class T>
Field(const char*, T Owner::*, const char*, const char*) -> Field<Owner, T>;
template <class Owner, class T>
Field(const char*, T Owner::*, const char*, const char*, Limits) -> Field<Owner, T>;

template <class T>
concept HasFields = requires { T::fields(); };

template <class T>
concept NamedEnum = std::is_enum_v<T> && requires(T e) { enum_names(e); };

template <HasFields T, class Visitor>
constexpr void for_each_field(Visitor&& visit)
{
    std::apply([&](const auto&... field) { (visit(field), ...); }, T::fields());
}

template <NamedEnum E>
constexpr const char* name_of(E value)
{
    return enum_names(value)[static_cast<std::size_t>(value)];
}

}  // namespace pliant
