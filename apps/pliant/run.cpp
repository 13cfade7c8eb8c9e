#include "commands.h"
#include "interrupt.h"
#include "progress.h"

#include "pliant/base/check.h"
#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/crossings.h"
#include "pliant/files/atomic_file.h"
#include "pliant/files/paths.h"
#include "pliant/files/writer.h"
#include "pliant/json/nearest_name.h"
#include "pliant/render/frame.h"
#include "pliant/report/stats_file.h"
#include "pliant/report/watch.h"
#include "pliant/scene/scene.h"
#include "pliant/session/checkpoint.h"
#include "pliant/session/recording.h"
#include "pliant/solver/solver.h"
#include "pliant/world/jitter.h"
#include "pliant/world/measure.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>

namespace pliant::cli {

namespace {

struct RunOptions {
    std::string scene;
    std::vector<std::string> outputs;
    UpAxis up_axis = UpAxis::y;
    double unit = 1;  // of the outputs [m]
    std::optional<int> frames;
    int threads = 0;
    std::vector<std::string> sets;
    std::optional<std::uint64_t> jitter;
    std::string stats;
    std::string recording;
    int checkpoint_every = 0;  // frames; 0: no checkpoints
    bool resume = false;
    bool expect = false;
    bool strict = false;
    bool quiet = false;
};

/// Everything that looks at the frames of a run.
class Recorder {
  public:
    Recorder(const RunOptions& options, const Scene& scene) : options_(options), looks_(scene.looks)
    {
        RunInfo run{scene.frames + 1, scene.name, scene.about, scene.looks, scene.camera, &scene.world};
        run.format = {run.frames, static_cast<double>(scene.world.settings->dt), options.up_axis, options.unit};
        for (const std::string& path : options.outputs) writers_.push_back(make_writer(path, run));
        if (!options.stats.empty()) stats_.emplace(options.stats, scene.world);
        if (options.expect) expect_.emplace(scene.expect);
    }

    void record(int number, const World& world, const FrameCost& cost)
    {
        if (!writers_.empty()) update(number, world, cost);
        for (const std::unique_ptr<FrameWriter>& writer : writers_) writer->write(frame_);
        if (stats_) stats_->add(number, world, cost);
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
        if (stats_) attempt([&] { stats_->finish(); });
        if (!hashes_.empty()) attempt([&] { write_file(options_.recording, recording_text()); });
        if (!failure.empty()) throw FileError(failure);
    }

    /// Adds what only the recorder knows to a checkpoint, and takes it from there.
    void save(Checkpoint& checkpoint) const
    {
        checkpoint.hashes = hashes_;
        if (expect_) checkpoint.expect = expect_->samples();
        for (std::size_t i = 0; i < writers_.size(); ++i)
            checkpoint.outputs[options_.outputs[i]] = writers_[i]->state();
    }
    void resume(const Checkpoint& checkpoint)
    {
        const auto require = [](bool known, const std::string& what) {
            if (!known)
                throw InputError(fmt::format("the run to resume was without {}; start again without --resume", what));
        };
        if (!writers_.empty()) update(checkpoint.frame, *checkpoint.world, {});
        for (std::size_t i = 0; i < writers_.size(); ++i) {
            const auto state = checkpoint.outputs.find(options_.outputs[i]);
            require(state != checkpoint.outputs.end(), "-o " + options_.outputs[i]);
            writers_[i]->resume(frame_, state->second);
        }
        require(!expect_ || checkpoint.expect, "--expect");
        if (expect_) expect_->resume(*checkpoint.expect);
        require(options_.recording.empty() || !checkpoint.hashes.empty(), "--record");
        hashes_ = checkpoint.hashes;
        if (stats_) stats_->resume(checkpoint.frame, *checkpoint.world);
    }

    std::vector<ExpectResult> results() const { return expect_ ? expect_->results() : std::vector<ExpectResult>(); }

  private:
    void update(int number, const World& world, const FrameCost& cost)
    {
        update_frame(world, number, frame_);
        apply_looks(looks_, world, frame_);
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
    std::optional<StatsFile> stats_;
    std::optional<ExpectCheck> expect_;
};

/// Bodies that squeezed something, in pairs, and the first frame that they did.
class Squeezing {
  public:
    void look(int frame, const FeatureContactReport& report)
    {
        if (report.open > 0) frames_.emplace(report.squeezing, frame);
    }
    void print() const
    {
        for (const auto& [names, frame] : frames_) {
            const std::string who = names[1].empty() ? names[0] : fmt::format("{} and {}", names[0], names[1]);
            print_warning(
                fmt::format("frame {}: what is between {} could not be kept apart: neither is free to give way", frame,
                            who.empty() ? "bodies in keyed motion" : who));
        }
    }

  private:
    std::map<std::array<std::string, 2>, int> frames_;
};

/// The checkpoint of a run lies beside its first output.
std::string checkpoint_path(const RunOptions& options, const Scene& scene)
{
    const bool stats = !options.stats.empty() && !is_stream(options.stats);
    const std::string& beside = !options.outputs.empty() ? options.outputs.front() : stats ? options.stats : scene.name;
    return split_extension(beside).stem + ".checkpoint";
}

/// A run on its way: a scene, whose world is the state, and all that looks at it.
struct Run {
    const RunOptions& options;
    Scene& scene;
    Recorder& recorder;
    Progress& progress;
    std::optional<Watch> watch;
    Solver solver{};
    Squeezing squeezing{};
    int frame = 0;            // the last one recorded
    std::uint64_t start = 0;  // fingerprint of the initial state, of a run with checkpoints
    bool keeps = false;       // checkpoints

    void save() const
    {
        Checkpoint checkpoint{start, frame, {std::shared_ptr<const World>(), &scene.world}, {}, {}, {}, {}};
        if (watch) checkpoint.watch = watch->state();
        recorder.save(checkpoint);
        write_checkpoint(checkpoint_path(options, scene), checkpoint);
    }
    /// From the latest checkpoint that is whole. False if there is none.
    bool resume()
    {
        const FoundCheckpoint found = find_checkpoint(checkpoint_path(options, scene), start);
        for (const std::string& why : found.passed_over) print_warning(why);
        if (!found.checkpoint) return false;
        recorder.resume(*found.checkpoint);
        if (watch && found.checkpoint->watch) watch->resume(*found.checkpoint->watch);
        scene.world = *found.checkpoint->world;
        frame = found.checkpoint->frame;
        return true;
    }
    /// Returns what went wrong with the simulation, empty for nothing.
    std::string step()
    {
        animate(scene.animations, scene.world);
        solver.profile.clear();
        const auto begin = std::chrono::steady_clock::now();
        const StepReport report = solver.step(scene.world);
        const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
        ++frame;
        if (report.trouble) return fmt::format("frame {}: {}", frame, report.trouble.text);
        const std::size_t intersections = options.stats.empty() ? 0 : solver.count_intersections(scene.world);
        recorder.record(frame, scene.world,
                        {passed.count(), solver.profile, report.contacts, intersections, report.events,
                         report.feature_contacts, report.effort});
        for (const std::string& line : watch ? watch->look(frame, scene.world) : std::vector<std::string>()) {
            progress.clear();
            print_warning(fmt::format("frame {}: {}", frame, line));
        }
        squeezing.look(frame, report.feature_contacts);
        progress.show(frame);
        return {};
    }
};

/// Steps to the end, or until a signal arrives. Returns what went wrong with the simulation, empty for nothing.
std::string simulate(Run& run)
{
    run.solver.profile.on = !run.options.stats.empty();
    if (run.keeps) {
        Checkpoint probe;
        run.recorder.save(probe);  // throws now for an output that cannot be resumed, not after a night
        run.start = fingerprint(run.scene.world);
    }
    if (!run.options.resume || !run.resume())
        run.recorder.record(0, run.scene.world, {.intersections = run.solver.count_intersections(run.scene.world)});
    const int every = run.options.checkpoint_every;
    while (run.frame < run.scene.frames && Interrupt::arrived() == 0) {
        std::string trouble = run.step();
        if (!trouble.empty()) return trouble;
        if (every > 0 && run.frame % every == 0) run.save();
    }
    if (run.keeps && (every == 0 || run.frame % every != 0)) run.save();
    if (!run.options.quiet) run.squeezing.print();
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

/// All files are whole.
[[noreturn]] void stop_early(const Run& run, int signal)
{
    print_error(fmt::format("stopped after frame {} of {}{}", run.frame, run.scene.frames,
                            run.keeps ? "; the same command with --resume goes on from there"
                                      : "; with --checkpoint-every it could be resumed"));
    Interrupt::pass_on(signal);
}

ExitCode run_scene(const RunOptions& options)
{
    set_threads(options.threads);
    Scene scene = read_scene(options.scene, options.sets);
    if (options.frames) scene.frames = *options.frames;
    if (options.jitter) jitter(scene.world, *options.jitter);
    if (options.strict) refuse_crossings(scene);
    if (!options.quiet)
        for (const std::string& warning : find_warnings(scene)) print_warning(warning);

    const Interrupt interrupt;
    Recorder recorder(options, scene);
    Progress progress(scene.frames, options.quiet ? ProgressStyle::none : usual_style());
    Run run{options, scene, recorder, progress, {}};
    run.keeps = options.resume || options.checkpoint_every > 0;
    if (!options.quiet) run.watch.emplace(scene.world);
    std::string trouble;
    try {
        trouble = simulate(run);
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
    if (const int signal = Interrupt::arrived(); signal != 0) stop_early(run, signal);
    if (!options.quiet) print_summary(options, scene, seconds);
    if (run.watch) print_findings(options, run.watch->summary());
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
    command.add_option("--up-axis", options->up_axis, "Which axis points up in the outputs: y, the default, or z")
        ->transform(CLI::CheckedTransformer(std::map<std::string, UpAxis>{{"y", UpAxis::y}, {"z", UpAxis::z}}))
        ->type_name("AXIS");
    command.add_option("--unit", options->unit, "Unit of length of the outputs: m, the default, cm, mm or in")
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, double>{{"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}}))
        ->type_name("UNIT");
    command.add_option("--frames", options->frames, "Frames to run, instead of what the scene says")
        ->type_name("N")
        ->check(CLI::Range(0, 10'000'000));
    command
        .add_option("--threads", options->threads, "Threads to use; 0, the default, is PLIANT_THREADS or one a core")
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
    command
        .add_option("--checkpoint-every", options->checkpoint_every,
                    "Keep the state every so many frames, beside the first output, and when the run is interrupted")
        ->type_name("N")
        ->check(CLI::Range(1, 10'000'000));
    command.add_flag(
        "--resume", options->resume,
        "Go on from the last checkpoint of the same command, bit for bit; from the start if there is none");
    command.add_flag("--expect", options->expect, "Check the `expect` block of the scene; 6 if it is not met");
    command.add_flag("--strict", options->strict, "Refuse a scene in which bodies in contact pass through each other");
    command.add_flag("-q,--quiet", options->quiet, "Say nothing but errors");
    command.callback([options, &chosen] { chosen = [options] { return run_scene(*options); }; });
}

}  // namespace pliant::cli
