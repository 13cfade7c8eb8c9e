#pragma once
// Where the built page and player are: in the folder that PLIANT_WEB names, beside an installed program
// (../share/pliant/web), or in the tree that the program was built in.

#include <string>

namespace pliant {

/// The folder with `player.html` and `page/`; a path that may not exist, where `make page` would put it, if there is none.
std::string find_web_folder();

/// What goes before the data of a run in a page that plays it, and what goes after. Throws FileError with the remedy.
struct PlayerTemplate {
    std::string before, after;
};
PlayerTemplate read_player_template();

}  // namespace pliant
