// A step allocates nothing after the first one. Every allocation of the program is counted here.

#include "allocations.h"
#include "edit_world.h"
#include "pliant/base/parallel.h"
#include "pliant/geometry/sheets.h"
#include "pliant/solver/solver.h"
#include "solids/bodies.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>

std::atomic<std::size_t> pliant::allocated_bytes{0};

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PLIANT_COUNT_ALLOCATIONS 0  // the sanitizers own malloc
#else
#define PLIANT_COUNT_ALLOCATIONS 1

static std::atomic<long> allocations{0};

extern "C" {
void* __libc_malloc(std::size_t);  // NOLINT
void* malloc(std::size_t size)
{
    allocations.fetch_add(1, std::memory_order_relaxed);
    pliant::allocated_bytes.fetch_add(size, std::memory_order_relaxed);
    return __libc_malloc(size);
}
}
#endif

namespace pliant {
namespace {

#if PLIANT_COUNT_ALLOCATIONS
TEST(Allocation, AStepAfterTheFirstAllocatesNothing)
{
    using namespace testing_bodies;
    set_threads(1);
    World world;
    change_contact(world, [](ContactParams& params) { params.on = false; });  // lists of pairs grow
    add_solid(world, cube(8), {.damping = 1});
    add_solid(world, cube(8), {.clustering = Clustering::random, .limiter = Limiter::cluster});
    for (const FibreMode mode : {FibreMode::solve, FibreMode::sweep}) {
        const ClothId id = add_cloth(world, make_sheet(1, 1, 12, 12, SheetPattern::uniform),
                                     {.fibres = mode, .bending_stiffness = Real(1e-4), .damping = 1, .air_drag = 1});
        place_cloth(world, id, {.position = {0, 2, 0}});
    }
    pin_particles(world, std::vector{world.cloths[0].particles.first, world.cloths[0].particles.first + 12});
    const Strand strand{.points = {{2, 2, 0}, {2.1, 2, 0}, {2.2, 2.1, 0}, {2.3, 2, 0}}};
    add_rod(world, {strand, strand}, {.damping = 1, .bend_damping = 1, .twist_damping = 2});
    clamp_rod(world, add_rod(world, {strand}, {.youngs_modulus = Real(1e7)}), 0, RodEnd::start);
    const RigidForm forms[] = {{.kind = RigidKind::box}, {.kind = RigidKind::capsule}, {.kind = RigidKind::sphere}};
    for (const RigidForm& form : forms)
        place_rigid(world, add_rigid(world, form), {.linear = rotation_of({20, 30, 40}), .position = {4, 1, 0}});
    hold_rigid(world, add_rigid(world, forms[0]));
    add_glue(world, anchor_on(world, world.cloths.id_at(1), {0.5, 2, 0.5}),
             anchor_on(world, world.rigids.id_at(0), {4, 1, 0}), {.stiffness = 10});
    add_glue(world, anchor_on(world, world.rods.id_at(0), {2, 2, 0}, GlueKind::weld), anchor_on_motion({2, 2, 0}),
             {.kind = GlueKind::weld});
    Collider floor;
    floor.position = {0, -0.7, 0};
    floor.restitution = Real(0.3);
    add_collider(world, floor);
    add_grab(world, {1, 1, 1}, Real(0.01));
    disturb(world, Real(0.05));
    Solver solver;
    solver.step(world);
    const long before = allocations;
    for (int frame = 0; frame < 60; ++frame) solver.step(world);  // long enough to land
    const long counted = allocations - before;
    EXPECT_EQ(counted, 0);
    EXPECT_GT(solver.step(world).contacts, 0);
    std::vector<int>* probe = new std::vector<int>(10);  // the counter works
    EXPECT_GT(allocations - before, 0);
    delete probe;
    set_threads(0);
}

TEST(Allocation, NorDoesAStepOfBodiesThatTouchWithinRounding)
{
    set_threads(1);
    World world;
    set_contact(world, {.on = true, .friction = Real(0.5)});
    add_collider(world, {});
    for (const double y : {0.5, 1.5, 2.5})  // flush: faces in one plane
        place_rigid(world, add_rigid(world, {.kind = RigidKind::box}), {.position = {0.25 * y, y, 0}});
    writable(world.tangled) = false;  // no search for intersections, which is not part of every step
    World again = world;              // they touch in the first frame only: the second time allocates nothing
    Solver solver;
    for (int frame = 0; frame < 5; ++frame) solver.step(world);
    const long before = allocations;
    for (int frame = 0; frame < 5; ++frame) solver.step(again);
    EXPECT_EQ(allocations - before, 0);
    EXPECT_GT(solver.step(world).contacts, 0);
    set_threads(0);
}
#endif

}  // namespace
}  // namespace pliant
