#include "pliant/files/writer.h"

#include "pliant/base/check.h"
#include "pliant/files/paths.h"
#include "pliant/files/sequence.h"
#include "pliant/files/write_cache.h"
#include "pliant/files/write_glb.h"
#include "pliant/files/write_page.h"
#include "pliant/files/write_pictures.h"
#include "pliant/files/write_sheet.h"
#include "pliant/files/write_usda.h"
#include "pliant/files/write_vtp.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace pliant {

namespace {

struct WriterFormat {
    const char* suffix;
    std::unique_ptr<FrameWriter> (*make)(const std::string& path, const RunInfo& run);
};

/// Gives a writer that knows no options frames in the axes and the unit that are asked for.
class ConvertingWriter : public FrameWriter {
  public:
    ConvertingWriter(std::unique_ptr<FrameWriter> inner, const WriterOptions& options)
        : inner_(std::move(inner)), options_(options)
    {}

    void write(const Frame& frame) override { inner_->write(converted(frame)); }
    void finish() override { inner_->finish(); }
    std::string state() const override { return inner_->state(); }
    void resume(const Frame& latest, std::string_view state) override { inner_->resume(converted(latest), state); }

  private:
    Frame converted(Frame frame) const
    {
        for (Layer& layer : frame.layers)
            for (Vec3& p : layer.points) p = options_.convert(p).cast<Real>();
        return frame;
    }

    std::unique_ptr<FrameWriter> inner_;
    WriterOptions options_;
};

std::unique_ptr<FrameWriter> in_axes(std::unique_ptr<FrameWriter> writer, const WriterOptions& options)
{
    if (options.up == UpAxis::y && options.unit == 1) return writer;
    return std::make_unique<ConvertingWriter>(std::move(writer), options);
}

std::unique_ptr<FrameWriter> make_png_writer(const std::string& path, const RunInfo& run)
{
    if (const std::optional<NumberedPath> numbered = find_marks(path)) return make_picture_writer(*numbered, run);
    if (const std::optional<int> frame = find_still(path)) return make_still_writer(path, *frame, run);
    return make_sheet_writer(path, run);
}

template <std::unique_ptr<FrameWriter> (*kMake)(const std::string& path, const WriterOptions& options)>
std::unique_ptr<FrameWriter> make_with_options(const std::string& path, const RunInfo& run)
{
    WriterOptions options = run.format;
    options.frames = run.frames;
    return kMake(path, options);
}

constexpr WriterFormat kFormats[] = {
    {".glb", make_with_options<make_glb_writer>},
    {".html", make_page_writer},
    {".mdd", make_with_options<make_cache_writer>},
    {".mp4", make_movie_writer},
    {".obj", [](const std::string& path, const RunInfo& run) { return in_axes(make_obj_writer(path), run.format); }},
    {".pc2", make_with_options<make_cache_writer>},
    {".ply", [](const std::string& path, const RunInfo& run) { return in_axes(make_ply_writer(path), run.format); }},
    {".png", make_png_writer},
    {".pvd", make_with_options<make_vtp_writer>},
    {".usda", make_usda_writer},
    {".vtp", make_with_options<make_vtp_writer>},
    {".webm", make_movie_writer},
};

}  // namespace

std::string FrameWriter::state() const
{
    throw InputError(
        "videos are written in one go and cannot be resumed; leave --checkpoint-every and --resume out, or write them "
        "from "
        "another run");
}

void FrameWriter::resume(const Frame& /*latest*/, std::string_view /*state*/) { state(); }

std::unique_ptr<FrameWriter> make_writer(const std::string& path, const RunInfo& run)
{
    const std::string suffix = lower_extension(path);
    for (const WriterFormat& format : kFormats) {
        if (suffix == format.suffix) return format.make(path, run);
    }
    throw InputError(fmt::format("cannot tell the format of '{}' by its suffix: use one of {}", path,
                                 fmt::join(writer_suffixes(), ", ")));
}

std::vector<std::string> writer_suffixes()
{
    std::vector<std::string> suffixes;
    for (const WriterFormat& format : kFormats) suffixes.emplace_back(format.suffix);
    return suffixes;
}

}  // namespace pliant
