#include "pliant/files/web_files.h"

#include "pliant/base/check.h"
#include "pliant/files/paths.h"
#include "pliant/json/json_text.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string_view>

namespace pliant {

namespace {

constexpr std::string_view kPlaceOfData = "@PLIANT_DATA@";

}  // namespace

std::string find_web_folder()
{
    if (const char* named = std::getenv("PLIANT_WEB"); named != nullptr && *named != '\0') return named;
    const std::string program = program_folder();
    const std::string installed = join_paths(program, "../share/pliant/web");
    return path_exists(installed) ? installed : join_paths(program, "../../../web/page/dist");
}

PlayerTemplate read_player_template()
{
    const std::string path = join_paths(find_web_folder(), "player.html");
    if (!path_exists(path))
        throw FileError(
            fmt::format("a page that plays needs the player, and there is no '{}'; `make player` builds it, or "
                        "name the folder that has player.html in the environment as PLIANT_WEB",
                        path));
    std::string text = read_text_file(path);
    const std::size_t at = text.find(kPlaceOfData);
    if (at == std::string::npos)
        throw FileError(fmt::format("'{}' is no player: it has no place for data; `make player` builds it anew", path));
    return {text.substr(0, at), text.substr(at + kPlaceOfData.size())};
}

}  // namespace pliant
