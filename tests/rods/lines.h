#pragma once
// Straight rods to test with.

#include "pliant/solver/solver.h"
#include "pliant/world/edits.h"

#include <gtest/gtest.h>

namespace pliant {

inline Strand line(const Vec3d& from, const Vec3d& to, int edges)
{
    Strand strand;
    for (int i = 0; i <= edges; ++i) strand.points.push_back(from + (double(i) / edges) * (to - from));
    return strand;
}

inline void run(World& world, int frames)
{
    Solver solver;
    for (int f = 0; f < frames; ++f) {
        const StepReport report = solver.step(world, world.settings->dt);
        ASSERT_EQ(report.trouble.text, "");
    }
}

}  // namespace pliant
