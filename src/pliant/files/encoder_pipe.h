#pragma once
// A video, frame by frame, through ffmpeg: a program of its own that is fed with pictures.

#include "pliant/render/picture.h"

#include <cstdio>
#include <string>

namespace pliant {

class EncoderPipe {
  public:
    /// Starts ffmpeg; the suffix of the path picks the format: .mp4 (H.264) or .webm (VP9). Throws FileError if it is not
    /// installed.
    EncoderPipe(std::string path, int width, int height, double frames_a_second);
    ~EncoderPipe();
    EncoderPipe(const EncoderPipe&) = delete;
    EncoderPipe& operator=(const EncoderPipe&) = delete;

    void write(const Image& image);
    /// Waits until the file is there. Throws FileError.
    void finish();

  private:
    [[noreturn]] void fail(const std::string& reason);

    std::string path_, temporary_;
    std::FILE* pipe_ = nullptr;
};

/// Whether a program of this name is in a folder of PATH.
bool is_installed(const std::string& program);

}  // namespace pliant
