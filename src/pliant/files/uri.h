#pragma once
// The two kinds of URI that glTF uses for buffers.

#include <optional>
#include <string>
#include <string_view>

namespace pliant {

/// The bytes of `data:...;base64,...`; none if it is not that.
std::optional<std::string> decode_data_uri(std::string_view uri);

/// `a%20b` becomes `a b`.
std::string decode_percent(std::string_view text);

}  // namespace pliant
