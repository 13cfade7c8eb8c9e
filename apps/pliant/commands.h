#pragma once
// The commands of the program: each adds its arguments and says what to do once it is chosen.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace pliant::cli {

enum ExitCode {
    kDone = 0,
    kBroken = 1,  // a fault of our own, or no memory
    kWrongUsage = 2,
    kBadInput = 3,
    kNonFinite = 4,
    kFileTrouble = 5,
    kExpectNotMet = 6,
};

using Action = std::function<ExitCode()>;

void add_run(CLI::App& app, Action& chosen);
void add_replay(CLI::App& app, Action& chosen);
void add_view(CLI::App& app, Action& chosen);
void add_check(CLI::App& app, Action& chosen);
void add_scenes(CLI::App& app, Action& chosen);
void add_bench(CLI::App& app, Action& chosen);
void add_schema(CLI::App& app, Action& chosen);

/// Adds `--set key.path=value`, which may be repeated.
void add_set_option(CLI::App& command, std::vector<std::string>& sets);

/// `pliant: error: ...` on standard error, for every line of the text.
void print_error(std::string_view text);
void print_warning(std::string_view text);

}  // namespace pliant::cli
