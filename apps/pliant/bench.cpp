#include "commands.h"

#include "pliant/base/check.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace pliant::cli {

namespace {

struct BenchOptions {
    std::string filter;
    std::string json;
    bool physics = false;
};

/// Replaces this process by a program in the same folder (exec).
[[noreturn]] void become(const char* name, std::vector<std::string> arguments)
{
    std::error_code ignored;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
    std::string program = (self.parent_path() / name).string();
    if (access(program.c_str(), X_OK) != 0)
        throw FileError(
            fmt::format("the benchmarks are not built: there is no {}; configure with -DPLIANT_BENCH=ON", program));

    std::vector<char*> pointers{program.data()};
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execv(program.c_str(), pointers.data());
    throw FileError(fmt::format("cannot start {}: {}", program, std::strerror(errno)));
}

ExitCode bench(const BenchOptions& options)
{
    if (options.physics) become("pliant_physics", {options.filter});
    std::vector<std::string> arguments;
    if (!options.filter.empty()) arguments.push_back("--benchmark_filter=" + options.filter);
    if (!options.json.empty()) {
        arguments.push_back("--benchmark_out=" + options.json);
        arguments.emplace_back("--benchmark_out_format=json");
    }
    become("pliant_bench", std::move(arguments));
}

}  // namespace

void add_bench(CLI::App& app, Action& chosen)
{
    const auto options = std::make_shared<BenchOptions>();
    CLI::App& command =
        *app.add_subcommand("bench", "Measure the speed of kernels and whole steps, or how right their physics is");
    command.add_option("filter", options->filter, "Regular expression: which benchmarks, or checks of physics, to run");
    CLI::Option* json =
        command.add_option("--json", options->json, "Also write the results, in Google Benchmark's format");
    json->type_name("FILE");
    command
        .add_flag("--physics", options->physics,
                  "Instead of speed: a table of figures against closed forms, and exit code 6 if one is off")
        ->excludes(json);
    command.callback([options, &chosen] { chosen = [options] { return bench(*options); }; });
}

}  // namespace pliant::cli
