#pragma once
// Any value that has members (snapshot/members.h) as bytes with a header: see snapshot/snapshot.h.

#include "pliant/snapshot/layout.h"
#include "pliant/snapshot/members.h"

#include <string>
#include <string_view>

namespace pliant {

inline constexpr int kSealVersion = 1;

namespace detail {
/// The bytes with a header in front.
std::string seal(const std::string& bytes, std::string_view layout);
/// The bytes after the header. Throws InputError, beginning with `source`, that says why they cannot be used.
std::string_view unseal(std::string_view sealed, std::string_view layout, const std::string& source);
[[noreturn]] void fail_damaged(const std::string& source);
}  // namespace detail

template <class T>
std::string write_sealed(const T& value)
{
    ByteWriter writer;
    writer.put(value);
    return detail::seal(writer.take(), layout_of<T>());
}

/// Throws InputError, beginning with `source`: it is something else, of another version or precision, or damaged.
template <class T>
T read_sealed(std::string_view bytes, const std::string& source)
{
    T value;
    try {
        ByteReader reader(detail::unseal(bytes, layout_of<T>(), source));
        reader.get(value);
        if (!reader.at_end()) throw DamagedBytes();
    } catch (const DamagedBytes&) {
        detail::fail_damaged(source);
    }
    return value;
}

}  // namespace pliant
