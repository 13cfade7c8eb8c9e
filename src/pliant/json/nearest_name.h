#pragma once
// Which known name was probably meant by an unknown one.

#include <span>
#include <string>
#include <string_view>

namespace pliant {

/// Insertions, deletions, replacements and swaps of neighbours that turn a into b (optimal string alignment).
int edit_distance(std::string_view a, std::string_view b);

/// The known name nearest to `name`, or an empty string when none is near.
std::string nearest_name(std::string_view name, std::span<const std::string> known);

/// `a, b, c`
std::string join_names(std::span<const std::string> names, std::string_view separator = ", ");

/// The end of a message about an unknown name: `; did you mean "gamma"?`, or the list of the known ones.
std::string suggest_name(std::string_view name, std::span<const std::string> known);

}  // namespace pliant
