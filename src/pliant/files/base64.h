#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace pliant {

/// Bytes as text of 64 characters, with = at the end (RFC 4648).
std::string encode_base64(std::string_view bytes);
/// None for what is no base64.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace pliant
