#include "pliant/report/stats_file.h"

#include "pliant/base/check.h"
#include "pliant/files/atomic_file.h"
#include "pliant/files/text_reader.h"
#include "pliant/world/measure.h"

#include <fmt/format.h>

namespace pliant {

void StatsFile::add(int frame, const World& world, const FrameCost& cost)
{
    if (is_stream(path_)) return stats_.add(frame, world, cost);
    if (!file_) file_.emplace(path_, stats_.head(), stats_.tail());
    file_->append((frame == 0 ? "\n" : ",\n") + stats_.line(frame, world, cost));
}

void StatsFile::resume(int frame, const World& world)
{
    const auto fail = [&](const std::string& why) {
        throw FileError(fmt::format("cannot resume '{}': {}; run without --resume to start again", path_, why));
    };
    if (is_stream(path_)) fail("a stream does not keep the frames so far");
    const std::string text = read_bytes(path_), head = stats_.head();
    if (!text.starts_with(head)) fail("it is not of this scene");
    std::size_t end = head.size(), start = end;
    for (int i = 0; i <= frame; ++i) {
        start = end + (i == 0 ? 1 : 2);
        end = start < text.size() ? text.find('\n', start) : std::string::npos;
        if (end == std::string::npos) fail(fmt::format("frame {} is missing", i));
        if (text[end - 1] == ',') --end;
    }
    if (text.substr(start, end - start).find(fmt::format("{:016x}", hash_state(world))) == std::string::npos)
        fail(fmt::format("frame {} is another one than the checkpoint's", frame));
    file_.emplace(path_, std::string_view(text).substr(0, end), stats_.tail());
}

void StatsFile::finish()
{
    if (!file_) write_file(path_, stats_.text());
}

}  // namespace pliant
