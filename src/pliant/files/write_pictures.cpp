#include "pliant/files/write_pictures.h"

#include "pliant/base/check.h"
#include "pliant/files/atomic_file.h"
#include "pliant/files/encoder_pipe.h"
#include "pliant/files/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace pliant {

namespace {

constexpr const char* kDecimalDigits = "0123456789";

/// The camera of a run. Without one in the scene, that of the first frame it is asked about.
class Eye {
  public:
    explicit Eye(std::vector<CameraKey> keys) : keys_(std::move(keys)) {}

    Camera at(const Frame& frame, double aspect)
    {
        if (!keys_.empty()) return camera_at(keys_, frame.time);
        if (!usual_) usual_ = frame_with_ground(frame, aspect);
        return *usual_;
    }

  private:
    std::vector<CameraKey> keys_;
    std::optional<Camera> usual_;
};

class PictureWriter : public FrameWriter {
  public:
    PictureWriter(NumberedPath path, const RunInfo& run) : path_(std::move(path)), eye_(run.camera) {}

    void write(const Frame& frame) override
    {
        const Camera camera = eye_.at(frame, static_cast<double>(kPictureWidth) / kPictureHeight);
        write_file(path_.path(frame.number), encode_png(render(frame, camera, kPictureWidth, kPictureHeight)));
    }

  private:
    NumberedPath path_;
    Eye eye_;
};

class StillWriter : public FrameWriter {
  public:
    StillWriter(std::string path, int number, const RunInfo& run)
        : path_(std::move(path)), number_(number), eye_(run.camera)
    {}

    void write(const Frame& frame) override
    {
        if (frame.number == 0 && !is_stream(path_)) AtomicFile probe(path_);  // fail now, not in the end
        const Camera camera = eye_.at(frame, static_cast<double>(kStillWidth) / kStillHeight);
        if (frame.number == number_) write_file(path_, encode_png(render(frame, camera, kStillWidth, kStillHeight)));
    }

  private:
    std::string path_;
    int number_;
    Eye eye_;
};

class MovieWriter : public FrameWriter {
  public:
    MovieWriter(std::string path, const RunInfo& run) : path_(std::move(path)), eye_(run.camera), world_(run.world) {}

    void write(const Frame& frame) override
    {
        PLIANT_ASSERT(world_ != nullptr);
        if (!pipe_) pipe_.emplace(path_, kPictureWidth, kPictureHeight, 1 / static_cast<double>(world_->settings->dt));
        const Camera camera = eye_.at(frame, static_cast<double>(kPictureWidth) / kPictureHeight);
        pipe_->write(render(frame, camera, kPictureWidth, kPictureHeight));
    }
    void finish() override
    {
        if (pipe_) pipe_->finish();
    }

  private:
    std::string path_;
    Eye eye_;
    const World* world_;
    std::optional<EncoderPipe> pipe_;
};

}  // namespace

std::string NumberedPath::path(int number) const { return fmt::format("{}{:0{}}{}", before, number, digits, after); }

std::optional<NumberedPath> find_marks(const std::string& path)
{
    const std::size_t last = path.find_last_of('#');
    if (last == std::string::npos || path.find('/', last) != std::string::npos) return std::nullopt;
    const std::size_t before = path.find_last_not_of('#', last);
    const std::size_t first = before == std::string::npos ? 0 : before + 1;
    return NumberedPath{path.substr(0, first), last + 1 - first, path.substr(last + 1)};
}

std::optional<int> find_still(const std::string& path)
{
    const std::string stem = path_stem(path);
    const std::size_t at = stem.find_last_of('@');
    if (at == std::string::npos || at + 1 == stem.size() ||
        stem.find_first_not_of(kDecimalDigits, at + 1) != std::string::npos)
        return std::nullopt;
    int number = 0;
    const auto [end, error] = std::from_chars(stem.data() + at + 1, stem.data() + stem.size(), number);
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

std::unique_ptr<FrameWriter> make_picture_writer(const NumberedPath& path, const RunInfo& run)
{
    return std::make_unique<PictureWriter>(path, run);
}

std::unique_ptr<FrameWriter> make_still_writer(const std::string& path, int frame, const RunInfo& run)
{
    return std::make_unique<StillWriter>(path, frame, run);
}

std::unique_ptr<FrameWriter> make_movie_writer(const std::string& path, const RunInfo& run)
{
    return std::make_unique<MovieWriter>(path, run);
}

}  // namespace pliant
