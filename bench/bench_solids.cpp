// Solids: the goal pass beside a plain one, whole steps, growth with the number of particles.

#include "bench/paper_solid.h"
#include "pliant/base/parallel.h"
#include "pliant/geometry/mascot.h"
#include "pliant/geometry/shapes.h"
#include "pliant/solids/strain_limit.h"
#include "pliant/solver/solver.h"
#include "pliant/world/edits.h"

#include <benchmark/benchmark.h>

namespace pliant {
namespace {

/// The bunny of 2,020 particles in 26 clusters, stretched so that the limit has work to do.
World bunny(Real gamma, double stretch)
{
    SolidParams params;
    params.clustering = Clustering::random;
    params.cluster_radius = Real(0.265);
    params.seed = 1;
    params.gamma = gamma;
    params.omega = Real(0.3);
    World world;
    const SolidId id = add_solid(world, fill_with_count(make_mascot(1, 48), 2020), params, "bunny");
    place_solid(world, id,
                {.linear = Mat3d::diagonal({stretch, 1, 1}), .position = {}, .velocity = {}, .angular_velocity = {}});
    return world;
}

int memberships(const Clusters& clusters)
{
    int count = 0;
    for (const Lanes& share : clusters.share) {
        for (int l = 0; l < kLanes; ++l) count += share[l] > 0 ? 1 : 0;
    }
    return count;
}

void report(benchmark::State& state, const char* name, double per_iteration)
{
    state.counters[name] = benchmark::Counter(
        per_iteration * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

SolidScratch scratch_for(const Solid& solid)
{
    SolidScratch s;
    s.resize(solid.clusters);
    return s;
}

/// One pass of goals with the limit, from particle positions to new particle positions.
void goal_pass(benchmark::State& state, double stretch, Limiter limiter)
{
    set_threads(1);
    World world = bunny(Real(0.1), stretch);
    world.solids[0].params.limiter = limiter;
    std::vector<SolidScratch> scratch{scratch_for(world.solids[0])};
    const std::vector<Vec3> start = world.particles.x;
    int pass = 0;
    for (auto _ : state) {
        if (++pass % 8 == 0) world.particles.x = start;  // keep it stretched
        limit_strain(world.solids, world.particles, scratch);
    }
    const Clusters& clusters = world.solids[0].clusters;
    const int count = memberships(clusters);
    report(state, "ns_per_membership", count);
    state.counters["memberships"] = count;
    state.counters["clusters"] = clusters.size();
    state.counters["lanes_used"] = count / (8.0 * static_cast<double>(clusters.part.size()));
}

void goal_pass_reference(benchmark::State& state, double stretch)
{
    const World world = bunny(Real(0.1), stretch);
    PaperSolid paper = make_paper_solid(world);
    const std::vector<Vec3d> start = paper.x;
    int pass = 0;
    for (auto _ : state) {
        if (++pass % 8 == 0) paper.x = start;
        paper_limit(paper, 0.1, 0.3);
    }
    report(state, "ns_per_membership", memberships(world.solids[0].clusters));
}

BENCHMARK_CAPTURE(goal_pass, stretched, 1.5, Limiter::corrected)->Name("solids/goal_pass/bunny");
BENCHMARK_CAPTURE(goal_pass, stretched_published, 1.5, Limiter::particle)->Name("solids/goal_pass/bunny/particle");
BENCHMARK_CAPTURE(goal_pass, stretched_cluster, 1.5, Limiter::cluster)->Name("solids/goal_pass/bunny/cluster");
BENCHMARK_CAPTURE(goal_pass, within, 1.0, Limiter::corrected)->Name("solids/goal_pass/bunny/within_limit");
BENCHMARK_CAPTURE(goal_pass_reference, stretched, 1.5)->Name("solids/goal_pass/bunny/reference");

void step_bunny(benchmark::State& state)
{
    set_threads(static_cast<int>(state.range(0)));
    World world = bunny(Real(0.1), 1);
    Collider floor;
    floor.position = {0, -0.7, 0};
    add_collider(world, floor);
    Solver solver;
    for (auto _ : state) solver.step(world);
    set_threads(0);
}
BENCHMARK(step_bunny)
    ->Name("solids/step/bunny")
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

void step_bunny_reference(benchmark::State& state)
{
    const World world = bunny(Real(0.1), 1);
    PaperSolid paper = make_paper_solid(world);
    for (auto _ : state) paper_step(paper, 1.0 / 60, 0.5, 0.1, 0.3, 5);
}
BENCHMARK(step_bunny_reference)->Name("solids/step/bunny/reference")->Unit(benchmark::kMicrosecond);

/// A block of about n particles, as many clusters as the default radius gives; stretched a little.
void growth(benchmark::State& state)
{
    set_threads(static_cast<int>(state.range(1)));
    World world;
    world.forces.gravity = {};
    const double n = std::cbrt(static_cast<double>(state.range(0)));
    const SolidId id = add_solid(world, fill_with_spacing(make_box({1, 1, 1}, 1), 1 / n), {}, "block");
    place_solid(world, id,
                {.linear = Mat3d::diagonal({1.1, 1, 1}), .position = {}, .velocity = {}, .angular_velocity = {}});
    Solver solver;
    solver.step(world);
    for (auto _ : state) solver.step(world);
    report(state, "ns_per_particle", world.particles.size());
    state.counters["particles"] = world.particles.size();
    set_threads(0);
}
BENCHMARK(growth)
    ->Name("solids/growth")
    ->ArgNames({"particles", "threads"})
    ->ArgsProduct({{1000, 10000, 100000, 1000000}, {1, 2}})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pliant
