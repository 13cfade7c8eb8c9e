#include "pliant/solids/damping.h"

#include "pliant/base/parallel.h"
#include "pliant/solids/material.h"

namespace pliant {

void damp_solids(Real h, std::span<const Solid> solids, Particles& particles, std::span<SolidSystem> systems)
{
    parallel_for(static_cast<int>(solids.size()), 1, [&](int begin, int end) {
        for (int s = begin; s < end; ++s)
            damp_deformation(h, damping_of(solids[s]), solids[s].particles, particles, systems[s].scratch.motion);
    });
}

}  // namespace pliant
