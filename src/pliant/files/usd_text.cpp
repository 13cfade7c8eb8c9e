#include "pliant/files/usd_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace pliant {

std::string usd_name(const std::string& name, std::set<std::string>& taken)
{
    std::string safe;
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) safe += '_';
    for (const char c : name) {
        const bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        safe += fine ? c : '_';
    }
    std::string unique = safe;
    for (int i = 2; !taken.insert(unique).second; ++i) unique = fmt::format("{}_{}", safe, i);
    return unique;
}

std::string usd_list(const std::vector<Float3>& list)
{
    fmt::memory_buffer text;
    text.push_back('[');
    for (std::size_t i = 0; i < list.size(); ++i)
        fmt::format_to(std::back_inserter(text), "{}({}, {}, {})", i == 0 ? "" : ", ", list[i].x, list[i].y, list[i].z);
    text.push_back(']');
    return {text.data(), text.size()};
}

std::string usd_list(const std::vector<int>& list) { return fmt::format("[{}]", fmt::join(list, ", ")); }

std::vector<Float3> usd_extent(const std::vector<Float3>& points, float radius)
{
    if (points.empty()) return {{}, {}};
    Float3 low = points[0], high = low;
    for (const Float3& p : points)
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], p[i]);
            high[i] = std::max(high[i], p[i]);
        }
    const Float3 thick{radius, radius, radius};
    return {low - thick, high + thick};
}

Float3 usd_colour(std::uint32_t srgb)
{
    const auto light = [srgb](int shift) {
        const double c = ((srgb >> shift) & 0xffU) / 255.0;
        const double linear = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
        return static_cast<float>(std::round(1e4 * linear) / 1e4);
    };
    return {light(16), light(8), light(0)};
}

}  // namespace pliant
