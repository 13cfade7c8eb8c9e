#include "pliant/files/encoder_pipe.h"

#include "pliant/base/check.h"
#include "pliant/files/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

namespace pliant {

namespace {

/// A word of a command line, whatever is in it.
std::string shell_word(const std::string& word)
{
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string codec_of(const std::string& path)
{
    if (lower_extension(path) == ".webm") return "-c:v libvpx-vp9 -crf 30 -b:v 0 -row-mt 1 -pix_fmt yuv420p -f webm";
    return "-c:v libx264 -crf 18 -preset medium -pix_fmt yuv420p -movflags +faststart -f mp4";
}

#ifdef __wasi__
std::FILE* open_pipe(const std::string&) { return nullptr; }
int close_pipe(std::FILE*) { return -1; }
#else
std::FILE* open_pipe(const std::string& command) { return popen(command.c_str(), "w"); }
int close_pipe(std::FILE* pipe) { return pclose(pipe); }
#endif

}  // namespace

bool is_installed(const std::string& program)
{
    const char* path = std::getenv("PATH");
    std::string_view folders = path != nullptr ? path : "";
    while (!folders.empty()) {
        const std::string folder(folders.substr(0, folders.find(':')));
        folders.remove_prefix(std::min(folders.size(), folder.size() + 1));
        if (!folder.empty() && kind_of_path(join_paths(folder, program)) == PathKind::file) return true;
    }
    return false;
}

EncoderPipe::EncoderPipe(std::string path, int width, int height, double frames_a_second) : path_(std::move(path))
{
    if (!is_installed("ffmpeg"))
        fail(
            "videos are made by ffmpeg, which is not installed (Debian: apt-get install ffmpeg); write pictures "
            "instead, "
            "such as -o shot.####.png, or a page that plays, -o shot.html");
    temporary_ = path_ + ".part";
    const std::string command =
        fmt::format("ffmpeg -y -loglevel error -f rawvideo -pix_fmt rgb24 -s {}x{} -r {:.6f} -i - {} {}", width, height,
                    frames_a_second, codec_of(path_), shell_word("file:" + temporary_));
    pipe_ = open_pipe(command);
    if (pipe_ == nullptr) fail(std::generic_category().message(errno));
}

EncoderPipe::~EncoderPipe()
{
    if (pipe_ != nullptr) close_pipe(pipe_);
    if (!temporary_.empty()) remove_path(temporary_);
}

void EncoderPipe::write(const Image& image)
{
    if (std::fwrite(image.rgb.data(), 1, image.rgb.size(), pipe_) != image.rgb.size())
        fail("ffmpeg stopped; what it said is above");
}

void EncoderPipe::finish()
{
    if (close_pipe(std::exchange(pipe_, nullptr)) != 0) fail("ffmpeg failed; what it said is above");
    if (const int error = rename_path(temporary_, path_); error != 0) fail(std::generic_category().message(error));
    temporary_.clear();
}

void EncoderPipe::fail(const std::string& reason)
{
    throw FileError(fmt::format("cannot write '{}': {}", path_, reason));
}

}  // namespace pliant
