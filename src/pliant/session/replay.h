#pragma once
// A recording run again, frame by frame, with every hash compared.

#include "pliant/session/session.h"

#include <map>
#include <optional>

namespace pliant {

class Replay {
  public:
    /// Reads the scene of the recording. Throws InputError.
    explicit Replay(Recording recording);

    Session& session() { return session_; }
    const Recording& recording() const { return recording_; }
    int frames() const { return recording_.frames(); }
    /// The first frame whose hash differs, of those that were run; -1 for none.
    int difference() const { return difference_; }

    struct Result {
        int frame = 0;
        std::uint64_t hash = 0, recorded = 0;  // of the recorded one only the bits that the file has
        bool equal = false;
    };

    /// Runs the next frame with its inputs; nothing at the end.
    std::optional<Result> step();

    /// Goes to a frame, from the last keyframe before it.
    void seek(int frame);

  private:
    struct Keyframe {
        int snapshot;
        std::size_t next_input;
    };

    void apply(const Input& input);
    void move_hands();
    Result compare();
    void keep();

    Recording recording_;
    Session session_;
    std::size_t next_input_ = 0;
    int difference_ = -1;
    int interval_ = 30;                  // of keyframes
    std::map<int, Keyframe> keyframes_;  // by frame
};

}  // namespace pliant
