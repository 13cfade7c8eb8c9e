#include "pliant/files/write_page.h"

#include "pliant/base/check.h"
#include "pliant/files/atomic_file.h"
#include "pliant/files/base64.h"
#include "pliant/files/page_layers.h"
#include "pliant/files/web_files.h"
#include "pliant/json/fields_json.h"
#include "pliant/world/measure.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace pliant {

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

class PageWriter : public FrameWriter {
  public:
    PageWriter(std::string path, RunInfo run) : path_(std::move(path)), run_(std::move(run)) {}

    void write(const Frame& frame) override
    {
        PLIANT_ASSERT(run_.world != nullptr);
        if (!layers_) open(frame);
        layers_->encode(*run_.world, frame, frames_ % kChunk == 0, chunk_);
        curves_.add(*run_.world, frame);
        if (++frames_ % kChunk == 0) flush();
    }

    void finish() override
    {
        if (!file_) return;
        if (frames_ % kChunk != 0) flush();
        file_->write(fmt::format("],\"frames\":{},\"stats\":{}}}", frames_, page_json(curves_.json())));
        file_->write(player_.after);
        file_->commit();
        file_.reset();
    }

  private:
    void open(const Frame& frame)
    {
        player_ = read_player_template();
        file_.emplace(path_);
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
        file_->write(player_.before);
        file_->write(text + ",\"chunks\":[");
    }

    void flush()
    {
        file_->write(frames_ > kChunk ? ",\n\"" : "\n\"");
        file_->write(encode_base64(chunk_.take()));
        file_->write("\"");
    }

    std::string path_;
    RunInfo run_;
    PlayerTemplate player_;
    std::optional<AtomicFile> file_;
    std::optional<PageLayers> layers_;
    ResidualWriter chunk_;
    PageCurves curves_;
    int frames_ = 0;
};

}  // namespace

std::unique_ptr<FrameWriter> make_page_writer(const std::string& path, const RunInfo& run)
{
    return std::make_unique<PageWriter>(path, run);
}

}  // namespace pliant
