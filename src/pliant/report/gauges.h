#pragma once
// Measures the quantities that an expectation may bound.

#include "pliant/report/expect.h"

#include <span>

namespace pliant {

/// The part of the world that is measured: all bodies, or the one named by `of`.
struct Subject {
    const World& world;
    std::span<const Solid> solids;
    std::span<const Cloth> cloths;
    std::span<const Rod> rods;
    Range range;
    Range rigids;
    int contacts;
};

/// How a quantity is measured.
struct Gauge {
    Quantity what;
    bool whole_world;  // cannot be measured for one body
    bool vector;
    Vec3d (*measure)(const Subject&);  // a plain number in x
};

const Gauge& gauge_of(Quantity what);

}  // namespace pliant
