#pragma once
// The step. It changes the World; what the Solver itself holds is scratch and may be thrown away.

#include "pliant/base/profile.h"
#include "pliant/solver/report.h"
#include "pliant/solver/workspace.h"
#include "pliant/world/world.h"

namespace pliant {

class Solver {
  public:
    /// Advances the world by dt. Never throws; a body that became non-finite is named in the report.
    StepReport step(World& world, Real dt);
    StepReport step(World& world) { return step(world, world.settings.dt); }

    /// Times of the phases, filled while profiling is on.
    Profile profile;

  private:
    template <class Work>
    void timed(Phase phase, Work&& work)
    {
        const PhaseTimer timer(profile, phase);
        work();
    }

    Workspace ws_;
};

}  // namespace pliant
