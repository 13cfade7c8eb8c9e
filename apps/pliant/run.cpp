#include "commands.h"
#include "progress.h"

#include "pliant/base/check.h"
#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/crossings.h"
#include "pliant/files/atomic_file.h"
#include "pliant/files/paths.h"
#include "pliant/files/writer.h"
#include "pliant/json/nearest_name.h"
#include "pliant/render/frame.h"
#include "pliant/report/stats.h"
#include "pliant/report/watch.h"
#include "pliant/scene/scene.h"
#include "pliant/session/recording.h"
#include "pliant/solver/solver.h"
#include "pliant/world/jitter.h"
#include "pliant/world/measure.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <optional>

namespace pliant::cli {

namespace {

struct RunOptions {
    std::string scene;
    std::vector<std::string> outputs;
    std::optional<int> frames;
    int threads = 0;
    std::vector<std::string> sets;
    std::optional<std::uint64_t> jitter;
    std::string stats;
    std::string recording;
    bool expect = false;
    bool strict = false;
    bool quiet = false;
};

/// Everything that looks at the frames of a run.
class Recorder {
  public:
    Recorder(const RunOptions& options, const Scene& scene) : options_(options), looks_(scene.looks)
    {
        const RunInfo run{scene.frames + 1, scene.name, scene.about, scene.looks, scene.camera, &scene.world};
        for (const std::string& path : options.outputs) writers_.push_back(make_writer(path, run));
        if (!options.stats.empty()) stats_.emplace(scene.world);
        if (options.expect) expect_.emplace(scene.expect);
    }

    void record(int number, const World& world, const FrameCost& cost)
    {
        if (!writers_.empty()) update(number, world, cost);
        for (const std::unique_ptr<FrameWriter>& writer : writers_) writer->write(frame_);
        if (stats_) stats_->add(number, world, cost);
        // Fail early if it cannot be written; a pipe is written to only once.
        if (stats_ && number == 0 && !is_stream(options_.stats)) write_file(options_.stats, stats_->text());
        if (expect_) expect_->sample(number, world, cost.contacts);
        if (!options_.recording.empty()) hashes_.push_back(hash_state(world));
    }

    /// Also after a run that ended early. All are finished before the first failure is passed on.
    void finish()
    {
        std::string failure;
        const auto attempt = [&](auto&& action) {
            try {
                action();
            } catch (const FileError& error) {
                if (failure.empty()) failure = error.what();
            }
        };
        for (const std::unique_ptr<FrameWriter>& writer : writers_) attempt([&] { writer->finish(); });
        if (stats_) attempt([&] { write_file(options_.stats, stats_->text()); });
        if (!hashes_.empty()) attempt([&] { write_file(options_.recording, recording_text()); });
        if (!failure.empty()) throw FileError(failure);
    }

    std::vector<ExpectResult> results() const { return expect_ ? expect_->results() : std::vector<ExpectResult>(); }

  private:
    void update(int number, const World& world, const FrameCost& cost)
    {
        update_frame(world, number, frame_);
        apply_looks(looks_, frame_);
        frame_.contacts = cost.contacts + static_cast<int>(cost.feature_contacts.contacts);
        frame_.substeps = cost.effort.substeps;
    }

    std::string recording_text() const
    {
        constexpr double kUnit = 0x1p-13;  // of hands, of which there are none [m]
        return write_recording({read_scene_source(options_.scene, options_.sets), kUnit, {}, hashes_, hashes_.back()});
    }

    const RunOptions& options_;
    std::vector<Look> looks_;
    Frame frame_;
    std::vector<std::uint64_t> hashes_;  // per frame, for a recording
    std::vector<std::unique_ptr<FrameWriter>> writers_;
    std::optional<Stats> stats_;
    std::optional<ExpectCheck> expect_;
};

/// Steps to the end and records. Returns what went wrong with the simulation, empty for nothing.
std::string simulate(const RunOptions& options, Scene& scene, Recorder& recorder, Progress& progress,
                     std::optional<Watch>& watch)
{
    Solver solver;
    solver.profile.on = !options.stats.empty();
    recorder.record(0, scene.world, {.intersections = solver.find_crossings(scene.world).size()});
    for (int frame = 1; frame <= scene.frames; ++frame) {
        solver.profile.clear();
        const auto start = std::chrono::steady_clock::now();
        const StepReport report = solver.step(scene.world);
        const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
        if (report.trouble) return fmt::format("frame {}: {}", frame, report.trouble.text);
        const std::size_t intersections = options.stats.empty() ? 0 : solver.find_crossings(scene.world).size();
        recorder.record(frame, scene.world,
                        {passed.count(), solver.profile, report.contacts, intersections, report.events,
                         report.feature_contacts, report.effort});
        for (const std::string& line : watch ? watch->look(frame, scene.world) : std::vector<std::string>()) {
            progress.clear();
            print_warning(fmt::format("frame {}: {}", frame, line));
        }
        progress.show(frame);
    }
    return {};
}

/// Where the program says what it did: out of the way of statistics on standard output.
std::FILE* message_stream(const RunOptions& options) { return is_standard_output(options.stats) ? stderr : stdout; }

void print_summary(const RunOptions& options, const Scene& scene, double seconds)
{
    std::vector<std::string> files = options.outputs;
    if (!options.stats.empty()) files.push_back(is_standard_output(options.stats) ? "standard output" : options.stats);
    if (!options.recording.empty()) files.push_back(options.recording);
    const std::string wrote = files.empty() ? "nothing written" : fmt::format("wrote {}", join_names(files));
    fmt::print(message_stream(options), "{}: {} frames in {:.3g} s, {:.3g} ms a frame, {}\n", scene.name, scene.frames,
               seconds, 1000 * seconds / std::max(1, scene.frames), wrote);
}

/// What the effort did not hold, once more, where it is not lost among the lines of a long run.
void print_findings(const RunOptions& options, const std::vector<std::string>& findings)
{
    if (findings.empty()) return;
    fmt::print(message_stream(options), "the effort did not hold all of it:\n");
    for (const std::string& line : findings) fmt::print(message_stream(options), "  {}\n", line);
}

ExitCode judge(const RunOptions& options, const std::vector<ExpectResult>& results)
{
    ExitCode code = kDone;
    for (const ExpectResult& result : results) {
        if (!result.met) {
            print_error("expect not met: " + result.text);
            code = kExpectNotMet;
        } else if (!options.quiet) {
            fmt::print(message_stream(options), "expect met: {}\n", result.text);
        }
    }
    return code;
}

ExitCode run(const RunOptions& options)
{
    set_threads(options.threads);
    Scene scene = read_scene(options.scene, options.sets);
    if (options.frames) scene.frames = *options.frames;
    if (options.jitter) jitter(scene.world, *options.jitter);
    if (options.strict) refuse_crossings(scene);
    if (!options.quiet)
        for (const std::string& warning : find_warnings(scene)) print_warning(warning);

    Recorder recorder(options, scene);
    Progress progress(scene.frames, options.quiet ? ProgressStyle::none : usual_style());
    std::optional<Watch> watch;
    if (!options.quiet) watch.emplace(scene.world);
    std::string trouble;
    try {
        trouble = simulate(options, scene, recorder, progress, watch);
    } catch (const FileError&) {
        progress.clear();
        try {
            recorder.finish();
        } catch (const FileError&) {  // NOLINT(bugprone-empty-catch): the first one says why
        }
        throw;
    }
    const double seconds = progress.seconds();
    progress.clear();
    recorder.finish();
    if (!trouble.empty()) {
        print_error(trouble);
        return kNonFinite;
    }
    if (!options.quiet) print_summary(options, scene, seconds);
    if (watch) print_findings(options, watch->summary());
    return judge(options, recorder.results());
}

/// A suffix that no writer knows is wrong usage, and told before anything is read.
std::string check_suffix(const std::string& path)
{
    const std::string suffix = lower_extension(path);
    const std::vector<std::string> known = writer_suffixes();
    if (std::find(known.begin(), known.end(), suffix) != known.end()) return {};
    return fmt::format("{}: the suffix picks the format and must be one of {}", path, join_names(known));
}

}  // namespace

void add_run(CLI::App& app, Action& chosen)
{
    const auto options = std::make_shared<RunOptions>();
    CLI::App& command = *app.add_subcommand("run", "Run a scene and write what comes out");
    command.add_option("scene", options->scene, "Scene file, or the name of a built-in scene")->required();
    command
        .add_option("-o,--output", options->outputs,
                    fmt::format("File to write, by suffix: {}; may be repeated", join_names(writer_suffixes())))
        ->type_name("OUT")
        ->check(check_suffix)
        ->allow_extra_args(false);
    command.add_option("--frames", options->frames, "Frames to run, instead of what the scene says")
        ->type_name("N")
        ->check(CLI::Range(0, 10'000'000));
    command.add_option("--threads", options->threads, "Threads to use; 0, the default, is one a core")
        ->type_name("N")
        ->check(CLI::Range(0, 1024));
    add_set_option(command, options->sets);
    CLI::Option* jitter =
        command
            .add_option(
                "--jitter", options->jitter,
                "Start a little differently, another way for every seed: places within a fifth of the thickness, "
                "speeds within 2 cm/s")
            ->type_name("SEED");
    command
        .add_option("--stats", options->stats,
                    "Write energies, momenta, strains and times of every frame as JSON; - is standard output")
        ->type_name("FILE");
    command
        .add_option("--record", options->recording,
                    "Write the scene and a hash of every frame, which `pliant replay` compares on any machine")
        ->type_name("FILE")
        ->excludes(jitter);
    command.add_flag("--expect", options->expect, "Check the `expect` block of the scene; 6 if it is not met");
    command.add_flag("--strict", options->strict, "Refuse a scene in which bodies in contact pass through each other");
    command.add_flag("-q,--quiet", options->quiet, "Say nothing but errors");
    command.callback([options, &chosen] { chosen = [options] { return run(*options); }; });
}

}  // namespace pliant::cli
