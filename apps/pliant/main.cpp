#include "commands.h"

#include "pliant/base/check.h"
#include "pliant/json/nearest_name.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <new>

namespace pliant::cli {

namespace {

void print_lines(std::string_view kind, std::string_view text)
{
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        fmt::print(stderr, "pliant: {}: {}\n", kind, line);
    }
}

ExitCode run_safely(const Action& action)
{
    try {
        return action();
    } catch (const InputError& error) {
        print_error(error.what());
        return kBadInput;
    } catch (const FileError& error) {
        print_error(error.what());
        return kFileTrouble;
    } catch (const std::bad_alloc&) {
        print_error("out of memory; use fewer particles");
        return kBroken;
    } catch (const std::exception& error) {
        print_error(fmt::format("unexpected: {}", error.what()));
        return kBroken;
    }
}

/// An error for a first argument that is no command; empty if it is one, an option or missing.
std::string find_unknown_command(const CLI::App& app, int argc, char** argv)
{
    if (argc < 2 || *argv[1] == '-' || *argv[1] == '\0') return {};
    const std::string given = argv[1];
    std::vector<std::string> known;
    for (const CLI::App* command : app.get_subcommands({})) known.push_back(command->get_name());
    if (std::ranges::find(known, given) != known.end()) return {};
    return fmt::format("unknown command \"{}\"{}", given, suggest_name(given, known));
}

ExitCode fail_usage(std::string_view text)
{
    print_error(text);
    fmt::print(stderr, "`pliant --help` and `pliant COMMAND --help` say what is known.\n");
    return kWrongUsage;
}

ExitCode parse_and_run(int argc, char** argv)
{
    CLI::App app{"Pliant: things that bend, and what holds them together.", "pliant"};
    app.set_version_flag("--version", "pliant " PLIANT_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 done, 2 wrong usage, 3 bad input, 4 the simulation became non-finite,\n"
        "5 a file could not be read or written, 6 an `expect` of the scene was not met, a figure\n"
        "of `bench --physics` is off or a frame of `replay` differs.");
    Action chosen;
    add_run(app, chosen);
    add_replay(app, chosen);
    add_view(app, chosen);
    add_check(app, chosen);
    add_scenes(app, chosen);
    add_bench(app, chosen);
    add_schema(app, chosen);
    if (const std::string unknown = find_unknown_command(app, argc, argv); !unknown.empty()) return fail_usage(unknown);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& help) {
        app.exit(help);
        return kDone;
    } catch (const CLI::ParseError& error) {
        return fail_usage(error.what());
    }
    return run_safely(chosen);
}

}  // namespace

void print_error(std::string_view text) { print_lines("error", text); }

void print_warning(std::string_view text) { print_lines("warning", text); }

void add_set_option(CLI::App& command, std::vector<std::string>& sets)
{
    const auto has_key = [](const std::string& edit) -> std::string {
        const std::size_t equals = edit.find('=');
        return equals == std::string::npos || equals == 0 ? "must be like solids.0.gamma=0.2" : "";
    };
    command.add_option("--set", sets, "Change a value of the scene, such as solids.bunny.gamma=0.2; may be repeated")
        ->type_name("KEY.PATH=VALUE")
        ->check(has_key)
        ->allow_extra_args(false);
}

}  // namespace pliant::cli

int main(int argc, char** argv)
{
    // Ignored, so that a limit on file sizes is a reported error of the write and does not end the process.
    std::signal(SIGXFSZ, SIG_IGN);
    return pliant::cli::parse_and_run(argc, argv);
}
