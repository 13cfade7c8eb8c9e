// Glue: anchors of eight parents each, a frame of ten thousand, and chains that are solved as one.

#include "bench/report.h"
#include "pliant/base/parallel.h"
#include "pliant/geometry/sheets.h"
#include "pliant/glue/bound.h"
#include "pliant/glue/project_glue.h"
#include "pliant/glue/schedule.h"
#include "pliant/solver/solver.h"
#include "pliant/state/writable.h"
#include "pliant/world/edits.h"

#include <benchmark/benchmark.h>

namespace pliant {
namespace {

/// Glues with two anchors of eight parents, which share no particle: two sheets of cloth, one above the other.
World sheets(int glues)
{
    World world;
    const int rows = (glues + 63) / 64;
    const SurfaceMesh mesh = make_sheet(2.56, 0.04 * rows, 256, 4 * rows, SheetPattern::uniform);
    for (const double height : {0.0, 0.05})
        place_cloth(world, add_cloth(world, mesh, {}), {.position = {0, height, 0}});
    const int stride = 257;
    for (int g = 0; g < glues; ++g) {
        const int corner = 4 * (g / 64) * stride + 4 * (g % 64);
        Anchor anchors[2];
        for (int s = 0; s < 2; ++s) {
            const int first = world.cloths[static_cast<std::size_t>(s)].particles.first + corner;
            const std::vector<int> parents{first,          first + 1,          first + 2,          first + 3,
                                           first + stride, first + stride + 1, first + stride + 2, first + stride + 3};
            const Vec3d at = world.particles->x[first].cast<double>() + Vec3d{0.015, s == 0 ? 0.025 : -0.025, 0.005};
            anchors[s] = anchor_on_particles(world.particles, parents, at);
        }
        add_glue(world, anchors[0], anchors[1], {.stiffness = 1000});
    }
    for (std::size_t i = 0; i < world.particles->x.size(); ++i)
        writable(world.particles).x[i].y +=
            Real(0.0005) * static_cast<Real>(static_cast<int>(i * 2654435761U % 1000) - 500) / 500;
    return world;
}

enum class Other { particle, cloud };

/// Glue alone: clouds of eight loose particles, each glued to one more particle or to a cloud above it.
World loose_clouds(int glues, Other other)
{
    World world;
    const int upper = other == Other::cloud ? 8 : 1, stride = 8 + upper;
    Particles& particles = writable(world.particles);
    particles.append(glues * stride);
    for (int g = 0; g < glues; ++g) {
        const Vec3d corner{0.05 * (g % 100), 0, 0.05 * (g / 100)}, point = corner + Vec3d{0.015, 0.025, 0.005};
        std::vector<int> parents[2];
        for (int i = 0; i < stride; ++i) {
            const bool below = i < 8;
            const int p = g * stride + i;
            parents[below ? 0 : 1].push_back(p);
            const Vec3d place = corner + Vec3d{0.01 * (i % 4), below ? 0 : 0.05, 0.01 * (i % 8 / 4)};
            const double noise = 1e-6 * static_cast<double>(p * 2654435761U % 1000);
            particles.x[p] = ((below || other == Other::cloud ? place : point) + Vec3d{0, noise, 0}).cast<Real>();
            particles.mass[p] = Real(1e-3);
            particles.inv_mass[p] = Real(1e3);
        }
        add_glue(world, anchor_on_particles(world.particles, parents[1], point),
                 anchor_on_particles(world.particles, parents[0], point), {.stiffness = 1000});
    }
    return world;
}

/// One substep of glue, everything included: keys, loading, passes, storing, forces and work.
void anchor8(benchmark::State& state)
{
    constexpr int kGlues = 10'000, kPasses = 5;
    set_threads(static_cast<int>(state.range(0)));
    World world = sheets(kGlues);
    Joints joints = make_joints(world.glues, world.particles->size(), world.rigid_bodies->size());
    std::vector<GlueEvent> events;
    Particles& particles = writable(world.particles);
    RigidBodies& bodies = writable(world.rigid_bodies);
    const std::vector<Vec3> start = particles.x;
    Predicted predicted{start, std::vector<Vec3>(start.size())};
    const Real h = Real(1) / 240;
    for (auto _ : state) {
        particles.x = start;
        begin_glue(0, h, particles, bodies, writable(world.glues), joints, events);
        for (int pass = 0; pass < kPasses; ++pass) project_glue(pass, joints, particles, bodies);
        place_bound(joints, particles, bodies, predicted);
        match_bound_velocities(h, joints, particles, bodies);
        end_glue(h, h, joints, writable(world.glues), events);
    }
    report(state, "ns_per_anchor", 2 * kGlues * kPasses);
    set_threads(0);
}
BENCHMARK(anchor8)->Name("glue/anchor8")->ArgName("threads")->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

/// A frame of 1/60 s with ten thousand soft glues: of a particle to eight, or of eight to eight.
void soft_10k(benchmark::State& state, Other other)
{
    set_threads(static_cast<int>(state.range(0)));
    World world = loose_clouds(10'000, other);
    writable(world.forces).gravity = {};
    Solver solver;
    for (auto _ : state) solver.step(world);
    set_threads(0);
}
BENCHMARK_CAPTURE(soft_10k, particle, Other::particle)
    ->Name("glue/soft_10k")
    ->ArgName("threads")
    ->Arg(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(soft_10k, cloud, Other::cloud)
    ->Name("glue/soft_10k/clouds")
    ->ArgName("threads")
    ->Arg(1)
    ->Unit(benchmark::kMillisecond);

/// Light links between heavy ones, in blocks: 250 chains of eight rigid bodies.
void chains_2k(benchmark::State& state)
{
    set_threads(static_cast<int>(state.range(0)));
    World world;
    for (int c = 0; c < 250; ++c) {
        Anchor end = anchor_on_motion({0, 0, Real(0.2) * static_cast<Real>(c)});
        for (int i = 0; i < 8; ++i) {
            const double z = 0.2 * c;
            const RigidId id = add_rigid(world, {.kind = RigidKind::box, .size = {0.1, 0.04, 0.04}},
                                         {.mass = i < 7 ? Real(0.05) : Real(5)});
            place_rigid(world, id, {.position = {0.05 + 0.1 * i, 0, z}});
            add_glue(world, end, anchor_on(world, id, {0.1 * i, 0, z}));
            end = anchor_on(world, id, {0.1 * (i + 1), 0, z});
        }
    }
    Solver solver;
    for (auto _ : state) solver.step(world);
    set_threads(0);
}
BENCHMARK(chains_2k)->Name("glue/chains_2k")->ArgName("threads")->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pliant
