#pragma once

#include "pliant/base/fields.h"
#include "pliant/math/types.h"

#include <optional>

namespace pliant {

/// Scales the substeps that the engine chooses: half, all or twice as many as its rules ask for.
enum class Quality { draft, normal, fine };
constexpr auto enum_names(Quality) { return std::array{"draft", "normal", "fine"}; }

struct Settings {
    Real dt = Real(1) / 60;
    std::optional<int> substeps;
    std::optional<int> iterations;
    Quality quality = Quality::normal;
    bool sleeping = true;

    static constexpr auto fields()
    {
        return std::tuple{
            Field{"dt", &Settings::dt, "s", "length of a frame", kPositive},
            Field{"substeps", &Settings::substeps, "1",
                  "steps a frame, at least; left out, the engine chooses them from what is in the scene. A body with a "
                  "Young's modulus or a bending stiffness always gets as many as it needs to be stable",
                  Limits{.low = 1, .high = 100000}},
            Field{"iterations", &Settings::iterations, "1",
                  "passes over the constraints in each substep; left out, one: more substeps do more for the same cost",
                  Limits{.low = 0, .high = 10000}},
            Field{"quality", &Settings::quality, "",
                  "of the substeps that the engine chooses: draft takes half as many, fine twice as many"},
            Field{"sleeping", &Settings::sleeping, "",
                  "rigid bodies that have come to rest are left out of the step until something may touch them"},
        };
    }
};

/// Passes over the constraints in each substep.
inline int iterations_of(const Settings& settings) { return settings.iterations.value_or(1); }

}  // namespace pliant
