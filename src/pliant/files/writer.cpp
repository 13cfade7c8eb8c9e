#include "pliant/files/writer.h"

#include "pliant/base/check.h"
#include "pliant/files/paths.h"
#include "pliant/files/sequence.h"
#include "pliant/files/write_sheet.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pliant {

namespace {

struct WriterFormat {
    const char* suffix;
    std::unique_ptr<FrameWriter> (*make)(const std::string& path, int frames);
};

constexpr WriterFormat kFormats[] = {
    {".obj", [](const std::string& path, int) { return make_obj_writer(path); }},
    {".ply", [](const std::string& path, int) { return make_ply_writer(path); }},
    {".png", make_sheet_writer},
};

}  // namespace

void FrameWriter::resume(const Frame& /*latest*/, std::string_view /*state*/)
{
    throw FileError("one of the outputs cannot go on from a checkpoint; run without --resume to start again");
}

std::unique_ptr<FrameWriter> make_writer(const std::string& path, int frames)
{
    const std::string suffix = lower_extension(path);
    for (const WriterFormat& format : kFormats) {
        if (suffix == format.suffix) return format.make(path, frames);
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
