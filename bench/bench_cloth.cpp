// Cloth: one elastic response beside the mass-spring cloth and Bullet's, whole frames, growth with the number of
// vertices.

#include "bench/cloth_sheets.h"
#include "bench/report.h"
#include "pliant/base/parallel.h"
#include "pliant/cloth/pass.h"
#include "pliant/solver/solver.h"
#include "pliant/world/measure.h"
#ifdef PLIANT_BENCH_BULLET
#include "bench/baselines/bullet_cloth.h"
#endif

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

namespace pliant {
namespace {

constexpr int kCells = 70;
constexpr Real kStep = Real(1) / 600;  // ten substeps a frame
constexpr double kNoise = 0.3;         // edges

World curtain(const ClothParams& params = {})
{
    World world = hang_sheet(kCells, params, Start::upright, kNoise);
    writable(world.settings).substeps = 10;
    writable(world.forces).drag = 1;
    return world;
}

void report_strain(benchmark::State& state, const Strain& strain, const std::string& suffix = "")
{
    state.counters["max_strain" + suffix] = strain.max;
    state.counters["p99_strain" + suffix] = strain.p99;
}

// One response ---------------------------------------------------------------------------------------------------

/// The curtain half a second after it was let go, as a pass meets it: with positions predicted.
const World& moving_curtain()
{
    static const World moving = [] {
        World world = curtain();
        Solver solver;
        for (int frame = 0; frame < 30; ++frame) solver.step(world);
        Particles& p = writable(world.particles);
        p.x_prev = p.x;
        for (int i = 0; i < p.size(); ++i)
            if (p.inv_mass[i] > 0) p.x[i] += kStep * (p.v[i] + kStep * world.forces->gravity);
        return world;
    }();
    return moving;
}

/// A world ready for passes outside of a solver.
struct Passes {
    World world;
    std::vector<ClothSystem> systems;
    std::vector<Vec3> start;

    explicit Passes(World w) : world(std::move(w)), start(world.particles->x)
    {
        systems.push_back(make_system(world.cloths[0]));
        update_pins(world.cloths[0], world.particles->inv_mass, systems[0]);
    }
    void restart() { writable(world.particles).x = start; }
    void run()
    {
        begin_cloths(systems);
        project_cloths(kStep, world.cloths, writable(world.particles), systems);
    }
};

/// After five seconds: 3,000 steps of one pass.
Strain strain_when_hung(const World& start)
{
    World world = start;
    Solver solver;
    for (int frame = 0; frame < 300; ++frame) solver.step(world);
    return measure_strain(world, world.cloths[0]);
}

void response(benchmark::State& state, FibreMode fibres)
{
    set_threads(1);
    ClothParams params;
    params.fibres = fibres;
    World world = curtain(params);
    world.particles = moving_curtain().particles;
    Passes passes(std::move(world));
    for (auto _ : state) {
        passes.restart();
        passes.run();
    }
    report(state, "ns_per_vertex", passes.world.particles->size());
    if (fibres == FibreMode::solve) {
        static const Strain strain = strain_when_hung(curtain());
        report_strain(state, strain);
    }
    set_threads(0);
}
BENCHMARK_CAPTURE(response, solve, FibreMode::solve)->Name("cloth/response/71")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(response, sweep, FibreMode::sweep)->Name("cloth/response/71/sweep")->Unit(benchmark::kMicrosecond);

/// Steps must be short enough for the springs: those of a cloth that has blown up cost less.
void step_springs(benchmark::State& state, MassSpring springs, Real h)
{
    for (auto _ : state) step_mass_spring(h, springs);
    report(state, "ns_per_vertex", static_cast<double>(springs.x.size()));
    const auto near = [](const Vec3& x) { return x.squared_norm() < 10; };
    if (!std::ranges::all_of(springs.x, near)) state.SkipWithError("the mass-spring cloth blew up");
}

void response_reference(benchmark::State& state)
{
    step_springs(state, spring_sheet(moving_curtain(), {}), Real(5e-5));
}
BENCHMARK(response_reference)->Name("cloth/response/71/reference")->Unit(benchmark::kMicrosecond);

#ifdef PLIANT_BENCH_BULLET

BulletCloth bullet_curtain(const World& world)
{
    return BulletCloth(world.cloths[0].rest, world.particles->x, world.particles->inv_mass, kStep, world.forces->drag);
}

/// Shortest of five [us].
template <class Work>
double microseconds(Work&& work)
{
    double best = 1e30;
    for (int trial = 0; trial < 5; ++trial) {
        const auto start = std::chrono::steady_clock::now();
        work();
        best =
            std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

Strain bullet_strain_when_hung(const World& start, int iterations)
{
    BulletCloth bullet = bullet_curtain(start);
    for (int step = 0; step < 3000; ++step) bullet.step(iterations);
    World world = start;
    writable(world.particles).x = bullet.positions();
    return measure_strain(world, world.cloths[0]);
}

struct BulletHang {
    double our_step, step, step_same;  // [us]: a step of ours, one of Bullet with one iteration and with `iterations`
    int iterations;                    // as many as make a step of Bullet cost what one of ours does
    Strain strain, strain_same;
};

BulletHang measure_bullet()
{
    set_threads(1);
    World world = curtain();
    Solver solver;
    BulletHang hang;
    hang.our_step = microseconds([&] { solver.step(world); }) / world.settings->substeps.value_or(1);

    const World start = curtain();
    BulletCloth bullet = bullet_curtain(start);
    hang.step = microseconds([&] { bullet.step(1); });
    const double eleven = microseconds([&] { bullet.step(11); });
    hang.iterations =
        std::max(1, static_cast<int>(std::lround(1 + 10 * (hang.our_step - hang.step) / (eleven - hang.step))));
    hang.step_same = microseconds([&] { bullet.step(hang.iterations); });
    hang.strain = bullet_strain_when_hung(start, 1);
    hang.strain_same = hang.iterations == 1 ? hang.strain : bullet_strain_when_hung(start, hang.iterations);
    set_threads(0);
    return hang;
}

/// One position iteration, and how far Bullet stretches with the step that ours has.
void response_bullet(benchmark::State& state)
{
    static const BulletHang hang = measure_bullet();
    const World& start = moving_curtain();
    BulletCloth bullet = bullet_curtain(start);
    bullet.step(1);  // prepares the links
    for (auto _ : state) {
        bullet.set_positions(start.particles->x);
        bullet.project_links();
    }
    state.counters["links"] = bullet.links();
    state.counters["step_us"] = hang.step;
    state.counters["our_step_us"] = hang.our_step;
    state.counters["iterations_same_cost"] = hang.iterations;
    state.counters["step_us_same_cost"] = hang.step_same;
    report_strain(state, hang.strain);
    report_strain(state, hang.strain_same, "_same_cost");
}

#else

void response_bullet(benchmark::State& state)
{
    state.SkipWithError("built without Bullet: install libbullet-dev and configure again");
}

#endif
BENCHMARK(response_bullet)->Name("cloth/response/71/bullet")->Unit(benchmark::kMicrosecond);

// Frames ---------------------------------------------------------------------------------------------------------

void frame(benchmark::State& state)
{
    set_threads(1);
    static const World hung = [] {
        World world = curtain();
        Solver solver;
        for (int f = 0; f < 300; ++f) solver.step(world);
        return world;
    }();
    World world = hung;
    Solver solver;
    solver.step(world);
    for (auto _ : state) solver.step(world);
    report_strain(state, measure_strain(world, world.cloths[0]));
    set_threads(0);
}
BENCHMARK(frame)->Name("cloth/frame/hang_5k")->Unit(benchmark::kMillisecond);

// Growth ---------------------------------------------------------------------------------------------------------

/// A sheet of side x side vertices; the last one is kept, for it is asked for several times in a row.
Passes& sheet_of(int side)
{
    static std::unique_ptr<Passes> last;
    if (last == nullptr || last->world.particles->size() != side * side) {
        last.reset();  // a million of them are not held twice
        last = std::make_unique<Passes>(hang_sheet(side - 1, {}, Start::upright, kNoise));
    }
    return *last;
}

void growth(benchmark::State& state, int side, int thread_count)
{
    set_threads(thread_count);
    Passes& passes = sheet_of(side);
    int pass = 0;
    for (auto _ : state) {
        if (pass++ % 5 == 0) passes.restart();
        passes.run();
    }
    report(state, "ns_per_vertex", side * side);
    set_threads(0);
}

void growth_reference(benchmark::State& state, int side)
{
    step_springs(state, spring_sheet(sheet_of(side).world, {}), Real(1e-5));
}

/// Names with a suffix behind the size are not to be had from BENCHMARK.
const bool kRegistered = [] {
    for (const int side : {32, 55, 100, 173}) {
        const std::string name = "cloth/growth/vertices:" + std::to_string(side * side);
        benchmark::RegisterBenchmark(name.c_str(), growth, side, 1)->Unit(benchmark::kMicrosecond);
        benchmark::RegisterBenchmark((name + "/reference").c_str(), growth_reference, side)
            ->Unit(benchmark::kMicrosecond);
    }
    for (const int side : {316, 1000}) {
        for (const int thread_count : {1, 2}) {
            const std::string name =
                "cloth/growth/vertices:" + std::to_string(side * side) + "/threads:" + std::to_string(thread_count);
            benchmark::RegisterBenchmark(name.c_str(), growth, side, thread_count)
                ->UseRealTime()
                ->Unit(benchmark::kMillisecond);
        }
    }
    return true;
}();

}  // namespace
}  // namespace pliant
