#include "pliant/files/uri.h"

#include <cstddef>
#include <cstdint>

namespace pliant {

namespace {

/// -1 if it is not a digit.
int base64_digit(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' || c == '-' ? 62 : c == '/' || c == '_' ? 63 : -1;
}

int hexadecimal_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace

std::optional<std::string> decode_data_uri(std::string_view uri)
{
    constexpr std::string_view kMark = ";base64,";
    const std::size_t mark = uri.find(kMark);
    if (!uri.starts_with("data:") || mark == std::string_view::npos) return {};
    std::string_view digits = uri.substr(mark + kMark.size());
    while (digits.ends_with('=')) digits.remove_suffix(1);
    std::string bytes;
    std::uint32_t word = 0;
    int bits = 0;
    for (const char c : digits) {
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

std::string decode_percent(std::string_view text)
{
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? hexadecimal_digit(text[i + 1]) : -1;
        const int low = high >= 0 ? hexadecimal_digit(text[i + 2]) : -1;
        if (low >= 0) i += 2;
        decoded += low >= 0 ? static_cast<char>(high * 16 + low) : text[i];
    }
    return decoded;
}

}  // namespace pliant
