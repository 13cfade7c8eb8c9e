#include "commands.h"

#include "pliant/base/check.h"
#include "pliant/json/nearest_name.h"
#include "pliant/scene/scene.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace pliant::cli {

namespace {

ExitCode list_scenes()
{
    const std::vector<BuiltinScene> scenes = builtin_scenes();
    std::size_t width = 0;
    for (const BuiltinScene& scene : scenes) width = std::max(width, scene.name.size());
    for (const BuiltinScene& scene : scenes) fmt::print("{:<{}}  {}\n", scene.name, width, scene.about);
    return kDone;
}

ExitCode print_scene(const std::string& name)
{
    std::vector<std::string> names;
    for (const BuiltinScene& scene : builtin_scenes()) {
        names.push_back(scene.name);
        if (scene.name != name) continue;
        fmt::print("{}", scene.text);
        return kDone;
    }
    throw InputError(fmt::format("no built-in scene is named \"{}\"{}", name, suggest_name(name, names)));
}

}  // namespace

void add_scenes(CLI::App& app, Action& chosen)
{
    const auto name = std::make_shared<std::string>();
    CLI::App& command = *app.add_subcommand("scenes", "List the built-in scenes, or print the file of one");
    command.add_option("name", *name, "Scene to print");
    command.callback(
        [name, &chosen] { chosen = [name] { return name->empty() ? list_scenes() : print_scene(*name); }; });
}

}  // namespace pliant::cli
