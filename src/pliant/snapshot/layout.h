#pragma once
// What the bytes of a value mean, in words: the names and types of all its members, down to the numbers. Two builds whose
// descriptions are equal can read each other's snapshots.

#include "pliant/snapshot/bytes.h"

#include <string>

namespace pliant {

namespace detail {

template <class T>
struct LayoutOf;

template <class T>
void add_layout(std::string& text)
{
    LayoutOf<T>::add(text);
    text += ' ';
}

template <class... T>
void add_layouts(const std::tuple<T&...>*, std::string& text)
{
    (add_layout<std::remove_const_t<T>>(text), ...);
}

template <Number T>
struct LayoutOf<T> {
    static void add(std::string& text)
    {
        text += std::is_floating_point_v<T> ? 'f' : std::is_same_v<T, bool> ? 'b' : 'i';
        text += std::to_string(sizeof(T));
    }
};
template <class T>
    requires(Numbers<T> && !Number<T>)
struct LayoutOf<T> {
    static void add(std::string& text)
    {
        using Kind = typename NumbersOf<T>::Kind;
        LayoutOf<Kind>::add(text);
        text += 'x' + std::to_string(sizeof(T) / sizeof(Kind));
    }
};
template <class T>
    requires std::is_enum_v<T>
struct LayoutOf<T> {
    static void add(std::string& text)
    {
        text += "enum";
        if constexpr (NamedEnum<T>)
            for (const char* name : enum_names(T{})) text += std::string("|") + name;
    }
};
template <>
struct LayoutOf<std::string> {
    static void add(std::string& text) { text += "text"; }
};
template <>
struct LayoutOf<Revision> {
    static void add(std::string&) {}
};
template <class Kind>
struct LayoutOf<Id<Kind>> {
    static void add(std::string& text) { text += "id"; }
};

/// Of a type around others: its kind and what is inside.
template <class... Inner>
struct LayoutAround {
    static void add(const char* kind, std::string& text)
    {
        text += kind;
        text += '<';
        (add_layout<Inner>(text), ...);
        text += '>';
    }
};
#define PLIANT_LAYOUT_AROUND(kind, Outer)                                                             \
    template <class T>                                                                                \
    struct LayoutOf<Outer<T>> {                                                                       \
        static void add(std::string& text) { LayoutAround<std::remove_const_t<T>>::add(kind, text); } \
    };
PLIANT_LAYOUT_AROUND("list", std::vector)
PLIANT_LAYOUT_AROUND("optional", std::optional)
PLIANT_LAYOUT_AROUND("shared", std::shared_ptr)
PLIANT_LAYOUT_AROUND("", Guarded)
PLIANT_LAYOUT_AROUND("bodies", BodyList)
#undef PLIANT_LAYOUT_AROUND

template <class T, std::size_t N>
    requires(!Numbers<std::array<T, N>>)
struct LayoutOf<std::array<T, N>> {
    static void add(std::string& text) { LayoutAround<T>::add(std::to_string(N).c_str(), text); }
};
template <class K, class T>
struct LayoutOf<std::map<K, T>> {
    static void add(std::string& text) { LayoutAround<K, T>::add("map", text); }
};
template <class... T>
struct LayoutOf<std::variant<T...>> {
    static void add(std::string& text) { LayoutAround<T...>::add("one of", text); }
};
template <class T>
    requires requires(const T& object) { members_of(object); }
struct LayoutOf<T> {
    static void add(std::string& text)
    {
        text += names_of_members(static_cast<const T*>(nullptr));
        text += '{';
        add_layouts(static_cast<const decltype(members_of(std::declval<T&>()))*>(nullptr), text);
        text += '}';
    }
};
template <HasFields T>
    requires(!requires(const T& object) { members_of(object); })
struct LayoutOf<T> {
    static void add(std::string& text)
    {
        text += '{';
        for_each_field<T>([&](const auto& field) {
            text += std::string(field.name) + ' ';
            add_layout<typename std::decay_t<decltype(field)>::Value>(text);
        });
        text += '}';
    }
};

}  // namespace detail

template <class T>
std::string layout_of()
{
    std::string text;
    detail::add_layout<T>(text);
    return text;
}

}  // namespace pliant
