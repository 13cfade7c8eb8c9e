// What contact costs in whole frames of 20 substeps. A run is one iteration; its frames differ too much for a mean of many.
//
//   ms             a frame, on average
//   ms_worst       the longest
//   ms_settled     on average over the last tenth
//   intersections  edges that pass through triangles, summed over all frames
//   at_end         those of the last frame
//   p99_strain     of the cloth in the end: 99 of 100 edges are stretched by less
//   us_per_vertex  a frame, for 1,024, 10,000 and 99,856 vertices
//
// Rigid bodies take the substeps that the engine chooses, and do not sleep. bench/peers runs other engines beside them.

#include "pliant/base/parallel.h"
#include "pliant/geometry/sheets.h"
#include "pliant/solver/solver.h"
#include "pliant/state/writable.h"
#include "pliant/world/contact_surface.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"

#include <benchmark/benchmark.h>

#ifdef PLIANT_BENCH_BULLET
#include "bench/baselines/bullet_drape.h"
#endif

#include <algorithm>
#include <chrono>

namespace pliant {
namespace {

constexpr int kDrapeFrames = 120;

World sheet(int cells, double size, double thickness)
{
    World world;
    writable(world.settings).substeps = 20;
    writable(world.settings).iterations = 1;
    set_contact(world, {.on = true});
    add_cloth(world, make_sheet(size, size, cells, cells, SheetPattern::alternating),
              {.thickness = static_cast<Real>(thickness), .damping = 1});
    add_collider(world, {});  // the ground
    return world;
}

/// A cloth of 71 x 71 vertices falls on a ball.
World drape()
{
    World world = sheet(70, 1, 0.004);
    place_cloth(world, world.cloths.id_at(0), {.position = {0, 0.8, 0}});
    Collider ball;
    ball.shape = ColliderShape::sphere;
    ball.position = {0, 0.45, 0};
    ball.radius = Real(0.25);
    add_collider(world, ball);
    return world;
}

/// A sheet falls edge first.
World pile(int cells, double size)
{
    World world = sheet(cells, size, 0.004);
    place_cloth(world, world.cloths.id_at(0),
                {.linear = rotation_of({86, 3, 0}), .position = {0, 0.5 * size + 0.05, 0}});
    return world;
}

/// Four sheets fall flat on each other and the ground: what happens around a vertex is the same for every size.
World stack(int cells)
{
    const double size = 0.014 * cells;
    World world = sheet(cells, size, 0.004);
    for (int k = 1; k < 4; ++k)
        add_cloth(world, make_sheet(size, size, cells, cells, SheetPattern::alternating), world.cloths[0].params);
    for (int k = 0; k < 4; ++k) {
        place_cloth(world, world.cloths.id_at(k),
                    {.linear = rotation_of({0, 4.0 * k, 0}), .position = {0, 0.01 + 0.02 * k, 0}});
    }
    return world;
}

double seconds_of(const auto& act)
{
    const auto begin = std::chrono::steady_clock::now();
    act();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Runs frames of `world` by step(), which leaves the positions in it.
template <class Step>
void run_frames(benchmark::State& state, int frames, World& world, Step&& step)
{
    double sum = 0, worst = 0, last = 0;
    std::size_t intersections = 0, at_end = 0;
    for (int f = 0; f < frames; ++f) {
        const double ms = 1000 * seconds_of(step);
        sum += ms;
        worst = std::max(worst, ms);
        if (f >= frames - frames / 10) last += ms / (frames / 10);
        at_end = find_crossings(world).size();
        intersections += at_end;
    }
    state.SetIterationTime(sum / 1000);
    state.counters["ms"] = sum / frames;
    state.counters["ms_worst"] = worst;
    state.counters["ms_settled"] = last;
    state.counters["intersections"] = static_cast<double>(intersections);
    state.counters["at_end"] = static_cast<double>(at_end);
    state.counters["p99_strain"] = measure_strain(world, world.cloths[0]).p99;
}

void run_ours(benchmark::State& state, const World& start, int frames)
{
    set_threads(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        World world = start;
        Solver solver;
        run_frames(state, frames, world, [&] { solver.step(world); });
    }
    set_threads(0);
}

World boxes()
{
    World world;
    Settings settings = world.settings;
    settings.sleeping = false;
    set_settings(world, settings);
    set_contact(world, {.on = true, .friction = Real(0.5)});
    add_collider(world, {.friction = Real(0.5)});
    return world;
}

void add_box(World& world, const Vec3d& position, double degrees)
{
    const RigidId id = add_rigid(world, {.kind = RigidKind::box, .size = {0.2, 0.2, 0.2}}, {.density = 300});
    place_rigid(world, id, {.linear = rotation_of({0, degrees, 0}), .position = position});
}

/// Each shifted and turned a little: a straight stack proves nothing.
World stack_of_boxes()
{
    World world = boxes();
    for (int i = 0; i < 10; ++i)
        add_box(world, {0.006 * ((7 * i) % 5 - 2) / 2, 0.1 + 0.2002 * i, 0.006 * ((3 * i) % 5 - 2) / 2},
                (11 * i) % 7 - 3);
    return world;
}

/// They fall, layer by layer.
World pile_of_boxes()
{
    World world = boxes();
    for (int i = 0; i < 200; ++i)
        add_box(
            world,
            {0.36 * (i % 5 - 2) + 0.004 * (i % 7), 0.25 + 0.36 * (i / 25), 0.36 * (i / 5 % 5 - 2) + 0.004 * (i % 9)},
            (37 * i) % 61 - 30);
    return world;
}

void rigid_frames(benchmark::State& state, const World& start, int frames)
{
    set_threads(1);
    for (auto _ : state) {
        World world = start;
        Solver solver;
        double sum = 0, worst = 0, last = 0;
        for (int f = 0; f < frames; ++f) {
            const double ms = 1000 * seconds_of([&] { solver.step(world); });
            sum += ms;
            worst = std::max(worst, ms);
            if (f >= frames - frames / 5) last += ms / (frames / 5);
        }
        state.SetIterationTime(sum / 1000);
        state.counters["ms"] = sum / frames;
        state.counters["ms_worst"] = worst;
        state.counters["ms_settled"] = last;
        state.counters["intersections"] = static_cast<double>(find_crossings(world).size());
    }
    set_threads(0);
}

void add_rigid_frames(const char* name, World (*make)(), int frames)
{
    benchmark::RegisterBenchmark(name, [make, frames](benchmark::State& state) { rigid_frames(state, make(), frames); })
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

void growth(benchmark::State& state)
{
    constexpr int kBefore = 2, kFrames = 6;
    set_threads(1);
    for (auto _ : state) {
        World world = stack(static_cast<int>(state.range(0)));
        Solver solver;
        double contacts = 0;
        const auto run = [&](int frames) {
            for (int f = 0; f < frames; ++f) contacts += solver.step(world).feature_contacts.contacts;
        };
        run(kBefore);
        contacts = 0;
        const double frame = seconds_of([&] { run(kFrames); }) / kFrames;
        state.SetIterationTime(frame);
        state.counters["vertices"] = world.particles->size();
        state.counters["us_per_vertex"] = 1e6 * frame / world.particles->size();
        state.counters["contacts_per_vertex"] = contacts / kFrames / world.particles->size();
    }
    set_threads(0);
}

void add(const char* name, World (*make)(), int frames)
{
    benchmark::RegisterBenchmark(name, [make, frames](benchmark::State& state) { run_ours(state, make(), frames); })
        ->ArgName("threads")
        ->Arg(1)
        ->Arg(2)
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

#ifdef PLIANT_BENCH_BULLET
/// The same sheet, ball and ground; Bullet has one thread.
void run_bullet(benchmark::State& state)
{
    for (auto _ : state) {
        World world = drape();
        BulletDrape bullet(world);
        run_frames(state, kDrapeFrames, world, [&] {
            bullet.step_frame();
            writable(world.particles).x = bullet.positions();
        });
    }
}
#else
void run_bullet(benchmark::State& state)
{
    state.SkipWithError("built without Bullet: install libbullet-dev and configure again");
}
#endif

const int kAdded = [] {
    add("contact/frame/drape_5k", drape, kDrapeFrames);
    benchmark::RegisterBenchmark("contact/frame/drape_5k/bullet", run_bullet)
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
    add("contact/frame/pile_5k", [] { return pile(70, 1); }, 100);
    add("contact/frame/pile_10k", [] { return pile(99, 1.4); }, 100);
    add_rigid_frames("contact/frame/rigid_stack_10", stack_of_boxes, 300);
    add_rigid_frames("contact/frame/rigid_pile_200", pile_of_boxes, 480);
    benchmark::RegisterBenchmark("contact/growth/stack", growth)
        ->ArgName("cells")
        ->Arg(15)
        ->Arg(49)
        ->Arg(157)
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
    return 0;
}();

}  // namespace
}  // namespace pliant
