#pragma once
// `.glb`: glTF 2.0 in one file. The first frame of every body is its mesh, every other frame a morph target, and an animation
// goes from target to target. Viewers keep all targets in memory, so there is a limit of kMostGlbFrames.

#include "pliant/files/writer.h"

#include <memory>
#include <string>

namespace pliant {

inline constexpr int kMostGlbFrames = 1001;

/// Throws InputError for more frames than kMostGlbFrames, and for other axes or units than those of the format: y up, metres.
std::unique_ptr<FrameWriter> make_glb_writer(const std::string& path, const WriterOptions& options);

}  // namespace pliant
