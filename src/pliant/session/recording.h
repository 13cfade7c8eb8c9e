#pragma once
// A recording: a scene, what was done to it by hand, and a hash of the state of every frame. Whoever runs it again, on any
// machine and with any number of threads, arrives at the same hashes, or learns which frame is the first that differs.
//
// The file is JSON. Places of a hand are whole multiples of `unit`, a power of two, so that they are the same numbers
// everywhere, and a path is the steps from frame to frame. Of a hash the low 24 bits are kept, six hexadecimal digits a
// frame, and all of the last one: a minute with twenty drags is then below 20 kB once compressed.

#include "pliant/files/file_table.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pliant {

inline constexpr int kRecordingVersion = 1;

/// All that a scene is read from.
struct SceneText {
    std::string source = "scene";  // its name in messages
    std::string text;
    std::vector<std::string> sets{};  // as read_scene takes them
    FileTable files{};                // that the scene names
};

/// The text of a scene file, or of a built-in scene by its name, as read_scene finds it.
SceneText read_scene_source(const std::string& path_or_name, std::vector<std::string> sets);

using GridPoint = std::array<std::int64_t, 3>;  // in units

/// A parameter that was changed.
struct SetInput {
    std::string path;   // such as "solids.bunny.gamma"
    std::string value;  // JSON
};

/// A hand that took hold of a body, and where it went.
struct GrabInput {
    int hand = 0;
    std::string body;
    int particle = -1;  // of the body; -1 for a rigid body
    GridPoint at{};     // where it took hold
    double compliance = 0;
    std::vector<GridPoint> path{};  // per frame that it held: where it was
};

struct ReleaseInput {
    int hand = 0;
};

/// What was done after so many frames, before the next one.
struct Input {
    int frame = 0;
    std::variant<SetInput, GrabInput, ReleaseInput> what;
};

struct Recording {
    SceneText scene;
    double unit = 1;  // [m]
    std::vector<Input> inputs;
    std::vector<std::uint64_t> hashes;  // per frame, frame 0 included; of a file that was read only the low bits
    std::uint64_t last_hash = 0;        // of the last frame, all bits

    int frames() const { return static_cast<int>(hashes.size()) - 1; }
};

inline constexpr std::uint64_t kHashMask = 0xFFFFFF;  // the bits of a frame that a file keeps

/// JSON, in a few lines.
std::string write_recording(const Recording& recording);

/// Throws InputError that says what is wrong with it. `source` is its name in messages.
Recording read_recording(std::string_view json, const std::string& source);

/// Whether a text is meant to be a recording rather than a scene.
bool is_recording(std::string_view json);

}  // namespace pliant
