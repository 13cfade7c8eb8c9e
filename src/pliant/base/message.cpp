#include "pliant/base/message.h"

#include "pliant/base/check.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace pliant {

namespace {

/// Whether a number is written without an exponent.
template <class T>
bool is_plain(T value)
{
    const T size = std::abs(value);
    return size == 0 || (size >= T(1e-4) && size < T(1e16));
}

#ifdef __wasm__
/// The fewest digits that read back as the same number. The library's own function brings tables of 100 kB along.
template <class T>
void append_shortest(T value, std::string& out)
{
    char text[64];
    int digits = 0;
    do std::snprintf(text, sizeof text, "%.*e", digits, static_cast<double>(value));
    while (std::isfinite(value) && static_cast<T>(std::strtod(text, nullptr)) != value && ++digits < 17);
    const char* exponent = std::strchr(text, 'e');
    if (exponent != nullptr && is_plain(value))
        std::snprintf(text, sizeof text, "%.*f", std::max(0, digits - std::atoi(exponent + 1)),
                      static_cast<double>(value));
    out += text;
}
#else
template <class T>
void append_shortest(T value, std::string& out)
{
    char text[64];
    char* const end = text + sizeof text;
    const auto written =
        is_plain(value) ? std::to_chars(text, end, value, std::chars_format::fixed) : std::to_chars(text, end, value);
    out.append(text, written.ptr);
}
#endif

}  // namespace

void MessageValue::append_to(std::string& out, int digits) const
{
    char buffer[64];
    if (kind_ == Kind::text) {
        out += text_;
    } else if (kind_ == Kind::letter) {
        out += static_cast<char>(integer_);
    } else if (kind_ == Kind::integer) {
        out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, integer_).ptr);
    } else if (digits > 0) {
        out.append(buffer, static_cast<std::size_t>(std::snprintf(buffer, sizeof buffer, "%.*g", digits, number_)));
    } else if (kind_ == Kind::single) {
        append_shortest(static_cast<float>(number_), out);
    } else {
        append_shortest(number_, out);
    }
}

std::string detail::fill_in(std::string_view pattern, const MessageValue* values, int count)
{
    std::string out;
    int next = 0;
    for (std::size_t at = 0; at < pattern.size();) {
        const std::size_t open = pattern.find('{', at);
        out += pattern.substr(at, open - at);
        if (open == std::string_view::npos) break;
        const std::size_t close = pattern.find('}', open);
        PLIANT_ASSERT(close != std::string_view::npos && next < count);
        const std::string_view inside = pattern.substr(open + 1, close - open - 1);  // "" or ":.3g"
        PLIANT_ASSERT(inside.empty() || (inside.size() == 4 && inside.starts_with(":.") && inside.ends_with('g')));
        if (next < count) values[next++].append_to(out, inside.empty() ? 0 : inside[2] - '0');
        at = close + 1;
    }
    PLIANT_ASSERT(next == count);
    return out;
}

}  // namespace pliant
