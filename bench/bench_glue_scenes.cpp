// What glue costs in whole scenes: shares of a frame, in per cent. The paper has 1.6 for the fit and 1.5 for the derivatives
// of its branches, and less than 0.1 for its shirt.
//
//   glue          all of it, by the timer of its phase
//   fit           moments and rotation of all clouds, once a pass
//   derivatives   K^-1, the mobility and the forces passed on to the parents, once a pass
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

/// The clouds of the joints that hold, and one pass over them.
class Clouds {
  public:
    /// Begins one more substep of the world's glue.
    Clouds(World& world, Real h) : joints_(make_joints(world.glues))
    {
        std::vector<GlueEvent> events;
        load_joints(world.glues, joints_);
        begin_glue(world.time, h, world.particles, world.rigid_bodies, writable(world.glues), joints_, scratch_,
                   events);
        for (const JointGroup& group : joints_.groups)
            for (const JointSide& side : group.side)
                if (group.active && side.fits) sides_.push_back(&side);
        fits_.resize(sides_.size());
        centers_.resize(sides_.size());
    }

    void fit()
    {
        for (std::size_t s = 0; s < sides_.size(); ++s) {
            const JointSide& side = *sides_[s];
            Vector3<Lanes> origin{}, offset{};
            Matrix3<Lanes> b = side.alone * Matrix3<Lanes>::identity();
            for (int r = side.first_row; r < side.first_row + side.rows; ++r) {
                const ParentRow& row = joints_.rows[r];
                const Vector3<Lanes> x = gather(scratch_.points.data(), row.point.data()).x;
                if (r == side.first_row) origin = x;
                const Vector3<Lanes> u = row.weight * (x - origin);
                offset += u;
                b += Matrix3<Lanes>::outer(u, row.rest);
            }
            centers_[s] = origin + offset;
            fits_[s] = fit_rotation(b, side.rotation);
        }
        benchmark::DoNotOptimize(fits_.data());
        benchmark::ClobberMemory();
    }

    void derive()
    {
        for (std::size_t s = 0; s < sides_.size(); ++s) {
            const JointSide& side = *sides_[s];
            const BoundFrame<Lanes> frame = bound_frame(centers_[s], fits_[s], side.point);
            Matrix3<Lanes> a = mobility(frame, side.inertia);
            const Vector3<Lanes> force = a.c[0];
            const Vector3<Lanes> eta = turning(frame, force);
            for (int r = side.first_row; r < side.first_row + side.rows; ++r)
                a.c[1] += passed_on(frame, force, eta, joints_.rows[r].weight, joints_.rows[r].rest);
            benchmark::DoNotOptimize(a);
        }
        benchmark::ClobberMemory();
    }

  private:
    Joints joints_;
    GlueScratch scratch_;
    std::vector<const JointSide*> sides_;
    std::vector<RotationFit<Lanes>> fits_;
    std::vector<Vector3<Lanes>> centers_;
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
    const double passes = 1.0 * substeps * scene.world.settings->iterations;
    const Real h = scene.world.settings->dt * static_cast<Real>(state.iterations()) / static_cast<Real>(substeps);
    Clouds clouds(scene.world, h);
    const double fit = seconds_of_pass([&] { clouds.fit(); }), derive = seconds_of_pass([&] { clouds.derive(); });
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
