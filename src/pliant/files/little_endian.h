#pragma once
// Numbers in binary files.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string_view>

namespace pliant {

/// The number whose bytes begin at `at`, lowest first. That many bytes must be there.
template <class T>
T take_little_endian(std::string_view bytes, std::size_t at)
{
    std::array<char, sizeof(T)> raw{};
    std::copy_n(bytes.data() + at, sizeof(T), raw.data());
    if constexpr (std::endian::native == std::endian::big) std::reverse(raw.begin(), raw.end());
    return std::bit_cast<T>(raw);
}

}  // namespace pliant
