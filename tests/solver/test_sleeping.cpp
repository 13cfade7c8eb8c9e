// Rigid bodies that have come to rest sleep, and wake when something may move them.

#include "edit_world.h"
#include "pliant/snapshot/snapshot.h"
#include "pliant/solver/sleeping.h"
#include "pliant/world/access.h"
#include "pliant/world/contact_surface.h"
#include "rigid/bodies.h"
#include "same_bits.h"

#include <gtest/gtest.h>

#include <chrono>
#include <random>

namespace pliant {
namespace {

using testing_rigids::box;
using testing_rigids::position;

class SleepRandom {
  public:
    explicit SleepRandom(unsigned seed) : random_(seed) {}
    double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
    double by_ratio(double low, double high) { return low * std::pow(high / low, between(0, 1)); }
    int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

  private:
    std::mt19937 random_;
};

World sleeping_ground()
{
    World world;
    set_contact(world, {.on = true, .friction = Real(0.5)});
    Collider floor;
    floor.friction = Real(0.5);
    add_collider(world, floor);
    return world;
}

/// A stack of boxes, each shifted and turned a little.
World sleepy_stack(int count, double size, unsigned seed)
{
    World world = sleeping_ground();
    SleepRandom random(seed);
    const double aside = 0.03 * size;
    for (int i = 0; i < count; ++i) {
        const RigidId id = add_rigid(world, box({size, size, size}), {.density = 300});
        place_rigid(
            world, id,
            {.linear = rotation_about({0, 1, 0}, random.between(-3, 3)),
             .position = {random.between(-aside, aside), size * (i + 0.5 + 0.001 * i), random.between(-aside, aside)}});
    }
    return world;
}

/// Bodies of all kinds that fall on the ground beside and on each other.
World sleepy_heap(int count, double size, unsigned seed)
{
    World world = sleeping_ground();
    SleepRandom random(seed);
    for (int i = 0; i < count; ++i) {
        const RigidForm form = random.below(3) > 0 ? box({size, size, size * random.between(0.5, 1)})
                                                   : box({size, size * random.between(0.3, 1), size});
        const RigidId id = add_rigid(world, form, {.density = static_cast<Real>(random.by_ratio(100, 3000))});
        place_rigid(world, id,
                    {.linear = rotation_about(Vec3d{random.between(-1, 1), 1, 0}.normalized(), random.between(0, 3)),
                     .position = {size * random.between(-1, 1), size * (1 + 1.8 * i), size * random.between(-1, 1)}});
    }
    return world;
}

/// Steps until all bodies sleep; the number of frames, or -1.
int frames_to_sleep(World& world, Solver& solver, int most)
{
    for (int frame = 0; frame < most; ++frame)
        if (solver.step(world).asleep == world.rigid_bodies->size()) return frame;
    return -1;
}

int steps_until(World& world, int frames)
{
    Solver solver;
    int asleep = 0;
    for (int frame = 0; frame < frames; ++frame) asleep = solver.step(world).asleep;
    return asleep;
}

TEST(Sleeping, StacksOfAnySizeSleepWhereTheyStand)
{
    SleepRandom random(1);
    for (int trial = 0; trial < 8; ++trial) {
        const double size = random.by_ratio(0.01, 3);
        const int count = 1 + random.below(12);
        World world = sleepy_stack(count, size, static_cast<unsigned>(trial));
        Solver solver;
        ASSERT_GE(frames_to_sleep(world, solver, 600), 25) << count << " of " << size << " m: half a second at least";
        const std::uint64_t asleep = hash_state(world);
        for (int frame = 0; frame < 30; ++frame) solver.step(world);
        EXPECT_EQ(hash_state(world), asleep) << "nothing moves";
        EXPECT_LT(position(world, count - 1).y, size * count);
        EXPECT_GT(position(world, count - 1).y, size * (count - 0.6));
    }
}

TEST(Sleeping, HeapsSleep)
{
    for (unsigned seed = 0; seed < 6; ++seed) {
        World world = sleepy_heap(8, 0.2, seed);
        Solver solver;
        EXPECT_GE(frames_to_sleep(world, solver, 1200), 0) << "seed " << seed;
    }
}

TEST(Sleeping, ItCanBeTurnedOff)
{
    World world = sleepy_stack(3, 0.2, 1);
    Settings settings = world.settings;
    settings.sleeping = false;
    set_settings(world, settings);
    EXPECT_EQ(steps_until(world, 200), 0);
    settings.sleeping = true;
    set_settings(world, settings);
    EXPECT_EQ(steps_until(world, 60), 3);
    settings.sleeping = false;
    set_settings(world, settings);
    EXPECT_EQ(steps_until(world, 1), 0);
}

World sleeping_stack(int count = 4)
{
    World world = sleepy_stack(count, 0.2, 5);
    Solver solver;
    EXPECT_GE(frames_to_sleep(world, solver, 600), 0);
    return world;
}

TEST(Sleeping, AThrownBodyWakesWhatItHitsAndGivesItItsMomentum)
{
    SleepRandom random(3);
    for (int trial = 0; trial < 20; ++trial) {
        World world = sleeping_stack();
        Collider ice = world.colliders[0];
        ice.friction = 0;
        set_collider(world, world.colliders.id_at(0), ice);
        EXPECT_EQ(steps_until(world, 60), 4) << "again, on ice";
        const RigidId ball =
            add_rigid(world, box({0.1, 0.1, 0.1}), {.density = static_cast<Real>(random.by_ratio(100, 1e4))});
        const double speed = random.by_ratio(0.5, 200);
        place_rigid(world, ball,
                    {.position = {0.21 + random.between(0, 0.1) * speed, 0.5, 0}, .velocity = {-speed, 0, 0}});
        const Vec3d before = linear_momentum(world);
        EXPECT_EQ(count_asleep(world.rigid_bodies), 4);
        EXPECT_EQ(steps_until(world, 8), 0) << "all have been woken";
        EXPECT_GT((position(world, 2) - Vec3d{0, 0.5, 0}).norm(), 0.0001 * speed) << "it has been hit";
        // faster ones may be taken back by the guard, which does not keep momentum
        const double loss = std::abs(linear_momentum(world).x - before.x) / std::abs(before.x);
        EXPECT_LT(speed < 20 ? loss : 0, 0.01) << speed << " m/s";
        EXPECT_EQ(find_crossings(world).size(), 0U);
    }
}

TEST(Sleeping, WhatDoesNotComeNearLeavesItAsleep)
{
    World world = sleeping_stack();
    const RigidId ball = add_rigid(world, box({0.1, 0.1, 0.1}));
    place_rigid(world, ball, {.position = {1, 3, 0}});
    Solver solver;
    EXPECT_EQ(solver.step(world).asleep, 4);
    for (int frame = 0; frame < 20; ++frame) EXPECT_EQ(solver.step(world).asleep, 4);
}

/// The stack wakes with the next frame after a change.
template <class Change>
void expect_to_wake(const char* what, const Change& change)
{
    World world = sleeping_stack();
    change(world);
    EXPECT_EQ(Solver().step(world).asleep, 0) << what;
}

TEST(Sleeping, EditsWake)
{
    const auto id = [](const World& world, int i) { return world.rigids.id_at(i); };
    expect_to_wake("impulse", [&](World& w) { add_impulse(w, id(w, 1), {1, 0, 0}, {0, 0.3, 0}); });
    expect_to_wake("force", [&](World& w) { add_force(w, id(w, 2), {1, 0, 0}, {0, 0.3, 0}); });
    expect_to_wake("velocity", [&](World& w) { set_velocity(w, id(w, 3), {1, 0, 0}, {}); });
    expect_to_wake("grab", [&](World& w) { add_grab(w, BodyRef(id(w, 3)), 0, {0, 0.7, 0}, 0); });
    expect_to_wake("parameters", [&](World& w) { set_rigid(w, id(w, 0), {.density = 100}); });
    expect_to_wake("gravity", [&](World& w) { set_forces(w, {.gravity = {1, -9, 0}}); });
    expect_to_wake("contact", [&](World& w) { set_contact(w, {.on = false}); });
    expect_to_wake("filter", [&](World& w) { set_contact_filter(w, id(w, 0), id(w, 1), false); });
    expect_to_wake("no ground", [&](World& w) { remove_collider(w, w.colliders.id_at(0)); });
    expect_to_wake("hold", [&](World& w) { hold_rigid(w, id(w, 1)); });
    expect_to_wake("a body below is removed", [&](World& w) { remove_rigid(w, id(w, 0)); });
    expect_to_wake("glue", [&](World& w) {
        add_glue(w, anchor_on(w, id(w, 3), {0, 0.8, 0}), anchor_on(w, id(w, 2), {0, 0.5, 0}));
    });
    expect_to_wake("place", [&](World& w) { place_rigid(w, id(w, 3), {.position = {0, 2, 0}}); });
    expect_to_wake("a collider", [&](World& w) {
        Collider block{.shape = ColliderShape::box, .position = {0.2, 0.1, 0}};
        block.size = {0.3, 0.1, 0.1};
        add_collider(w, block);
    });
}

TEST(Sleeping, BodiesFallWhenTheirSupportGoes)
{
    World world = sleeping_stack();
    const double before = position(world, 3).y;
    remove_rigid(world, world.rigids.id_at(0));
    steps_until(world, 30);
    EXPECT_LT(position(world, 2).y, before - 0.15);
    world = sleeping_stack();
    remove_collider(world, world.colliders.id_at(0));
    steps_until(world, 30);
    EXPECT_LT(position(world, 3).y, before - 0.5);
}

TEST(Sleeping, AMovingColliderWakes)
{
    World world = sleeping_stack();
    Collider pusher{.shape = ColliderShape::sphere, .position = {1, 0.1, 0}};
    pusher.radius = Real(0.1);
    const double now = world.time;
    pusher.motion.keys = {{now + 0.5, {0, 0, 0}, 0}, {now + 1, {-1, 0, 0}, 0}};
    add_collider(world, pusher);
    EXPECT_EQ(steps_until(world, 20), 4) << "it stands still for half a second";
    steps_until(world, 60);
    EXPECT_LT(position(world, 0).x, -0.05) << "pushed along";
}

TEST(Sleeping, AHeldBodyThatIsReleasedOrDrivenWakes)
{
    World world = sleeping_ground();
    const RigidId table = add_rigid(world, box({1, 0.1, 1}), {.density = 300});
    place_rigid(world, table, {.position = {0, 1, 0}});
    const RigidId cup = add_rigid(world, box({0.1, 0.1, 0.1}), {.density = 300});
    place_rigid(world, cup, {.position = {0, 1.1005, 0}});
    hold_rigid(world, table, {}, 2);
    EXPECT_EQ(steps_until(world, 110), 1) << "the cup sleeps on the held table";
    EXPECT_EQ(steps_until(world, 20), 0);
    EXPECT_LT(position(world, 1).y, 1.05) << "falls with it";
}

TEST(Sleeping, SlowBodiesWithoutGravityMoveOn)
{
    World world;
    set_contact(world, {.on = true});
    set_forces(world, {.gravity = {}});
    const RigidId id = add_rigid(world, box({0.2, 0.2, 0.2}));
    place_rigid(world, id, {.velocity = {1e-5, 0, 0}});
    EXPECT_EQ(steps_until(world, 120), 0);
    EXPECT_NEAR(position(world, 0).x, 2e-5, 1e-7);
}

TEST(Sleeping, FreshSolversSleepAndWakeInTheSameFrame)
{
    World world = sleepy_heap(6, 0.2, 2);
    const RigidId late = add_rigid(world, box({0.2, 0.2, 0.2}));
    place_rigid(world, late, {.position = {0, 60, 0}});  // lands after 3.5 s, when the others sleep
    World copy = world;
    Solver solver;
    int most = 0;
    for (int frame = 0; frame < 420; ++frame) {
        const int asleep = solver.step(world).asleep;
        most = std::max(most, asleep);
        if (frame % 7 == 0) copy = read_snapshot(write_snapshot(copy));
        EXPECT_EQ(Solver().step(copy).asleep, asleep);
        ASSERT_EQ(hash_state(world), hash_state(copy)) << "frame " << frame;
    }
    EXPECT_GE(most, 6);
}

TEST(Sleeping, TheSameBitsForAnyNumberOfThreads)
{
    expect_same_bits([] { return sleepy_heap(10, 0.2, 4); }, 300);
}

TEST(Sleeping, SleepCostsNextToNothing)
{
    World world = sleepy_stack(10, 0.2, 1);
    Solver solver;
    using Clock = std::chrono::steady_clock;
    const auto time = [&](int frames) {
        double least = 1;
        for (int frame = 0; frame < frames; ++frame) {
            const auto start = Clock::now();
            solver.step(world);
            least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
        }
        return least;
    };
    const double awake = time(20);
    ASSERT_GE(frames_to_sleep(world, solver, 600), 0);
    EXPECT_LT(time(20), 0.02 * awake);
}

}  // namespace
}  // namespace pliant
