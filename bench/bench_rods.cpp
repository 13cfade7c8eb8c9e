// Rods: the ghost-point sweep and the direct solve, and how they grow.

#include "bench/baselines/long_form_rod.h"
#include "bench/report.h"
#include "pliant/base/parallel.h"
#include "pliant/rods/pass.h"
#include "pliant/solver/solver.h"
#include "pliant/state/writable.h"
#include "pliant/world/edits.h"

#include <benchmark/benchmark.h>

namespace pliant {
namespace {

/// Strands side by side, each of `edges` edges of 1 cm, waved so that all constraints have work to do.
World strands(int count, int edges, const RodParams& params)
{
    std::vector<Strand> all;
    for (int s = 0; s < count; ++s) {
        Strand strand;
        for (int i = 0; i <= edges; ++i) strand.points.push_back({0.01 * i, 0.02 * s, (i % 4 < 2 ? 0.002 : -0.002)});
        all.push_back(std::move(strand));
    }
    World world;
    writable(world.settings).iterations = 1;
    add_rod(world, all, params);
    for (std::size_t i = 0; i < world.particles->x.size(); ++i)
        writable(world.particles).x[i].y +=
            Real(0.0005) * static_cast<Real>(static_cast<int>(i * 2654435761U % 1000) - 500) / 500;
    return world;
}

void pass(benchmark::State& state, const RodParams& params, int count, int edges)
{
    set_threads(static_cast<int>(state.range(0)));
    World world = strands(count, edges, params);
    std::vector<RodSystem> systems;
    systems.push_back(make_system(world.rods[0]));
    Particles& particles = writable(world.particles);
    particles.x_prev = particles.x;
    const std::vector<Vec3> start = particles.x;
    int k = 0;
    for (auto _ : state) {
        if (k++ % 16 == 0) particles.x = start;
        begin_rods(systems);
        project_rods(Real(1) / 240, 0, 1, 0, world.rods, particles, systems);
    }
    report(state, "ns_per_edge", static_cast<double>(world.rods[0].edges.size()));
    set_threads(0);
}

/// The same pass in the long published form, scalar and in double.
void reference(benchmark::State& state, const RodParams& params, int count, int edges)
{
    LongFormRod rod = make_long_form_rod(strands(count, edges, params));
    const std::vector<Vec3d> start = rod.x;
    int k = 0;
    for (auto _ : state) {
        if (k++ % 16 == 0) rod.x = start;
        sweep_long_form_rod({0.16, 0.16, 0.16}, rod);  // half of bend and twist in 1/60 s, at 1/240 s
    }
    report(state, "ns_per_edge", static_cast<double>(rod.edges.size()));
}

RodParams soft() { return {.bend = Real(0.5), .twist = Real(0.5)}; }
RodParams stiff() { return {.youngs_modulus = Real(1e7)}; }
RodParams stiff_sweep() { return {.youngs_modulus = Real(1e7), .solver = RodSolver::sweep}; }

#define PLIANT_ROD_BENCH(name, ...) \
    BENCHMARK_CAPTURE(pass, name, __VA_ARGS__)->Name("rods/" name)->UseRealTime()->Unit(benchmark::kMicrosecond)

PLIANT_ROD_BENCH("ghost/1000x50", soft(), 1000, 50)->ArgName("threads")->Arg(1);
BENCHMARK_CAPTURE(reference, "ghost/1000x50", soft(), 1000, 50)
    ->Name("rods/ghost/1000x50/reference")
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);
PLIANT_ROD_BENCH("ghost/1x10000", soft(), 1, 10000)->ArgName("threads")->Arg(1);
PLIANT_ROD_BENCH("ghost/10000x20", soft(), 10000, 20)->ArgName("threads")->Arg(1)->Arg(2);
PLIANT_ROD_BENCH("stiff/1000x50", stiff_sweep(), 1000, 50)->ArgName("threads")->Arg(1);
PLIANT_ROD_BENCH("direct/1000x50", stiff(), 1000, 50)->ArgName("threads")->Arg(1)->Arg(2);

}  // namespace
}  // namespace pliant
