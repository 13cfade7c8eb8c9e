#pragma once

#include "pliant/base/fields.h"
#include "pliant/math/types.h"

#include <array>
#include <vector>

namespace pliant {

/// Copies of a body in a scene file.
struct ArrayEntry {
    std::array<int, 3> count{1, 1, 1};
    Vec3d spacing{1, 1, 1};
    double jitter = 0;
    int seed = 1;
    double delay = 0;

    static constexpr auto fields()
    {
        using E = ArrayEntry;
        return std::tuple{
            Field{"count", &E::count, "1", "copies along x, y and z", Limits{.low = 1}},
            Field{"spacing", &E::spacing, "m", "from one copy to the next along x, y and z"},
            Field{"jitter", &E::jitter, "m", "each copy is moved at random by up to this along x, y and z",
                  kNonNegative},
            Field{"seed", &E::seed, "1", "of the jitter", kNonNegative},
            Field{"delay", &E::delay, "s",
                  "by which the motions of a copy come later than those of the copy before it"},
        };
    }
};

/// Where the copies go, relative to the body's position.
std::vector<Vec3d> copy_offsets(const ArrayEntry& array);

}  // namespace pliant
