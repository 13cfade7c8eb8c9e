#pragma once
// A writer turns frames into files. `-o` picks one by the suffix of its path.

#include "pliant/render/frame.h"
#include "pliant/render/look.h"

#include <memory>
#include <string>
#include <vector>

namespace pliant {

/// What a writer knows of a run beside its frames.
struct RunInfo {
    int frames = 1;  // that it is expected to write, the initial state included
    std::string name{}, about{};
    std::vector<Look> looks{};
    std::vector<CameraKey> camera{};  // none: all is in view
    const World* world = nullptr;     // whose frames they are; stays where it is. Pages and videos need it
};

class FrameWriter {
  public:
    virtual ~FrameWriter() = default;
    /// Called for every frame in order. Throws FileError; a file under its final name is always whole.
    virtual void write(const Frame& frame) = 0;
    /// Called once after the last frame, also when a run ends early: the frames written so far stay usable.
    virtual void finish() {}
};

/// The writer for a path such as `out/bunny.ply`. Throws InputError that lists the known suffixes.
std::unique_ptr<FrameWriter> make_writer(const std::string& path, const RunInfo& run);

/// The suffixes that make_writer knows, such as ".obj".
std::vector<std::string> writer_suffixes();

}  // namespace pliant
