// Worlds that are stepped at once, each with threads of its own.

#include "pliant/base/parallel.h"
#include "pliant/geometry/sheets.h"
#include "pliant/solver/solver.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"
#include "solids/bodies.h"

#include <gtest/gtest.h>

#include <thread>

namespace pliant {
namespace {

World sheet_over_cube()
{
    World world;
    add_solid(world, testing_bodies::cube(8), {.damping = 1});
    const ClothId id = add_cloth(world, make_sheet(1, 1, 40, 40, SheetPattern::uniform), {.damping = 1});
    place_cloth(world, id, {.position = {0, 2, 0}});
    pin_particles(world, std::vector{world.cloths[0].particles.first});
    return world;
}

std::uint64_t run_with(int threads)
{
    Workers workers(threads);
    const UseWorkers scope(workers);
    World world = sheet_over_cube();
    Solver solver;
    for (int frame = 0; frame < 8; ++frame) solver.step(world);
    return hash_state(world);
}

TEST(Workers, TwoWorldsSteppedAtOnceEndInTheSameBits)
{
    const std::uint64_t alone = run_with(1);
    std::uint64_t first = 0, second = 0;
    std::thread beside([&] { second = run_with(2); });
    first = run_with(3);
    beside.join();
    EXPECT_EQ(first, alone);
    EXPECT_EQ(second, alone);
}

}  // namespace
}  // namespace pliant
