#pragma once
// The step. It changes the World; what the Solver itself holds is compiled from the World and may be thrown away: a
// fresh Solver at any frame gives the same bits.

#include "pliant/base/parallel.h"
#include "pliant/base/profile.h"
#include "pliant/solver/report.h"
#include "pliant/world/world.h"

#include <memory>

namespace pliant {

struct Compiled;
struct Crossing;

class Solver {
  public:
    Solver();
    ~Solver();
    Solver(Solver&&) noexcept;
    Solver& operator=(Solver&&) noexcept;

    /// Advances the world by dt [s]. Never throws: a body that became non-finite, or a dt that is no time, is named in the
    /// report. A dt of zero changes nothing.
    StepReport step(World& world, Real dt);
    StepReport step(World& world) { return step(world, world.settings->dt); }

    /// The edges that pass through triangles, as find_crossings(world) finds them, without setting up the surface anew.
    std::vector<Crossing> find_crossings(const World& world);
    /// The number of these and of what overlaps colliders, as count_intersections(world) finds it.
    std::size_t count_intersections(const World& world);

    /// The effort that the next step of the usual length would take, without stepping.
    Effort find_effort(const World& world);

    /// Where parallel loops run: a pool or a job system of the program's own; null for the threads of the process. The
    /// results are the same.
    JobSystem* jobs = nullptr;

    /// Whether reports tell what touched what, where and how hard.
    bool report_contacts = false;

    /// Times of the phases, filled while profiling is on.
    Profile profile;

  private:
    std::unique_ptr<Compiled> compiled_;
};

}  // namespace pliant
