#pragma once
// Debug lines: the engine's view of the scene, for a program to draw over its own picture.

#include "pliant/world/world.h"

#include <array>
#include <vector>

namespace pliant {

enum class LineKind { edge, rod_frame, glue, pin, velocity };
constexpr auto enum_names(LineKind) { return std::array{"edge", "rod_frame", "glue", "pin", "velocity"}; }

struct DebugLine {
    Vec3 a, b;  // [m]
    LineKind kind = LineKind::edge;
};

/// The edges of all surfaces, the frames of rods (one line to each ghost), glues from anchor to anchor and to the
/// particles that carry them, pinned particles as small crosses, and velocities as the distance covered in 0.01 s.
std::vector<DebugLine> debug_lines(const World& world);

}  // namespace pliant
