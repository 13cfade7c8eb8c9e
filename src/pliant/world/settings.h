#pragma once

#include "pliant/base/fields.h"
#include "pliant/math/types.h"

namespace pliant {

struct Settings {
    Real dt = Real(1) / 60;
    int substeps = 1;
    int iterations = 5;

    static constexpr auto fields()
    {
        return std::tuple{
            Field{"dt", &Settings::dt, "s", "length of a frame", kPositive},
            Field{"substeps", &Settings::substeps, "1",
                  "steps a frame, at least; a body with a Young's modulus or a bending stiffness asks for as many as "
                  "it needs",
                  Limits{.low = 1, .high = 100000}},
            Field{"iterations", &Settings::iterations, "1", "passes over the constraints in each substep",
                  Limits{.low = 0, .high = 10000}},
        };
    }
};

}  // namespace pliant
