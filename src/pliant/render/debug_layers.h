#pragma once
// What the engine sees, as points and lines with a number each, to draw over a picture: a layer for each kind.

#include "pliant/solver/report.h"
#include "pliant/world/world.h"

#include <array>
#include <vector>

namespace pliant {

enum class DebugKind { particles, clusters, fibres, rod_frames, glue, contacts, crossings, pins, velocities };
constexpr auto enum_names(DebugKind)
{
    return std::array{"particles", "clusters",  "fibres", "rod_frames", "glue",
                      "contacts",  "crossings", "pins",   "velocities"};
}

struct DebugLayer {
    std::vector<Vec3> points;        // [m]
    std::vector<Real> sizes;         // per point: radius [m], 0 where it has none
    std::vector<Real> point_values;  // per point
    std::vector<Vec3> lines;         // two a line [m]
    std::vector<Real> line_values;   // per line

    void add_point(const Vec3& at, Real size, Real value);
    void add_line(const Vec3& a, const Vec3& b, Real value);
};

/// What the values mean is said in web/engine/index.d.ts. `report` is that of the last step, for the contacts.
DebugLayer make_debug_layer(DebugKind kind, const World& world, const StepReport& report);

}  // namespace pliant
