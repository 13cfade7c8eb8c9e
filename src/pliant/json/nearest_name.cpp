#include "pliant/json/nearest_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace pliant {

int edit_distance(std::string_view a, std::string_view b)
{
    const std::size_t width = b.size() + 1;
    std::vector<int> before_last(width), last(width), row(width);
    for (std::size_t j = 0; j < width; ++j) last[j] = static_cast<int>(j);

    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j < width; ++j) {
            const int replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
        }
        before_last.swap(last);
        last.swap(row);
    }
    return last.back();
}

std::string nearest_name(std::string_view name, std::span<const std::string> known)
{
    // Up to a third of the letters may be wrong; beyond that a suggestion would be a mere guess.
    constexpr std::size_t kLongestName = 100;
    if (name.empty() || name.size() > kLongestName) return {};
    int best = std::max(1, static_cast<int>(name.size()) / 3) + 1;
    std::string nearest;
    for (const std::string& candidate : known) {
        const int distance = edit_distance(name, candidate);
        if (distance >= best) continue;
        best = distance;
        nearest = candidate;
    }
    return nearest;
}

std::string join_names(std::span<const std::string> names, std::string_view separator)
{
    std::string text;
    for (const std::string& name : names) {
        if (&name != names.data()) text += separator;
        text += name;
    }
    return text;
}

std::string suggest_name(std::string_view name, std::span<const std::string> known)
{
    const std::string nearest = nearest_name(name, known);
    if (!nearest.empty()) return fmt::format("; did you mean \"{}\"?", nearest);
    if (known.empty()) return "; there is none";

    constexpr std::size_t kMaxLength = 40;
    const std::span<const std::string> shown = known.first(std::min(known.size(), kMaxLength));
    return fmt::format("; known are {}{}", join_names(shown), known.size() > kMaxLength ? ", ..." : "");
}

}  // namespace pliant
