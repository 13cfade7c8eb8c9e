#pragma once
// Numbers as bytes of files.

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace pliant {

template <class T>
void append_number(T number, std::endian order, std::string& bytes)
{
    auto raw = std::bit_cast<std::array<char, sizeof(T)>>(number);
    if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
    bytes.append(raw.data(), raw.size());
}
template <class T>
void append_little(T number, std::string& bytes)
{
    append_number(number, std::endian::little, bytes);
}

}  // namespace pliant
