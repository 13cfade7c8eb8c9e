#include "pliant/files/base64.h"

#include <cstddef>
#include <cstdint>

namespace pliant {

namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// -1 for what is no digit.
int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

}  // namespace

std::string encode_base64(std::string_view bytes)
{
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto byte = [&](std::size_t k) {
            return k < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[k])) : 0U;
        };
        const std::uint32_t word = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
        for (int shift = 18; shift >= 0; shift -= 6) text += kDigits[word >> shift & 63];
    }
    for (std::size_t k = 0; k < (3 - bytes.size() % 3) % 3; ++k) text[text.size() - 1 - k] = '=';
    return text;
}

std::optional<std::string> decode_base64(std::string_view text)
{
    while (text.ends_with('=')) text.remove_suffix(1);
    std::string bytes;
    std::uint32_t word = 0;
    int bits = 0;
    for (const char c : text) {
        const int digit = base64_digit(c);
        if (digit < 0) return {};
        word = word << 6 | static_cast<std::uint32_t>(digit);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        bytes += static_cast<char>(word >> bits & 0xff);
    }
    return bytes;
}

}  // namespace pliant
