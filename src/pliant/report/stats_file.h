#pragma once
// The file that `--stats` writes: whole after every frame, so that what is known outlives a run that is killed. Into a pipe or
// standard output it goes at the end, in one piece.

#include "pliant/files/growing_file.h"
#include "pliant/report/stats.h"

#include <optional>
#include <string>

namespace pliant {

class StatsFile {
  public:
    /// `world` is the initial state.
    StatsFile(std::string path, const World& world) : path_(std::move(path)), stats_(world) {}

    void add(int frame, const World& world, const FrameCost& cost);
    /// Goes on from a file of the same run that has at least the frames up to `frame`, of which that state is `world`; drops
    /// those that follow. Throws FileError if it has not.
    void resume(int frame, const World& world);
    void finish();

  private:
    std::string path_;
    Stats stats_;
    std::optional<GrowingFile> file_;  // none for a stream
};

}  // namespace pliant
