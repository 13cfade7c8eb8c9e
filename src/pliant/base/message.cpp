#include "pliant/base/message.h"

#include "pliant/base/check.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace pliant {

namespace {

template <class T>
std::to_chars_result write_shortest(char* begin, char* end, T value)
{
    const T size = std::abs(value);
    const bool plain = size == 0 || (size >= T(1e-4) && size < T(1e16));
    return plain ? std::to_chars(begin, end, value, std::chars_format::fixed) : std::to_chars(begin, end, value);
}

}  // namespace

void MessageValue::append_to(std::string& out, int digits) const
{
    char buffer[64];
    const auto append = [&](std::to_chars_result end) { out.append(buffer, end.ptr); };
    if (kind_ == Kind::text) {
        out += text_;
    } else if (kind_ == Kind::letter) {
        out += static_cast<char>(integer_);
    } else if (kind_ == Kind::integer) {
        append(std::to_chars(buffer, buffer + sizeof buffer, integer_));
    } else if (digits > 0) {
        out.append(buffer, static_cast<std::size_t>(std::snprintf(buffer, sizeof buffer, "%.*g", digits, number_)));
    } else if (kind_ == Kind::single) {
        append(write_shortest(buffer, buffer + sizeof buffer, static_cast<float>(number_)));
    } else {
        append(write_shortest(buffer, buffer + sizeof buffer, number_));
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
