// Glue: one pass over anchors of eight parents each, everything included.

#include "bench/report.h"
#include "pliant/base/parallel.h"
#include "pliant/geometry/sheets.h"
#include "pliant/glue/schedule.h"
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
            const Vec3d at = world.particles.x[first].cast<double>() + Vec3d{0.015, s == 0 ? 0.025 : -0.025, 0.005};
            anchors[s] = anchor_on_particles(world.particles, parents, at);
        }
        add_glue(world, anchors[0], anchors[1], {.stiffness = 1000});
    }
    for (std::size_t i = 0; i < world.particles.x.size(); ++i)
        world.particles.x[i].y +=
            Real(0.0005) * static_cast<Real>(static_cast<int>(i * 2654435761U % 1000) - 500) / 500;
    return world;
}

void anchor8(benchmark::State& state)
{
    constexpr int kGlues = 10'000;
    set_threads(static_cast<int>(state.range(0)));
    World world = sheets(kGlues);
    Joints joints = make_joints(world.glues);
    GlueScratch scratch;
    std::vector<GlueEvent> events;
    const std::vector<Vec3> start = world.particles.x;
    begin_glue(0, Real(1) / 240, world.particles, world.rigid_bodies, world.glues, joints, scratch, events);
    int k = 0;
    for (auto _ : state) {
        if (k++ % 16 == 0) world.particles.x = start;
        project_glue(joints, world.particles, world.rigid_bodies, scratch);
    }
    report(state, "ns_per_anchor", 2 * kGlues);
    set_threads(0);
}
BENCHMARK(anchor8)->Name("glue/anchor8")->ArgName("threads")->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pliant
