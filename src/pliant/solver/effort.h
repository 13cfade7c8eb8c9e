#pragma once
// How much work a frame gets. Where the settings leave the substeps out, the engine chooses them once a frame: every body
// says by the rule of its room (`wanted_substeps`) how many it wants, and the largest number counts for all. The rules
// look at the World alone, so the choice is the same for any number of threads and after a copy of the World.
//
// The number rises at once, since a blow does not wait, and falls by an eighth a frame: what depends on the substep, such
// as how far a constraint is from its limit, then changes little from one frame to the next.

#include "pliant/geometry/mesh.h"
#include "pliant/world/world.h"

#include <optional>
#include <vector>

namespace pliant {

struct Compiled;

/// What a frame gets, and why.
struct Effort {
    int substeps = 1;
    int iterations = 1;
    bool chosen = false;          // by the engine; else by the settings, or raised to what is stable
    std::optional<BodyRef> body;  // that asked for most; none where nothing asked for more than the settings say
    const char* why = "";         // what it asked for: "weight", "speed", "stiffness", "contact", "glue"
};

/// What moves, as far as it matters to what it may run into.
struct MovingBox {
    Box3 box;          // [m]
    double speed = 0;  // the highest [m/s]
};

/// The substeps that the engine chooses never exceed it, but for a body that would not be stable.
inline constexpr int kMostSubsteps = 100;

/// Of a frame of dt. `moving` is scratch.
Effort find_effort(const World& world, Real dt, const Compiled& compiled, std::vector<MovingBox>& moving);

}  // namespace pliant
