#include "pliant/files/write_page.h"

#include "pliant/base/check.h"
#include "pliant/files/atomic_file.h"
#include "pliant/files/base64.h"
#include "pliant/files/page_layers.h"
#include "pliant/files/paths.h"
#include "pliant/files/stream_file.h"
#include "pliant/files/web_files.h"
#include "pliant/json/fields_json.h"
#include "pliant/snapshot/sealed.h"
#include "pliant/world/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace pliant {

PLIANT_MEMBERS(ResidualWriter::State, bytes, pending, pending_count)
PLIANT_MEMBERS(PageGrid, low, unit)
PLIANT_MEMBERS(PageTrack, moves, turn, one, two)
PLIANT_MEMBERS(PageTrail, grid, tracks)

namespace {

constexpr int kPageVersion = 2;
constexpr int kChunk = 60;     // frames
constexpr int kMaxCurves = 8;  // bodies whose strain is drawn

/// JSON that can stand inside a page: a name with </script> in it must not end the script.
std::string page_json(const Json& json)
{
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) text.replace(at, 1, "\\u003c");
    return text;
}

/// The curves under the picture, one number a frame.
class PageCurves {
  public:
    void add(const World& world, const Frame& frame)
    {
        const Energy energy = measure_energy(world);
        add("time", world.time);
        add("kinetic_energy", energy.kinetic);
        add("potential_energy", energy.total() - energy.kinetic);
        add("contacts", frame.contacts);
        add("substeps", frame.substeps);
        int curves = 0;
        for_each_body(world, [&](const auto& body) {
            if constexpr (requires { body.particles; }) {
                if (curves++ < kMaxCurves) strains_[body.name].push_back(rounded(measure_strain(world, body).max));
            }
        });
    }
    /// For a run that is resumed.
    std::string state() const { return Json{{"numbers", numbers_}, {"strains", strains_}}.dump(); }
    void go_on(const std::string& state)
    {
        const Json kept = Json::parse(state);
        numbers_ = kept.at("numbers");
        strains_ = kept.at("strains");
    }
    Json json() const
    {
        Json all = numbers_;
        all["max_strain"] = strains_;
        return all;
    }

  private:
    static double rounded(double x) { return std::stod(fmt::format("{:.4g}", x)); }
    void add(const char* name, double x) { numbers_[name].push_back(rounded(x)); }

    Json numbers_ = Json::object(), strains_ = Json::object();
};

/// What is not in the part of a page that has been written.
struct PageState {
    std::int64_t size = 0;  // of that part [bytes]
    int frames = 0;
    ResidualWriter::State chunk;
    PageTrail trail;
    std::string curves;
};
PLIANT_MEMBERS(PageState, size, frames, chunk, trail, curves)

/// The page grows beside its final place, where it appears when it is whole.
class PageWriter : public FrameWriter {
  public:
    PageWriter(std::string path, RunInfo run) : path_(std::move(path)), run_(std::move(run)) {}

    void write(const Frame& frame) override
    {
        PLIANT_ASSERT(run_.world != nullptr);
        if (!layers_) open(frame);
        layers_->encode(*run_.world, frame, frames_ % kChunk == 0, chunk_);
        curves_.add(*run_.world, frame);
        if (++frames_ % kChunk == 0) file_->append(next_chunk());
    }

    void finish() override
    {
        if (!file_) return;
        std::string rest;
        if (frames_ % kChunk != 0) rest = next_chunk();
        rest += fmt::format("],\"frames\":{},\"stats\":{}}}", frames_, page_json(curves_.json()));
        AtomicFile whole(path_);
        constexpr std::int64_t kPart = 1 << 20;
        for (std::int64_t at = 0; at < file_->size(); at += kPart)
            whole.write(file_->read(at, static_cast<std::size_t>(std::min(kPart, file_->size() - at))));
        whole.write(rest);
        whole.write(player_.after);
        whole.commit();
        const std::string part = file_->path();
        file_.reset();
        if (!kept_) remove_path(part);
    }

    std::string state() const override
    {
        kept_ = true;
        if (!file_) return {};
        return write_sealed(PageState{file_->size(), frames_, chunk_.state(), layers_->trail(), curves_.state()});
    }

    void resume(const Frame& /*latest*/, std::string_view state) override
    {
        PageState kept = read_sealed<PageState>(state, path_);
        if (kind_of_path(part_path()) != PathKind::file)
            throw FileError(
                fmt::format("'{}' of the run to resume is missing; run without --resume to start again", part_path()));
        file_.emplace(part_path(), StreamFile::Start::as_it_is);
        file_->shrink(kept.size);
        player_ = read_player_template();
        const std::size_t head = player_.before.size();
        if (static_cast<std::int64_t>(head) > kept.size || file_->read(0, head) != player_.before)
            throw FileError(fmt::format(
                "{}: the player has changed since the page was begun; run without --resume to start again", path_));
        layers_.emplace(std::move(kept.trail));
        chunk_.go_on(std::move(kept.chunk));
        curves_.go_on(kept.curves);
        frames_ = kept.frames;
        kept_ = true;
    }

  private:
    void open(const Frame& frame)
    {
        player_ = read_player_template();
        file_.emplace(part_path(), StreamFile::Start::empty);
        layers_.emplace(*run_.world, frame);
        const PageGrid& grid = layers_->grid();
        Json looks = Json::array(), camera = Json::array();
        for (const Look& look : run_.looks) looks.push_back(JsonType<Look>::write(look));
        for (const CameraKey& key : run_.camera) camera.push_back(JsonType<CameraKey>::write(key));
        const Json head = {{"format", "pliant-player"},
                           {"version", kPageVersion},
                           {"name", run_.name},
                           {"about", run_.about},
                           {"dt", run_.world->settings->dt},
                           {"camera", camera},
                           {"looks", looks},
                           {"unit", grid.unit},
                           {"low", {grid.low.x, grid.low.y, grid.low.z}},
                           {"layers", layers_->describe()},
                           {"constants", layers_->encode_constants()},
                           {"chunk", kChunk}};
        std::string text = page_json(head);
        text.pop_back();
        file_->append(player_.before);
        file_->append(text + ",\"chunks\":[");
    }

    std::string part_path() const { return path_ + ".spool"; }
    std::string next_chunk() { return (frames_ > kChunk ? ",\n\"" : "\n\"") + encode_base64(chunk_.take()) + "\""; }

    std::string path_;
    RunInfo run_;
    PlayerTemplate player_;
    std::optional<StreamFile> file_;
    std::optional<PageLayers> layers_;
    ResidualWriter chunk_;
    PageCurves curves_;
    int frames_ = 0;
    mutable bool kept_ = false;  // a checkpoint counts on the part beside the page
};

}  // namespace

std::unique_ptr<FrameWriter> make_page_writer(const std::string& path, const RunInfo& run)
{
    return std::make_unique<PageWriter>(path, run);
}

}  // namespace pliant
