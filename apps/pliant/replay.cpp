#include "commands.h"
#include "progress.h"

#include "pliant/base/parallel.h"
#include "pliant/json/json_text.h"
#include "pliant/session/replay.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <memory>
#include <optional>

namespace pliant::cli {

namespace {

struct ReplayOptions {
    std::string recording;
    int threads = 0;
    bool quiet = false;
};

/// Stops at the first frame that differs: all that follow differ as well.
ExitCode replay(const ReplayOptions& options)
{
    set_threads(options.threads);
    Replay replay(read_recording(read_text_file(options.recording), options.recording));
    Progress progress(replay.frames(), options.quiet ? ProgressStyle::none : usual_style());
    while (replay.difference() < 0) {
        const std::optional<Replay::Result> result = replay.step();
        if (!result) break;
        progress.show(result->frame);
    }
    progress.clear();
    if (replay.difference() >= 0) {
        print_error(fmt::format("{}: frame {} is the first of {} that differs", options.recording, replay.difference(),
                                replay.frames()));
        return kExpectNotMet;
    }
    if (!options.quiet) fmt::print("{}: all {} frames are equal\n", options.recording, replay.frames());
    return kDone;
}

}  // namespace

void add_replay(CLI::App& app, Action& chosen)
{
    const auto options = std::make_shared<ReplayOptions>();
    CLI::App& command = *app.add_subcommand("replay", "Run a recording again and compare every frame with it");
    command.add_option("recording", options->recording, "File of `pliant run --record`, or one that the page saved")
        ->required();
    command
        .add_option("--threads", options->threads, "Threads to use; 0, the default, is PLIANT_THREADS or one a core")
        ->type_name("N")
        ->check(CLI::Range(0, 1024));
    command.add_flag("-q,--quiet", options->quiet, "Say nothing but errors");
    command.callback([options, &chosen] { chosen = [options] { return replay(*options); }; });
}

}  // namespace pliant::cli
