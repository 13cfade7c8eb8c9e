// Solids: the goal pass beside a plain one, whole steps, growth with the number of particles.

#include "bench/paper_solid.h"
#include "bench/report.h"
#include "pliant/base/parallel.h"
#include "pliant/geometry/mascot.h"
#include "pliant/geometry/shapes.h"
#include "pliant/solids/strain_limit.h"
#include "pliant/solver/solver.h"
#include "pliant/state/writable.h"
#include "pliant/world/edits.h"

#include <benchmark/benchmark.h>

namespace pliant {
namespace {

/// The bunny of 2,020 particles in 26 clusters, about to hit the ground.
World bunny()
{
    SolidParams params;
    params.cluster_radius = Real(0.219);
    params.omega = Real(0.3);
    World world;
    writable(world.settings).substeps = 1;
    writable(world.settings).iterations = 5;
    const SolidId id = add_solid(world, fill_with_count(make_mascot(1, 48), 2020), params, "bunny");
    place_solid(world, id, {.linear = Mat3d::identity(), .velocity = {0, -4, 0}});
    Collider floor;
    floor.position = {0, -0.55, 0};
    add_collider(world, floor);
    return world;
}

/// Positions that a pass meets: from a whole bounce, a stretched body (all clusters beyond the limit), or rest.
enum class State { bounce, stretched, at_rest };

std::vector<std::vector<Vec3>> positions(State state, World world)
{
    std::vector<std::vector<Vec3>> found;
    if (state == State::stretched) {
        place_solid(world, world.solids.id_at(0), {.linear = Mat3d::diagonal({1.5, 1, 1})});
    }
    Solver solver;
    for (int step = 0; state == State::bounce && step < 120; ++step) {
        solver.step(world);
        if (step % 8 == 0) found.push_back(world.particles->x);
    }
    if (found.empty()) found.push_back(world.particles->x);
    return found;
}

/// One pass of goals with the limit, from particle positions to new particle positions.
void goal_pass(benchmark::State& state, State start, Limiter limiter)
{
    set_threads(1);
    World world = bunny();
    SolidParams params = world.solids[0].params;
    params.limiter = limiter;
    set_solid(world, world.solids.id_at(0), params);
    std::vector<SolidSystem> systems;
    systems.push_back(make_system(world.solids[0]));
    Particles& particles = writable(world.particles);
    const std::vector<std::vector<Vec3>> x = positions(start, world);
    std::size_t pass = 0;
    for (auto _ : state) {
        if (pass % 5 == 0) particles.x = x[pass / 5 % x.size()];  // five iterations a step
        limit_strain(writable(world.solids), particles, systems);
        ++pass;
    }
    const Clusters& clusters = systems[0].clusters;
    const int count = world.solids[0].memberships.count();
    report(state, "ns_per_membership", count);
    state.counters["memberships"] = count;
    state.counters["clusters"] = clusters.size();
    state.counters["lanes_used"] = count / (8.0 * static_cast<double>(clusters.part.size()));
    set_threads(0);
}

void goal_pass_reference(benchmark::State& state, State start)
{
    const World world = bunny();
    PaperSolid paper = make_paper_solid(world);
    const std::vector<std::vector<Vec3>> x = positions(start, world);
    std::size_t pass = 0;
    for (auto _ : state) {
        if (pass % 5 == 0) {
            const std::vector<Vec3>& from = x[pass / 5 % x.size()];
            for (std::size_t i = 0; i < from.size(); ++i) paper.x[i] = from[i].cast<double>();
        }
        paper_limit(paper, 0.1, 0.3);
        ++pass;
    }
    report(state, "ns_per_membership", world.solids[0].memberships.count());
}

BENCHMARK_CAPTURE(goal_pass, bounce, State::bounce, Limiter::corrected)->Name("solids/goal_pass/bunny");
BENCHMARK_CAPTURE(goal_pass_reference, bounce, State::bounce)->Name("solids/goal_pass/bunny/reference");
BENCHMARK_CAPTURE(goal_pass, published, State::bounce, Limiter::particle)->Name("solids/goal_pass/bunny/particle");
BENCHMARK_CAPTURE(goal_pass, cluster, State::bounce, Limiter::cluster)->Name("solids/goal_pass/bunny/cluster");
BENCHMARK_CAPTURE(goal_pass, at_rest, State::at_rest, Limiter::corrected)->Name("solids/goal_pass/bunny_at_rest");
BENCHMARK_CAPTURE(goal_pass, stretched, State::stretched, Limiter::corrected)->Name("solids/goal_pass/bunny_stretched");

void step_bunny(benchmark::State& state)
{
    set_threads(static_cast<int>(state.range(0)));
    World world = bunny();
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

/// The same fall on the same floor, as the paper has it.
void step_bunny_reference(benchmark::State& state)
{
    const World world = bunny();
    PaperSolid paper = make_paper_solid(world);
    for (auto _ : state) paper_step(paper, 1.0 / 60, 0.5, 0.1, 0.3, iterations_of(world.settings));
    state.SetLabel("double, one thread, Eigen's JacobiSVD; compiled like ours: " PLIANT_BENCH_FLAGS);
}
BENCHMARK(step_bunny_reference)->Name("solids/step/bunny/reference")->Unit(benchmark::kMicrosecond);

/// A block of about n particles in free fall, so that every step and every size does the same work.
void growth(benchmark::State& state)
{
    set_threads(static_cast<int>(state.range(1)));
    World world;
    const double n = std::cbrt(static_cast<double>(state.range(0)));
    writable(world.settings).substeps = 1;
    writable(world.settings).iterations = 5;
    add_solid(world, fill_with_spacing(make_box({1, 1, 1}, 1), 1 / n), {.alpha = Real(0.5)}, "block");
    Solver solver;
    solver.step(world);
    for (auto _ : state) solver.step(world);
    report(state, "ns_per_particle", world.particles->size());
    state.counters["particles"] = world.particles->size();
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
