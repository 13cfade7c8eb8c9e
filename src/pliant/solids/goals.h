#pragma once
// Scratch of the passes over a solid's clusters: sized in the first step, never kept.

#include "pliant/shape/fit.h"

namespace pliant {

/// What the limit does to the members of one cluster besides pulling them in.
struct LimitFit {
    bool active = false;  // some member is beyond the limit
    Real limit = 0;       // gamma w_c [m]
    Real factor = 0;      // of the `cluster` limiter: limited goal - x = factor (x - g)
    Vec3 mean;            // of the displacements, taken away again [m]
    Vec3 spin;            // of the displacements about t, taken away again
};

struct SolidScratch {
    Blocks x;                      // per block, relative to a point of the body [m]
    Blocks v;                      // per block [m/s]
    std::vector<ClusterFit> fits;  // per cluster
    std::vector<LimitFit> limits;  // per cluster
    std::vector<Lanes> factor;     // per entry: limited goal - x = factor (x - g)
};

}  // namespace pliant
