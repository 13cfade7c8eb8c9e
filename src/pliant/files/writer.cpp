#include "pliant/files/writer.h"

#include "pliant/base/check.h"
#include "pliant/files/paths.h"
#include "pliant/files/sequence.h"
#include "pliant/files/write_page.h"
#include "pliant/files/write_pictures.h"
#include "pliant/files/write_sheet.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pliant {

namespace {

struct WriterFormat {
    const char* suffix;
    std::unique_ptr<FrameWriter> (*make)(const std::string& path, const RunInfo& run);
};

std::unique_ptr<FrameWriter> make_png_writer(const std::string& path, const RunInfo& run)
{
    if (const std::optional<NumberedPath> numbered = find_marks(path)) return make_picture_writer(*numbered, run);
    if (const std::optional<int> frame = find_still(path)) return make_still_writer(path, *frame, run);
    return make_sheet_writer(path, run);
}

constexpr WriterFormat kFormats[] = {
    {".html", make_page_writer},
    {".mp4", make_movie_writer},
    {".obj", [](const std::string& path, const RunInfo&) { return make_obj_writer(path); }},
    {".ply", [](const std::string& path, const RunInfo&) { return make_ply_writer(path); }},
    {".png", make_png_writer},
    {".webm", make_movie_writer},
};

}  // namespace

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
