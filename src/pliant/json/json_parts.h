#pragma once
// What parsing and walking of JSON share.

#include "pliant/json/json_text.h"

#include <string>
#include <string_view>

namespace pliant::detail {

using Members = Json::object_t::Container;

/// The members of an object by position, which nlohmann's own interface does not give.
inline const Members& members_of(const Json& object) { return object.get_ref<const Json::object_t&>(); }
inline Members& members_of(Json& object) { return object.get_ref<Json::object_t&>(); }

/// At most `most` characters, with everything but printable ASCII replaced.
std::string printable(std::string_view text, std::size_t most);

}  // namespace pliant::detail
