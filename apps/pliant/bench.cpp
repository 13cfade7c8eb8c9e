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
};

/// Becomes the benchmark program, which lies beside this one.
ExitCode bench(const BenchOptions& options)
{
    std::error_code ignored;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
    const std::string program = (self.parent_path() / "pliant_bench").string();
    if (access(program.c_str(), X_OK) != 0)
        throw FileError(
            fmt::format("the benchmarks are not built: there is no {}; configure with -DPLIANT_BENCH=ON", program));

    std::vector<std::string> arguments{program};
    if (!options.filter.empty()) arguments.push_back("--benchmark_filter=" + options.filter);
    if (!options.json.empty()) {
        arguments.push_back("--benchmark_out=" + options.json);
        arguments.emplace_back("--benchmark_out_format=json");
    }
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execv(program.c_str(), pointers.data());
    throw FileError(fmt::format("cannot start {}: {}", program, std::strerror(errno)));
}

}  // namespace

void add_bench(CLI::App& app, Action& chosen)
{
    const auto options = std::make_shared<BenchOptions>();
    CLI::App& command = *app.add_subcommand("bench", "Measure the speed of kernels and whole steps");
    command.add_option("filter", options->filter, "Regular expression: which benchmarks to run");
    command.add_option("--json", options->json, "Also write the results, in Google Benchmark's format")
        ->type_name("FILE");
    command.callback([options, &chosen] { chosen = [options] { return bench(*options); }; });
}

}  // namespace pliant::cli
