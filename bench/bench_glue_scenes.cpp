// What glue costs in whole scenes: shares of a frame, in per cent. The paper has 1.6 for the fit and 1.5 for the derivatives
// of its branches, and less than 0.1 for its shirt.
//
//   glue          all of it, by the timer of its phase
//   fit           where all joints are: moments and rotation of clouds, once a pass
//   derivatives   J of all of them, once a pass
//
// The last two are too short to time within a pass. They are the same functions on the same joints, repeated outside.

#include "pliant/base/parallel.h"
#include "pliant/glue/schedule.h"
#include "pliant/scene/scene.h"
#include "pliant/solver/solver.h"
#include "pliant/state/writable.h"

#include <benchmark/benchmark.h>

#include <chrono>

namespace pliant {
namespace {

double seconds_of(const auto& action)
{
    const auto start = std::chrono::steady_clock::now();
    action();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The joints of a world, and one pass over them.
class JointParts {
  public:
    /// Begins one more substep of the world's glue.
    JointParts(World& world, Real h)
        : joints_(make_joints(world.glues, world.particles->size(), world.rigid_bodies->size())),
          bodies_(world.rigid_bodies)
    {
        std::vector<GlueEvent> events;
        load_joints(world.glues, joints_);
        begin_glue(world.time, h, world.particles, world.rigid_bodies, writable(world.glues), joints_, events);
    }

    void fit()
    {
        for (Joint& joint : joints_.joints)
            if (joint.on) measure_joint(joints_, joints_.systems[joint.system], bodies_, joint);
        benchmark::ClobberMemory();
    }
    void derive()
    {
        for (const Joint& joint : joints_.joints)
            if (joint.on) linearise_joint(joints_, Instant::now, joint, joints_.systems[joint.system]);
        benchmark::ClobberMemory();
    }

  private:
    Joints joints_;
    const RigidBodies& bodies_;
};

double seconds_of_pass(const auto& pass)
{
    constexpr int kRepeats = 2000;
    pass();
    return seconds_of([&] {
               for (int k = 0; k < kRepeats; ++k) pass();
           }) /
           kRepeats;
}

/// Frames of a scene, after as many to let it settle.
void frames_of(benchmark::State& state, const char* name, int settle)
{
    set_threads(1);
    Scene scene = read_scene(name);
    Solver solver;
    for (int f = 0; f < settle; ++f) solver.step(scene.world);
    solver.profile.on = true;
    solver.profile.clear();
    double seconds = 0;
    int substeps = 0;
    for (auto _ : state) {
        const double frame = seconds_of([&] { substeps += solver.step(scene.world).substeps; });
        state.SetIterationTime(frame);
        seconds += frame;
    }
    const double passes = 1.0 * substeps * iterations_of(scene.world.settings);
    const Real h = scene.world.settings->dt * static_cast<Real>(state.iterations()) / static_cast<Real>(substeps);
    JointParts joints(scene.world, h);
    const double fit = seconds_of_pass([&] { joints.fit(); }), derive = seconds_of_pass([&] { joints.derive(); });
    state.counters["glue"] = 0.1 * solver.profile.ms[static_cast<std::size_t>(Phase::glue)] / seconds;
    state.counters["fit"] = 100 * passes * fit / seconds;
    state.counters["derivatives"] = 100 * passes * derive / seconds;
    set_threads(0);
}

void branches(benchmark::State& state) { frames_of(state, "branches", 60); }
void shirt(benchmark::State& state) { frames_of(state, "shirt", 90); }
BENCHMARK(branches)->Name("glue/frame/branches")->UseManualTime()->Iterations(60)->Unit(benchmark::kMillisecond);
BENCHMARK(shirt)->Name("glue/frame/shirt")->UseManualTime()->Iterations(30)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pliant
