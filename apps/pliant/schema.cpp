#include "commands.h"

#include "pliant/scene/scene.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace pliant::cli {

void add_schema(CLI::App& app, Action& chosen)
{
    CLI::App& command = *app.add_subcommand("schema", "Print the JSON Schema of scene files");
    command.callback([&chosen] {
        chosen = [] {
            fmt::print("{}", scene_schema());
            return kDone;
        };
    });
}

}  // namespace pliant::cli
