#include "pliant/files/uri.h"

#include "pliant/files/base64.h"

#include <cstddef>

namespace pliant {

namespace {

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
    return decode_base64(uri.substr(mark + kMark.size()));
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
