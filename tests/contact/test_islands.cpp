// Rigid bodies that touch each other: stacks, piles and throws.

#include "pliant/geometry/convex_touch.h"
#include "pliant/math/block_cholesky.h"
#include "pliant/world/contact_surface.h"
#include "rigid/bodies.h"
#include "same_bits.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

using namespace testing_rigids;

class IslandRandom {
  public:
    explicit IslandRandom(unsigned seed) : random_(seed) {}
    double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
    double by_ratio(double low, double high) { return low * std::pow(high / low, between(0, 1)); }
    int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
    Vec3d direction()
    {
        const Vec3d d{between(-1, 1), between(-1, 1), between(-1, 1)};
        return d.norm() > 0.1 ? d.normalized() : direction();
    }

  private:
    std::mt19937 random_;
};

World ground(double friction)
{
    World world = world_with(8);
    writable(world.settings).substeps = {};  // chosen by the engine
    set_contact(world, {.on = true, .friction = static_cast<Real>(friction)});
    Collider floor;
    floor.friction = static_cast<Real>(friction);
    add_collider(world, floor);
    return world;
}

/// Boxes on each other, each shifted and turned a little: a straight stack proves nothing.
World disturbed_stack(int count, double size, double density_ratio, unsigned seed)
{
    World world = ground(0.5);
    IslandRandom random(seed);
    double density = 300;
    for (int i = 0; i < count; ++i, density *= density_ratio) {
        const RigidId id = add_rigid(world, box({size, size, size}), {.density = static_cast<Real>(density)});
        const double aside = 0.04 * size;
        place_rigid(
            world, id,
            {.linear = rotation_about({0, 1, 0}, random.between(-3, 3)),
             .position = {random.between(-aside, aside), size * (i + 0.5 + 0.001 * i), random.between(-aside, aside)}});
    }
    return world;
}

struct Creep {
    double sink = 0;   // of the highest body in all [m]
    double creep = 0;  // of any in the last second [m]
    std::size_t crossings = 0;
};

Creep stand(World world, int seconds)
{
    Solver solver;
    const int count = world.rigid_bodies->size();
    Creep result;
    const double before = position(world, count - 1).y;
    std::vector<Vec3d> last(static_cast<std::size_t>(count));
    for (int frame = 0; frame < 60 * seconds; ++frame) {
        if (frame == 60 * (seconds - 1))
            for (int i = 0; i < count; ++i) last[static_cast<std::size_t>(i)] = position(world, i);
        EXPECT_EQ(solver.step(world).trouble.text, "");
    }
    for (int i = 0; i < count; ++i)
        result.creep = std::max(result.creep, (position(world, i) - last[static_cast<std::size_t>(i)]).norm());
    result.sink = before - position(world, count - 1).y;
    result.crossings = find_crossings(world).size();
    return result;
}

TEST(Islands, StacksOfBoxesStandTenSeconds)
{
    for (const int count : {5, 10, 20}) {
        for (const unsigned seed : {1U, 2U}) {
            const Creep result = stand(disturbed_stack(count, 0.2, 1, seed), 10);
            EXPECT_LT(result.creep, 1e-5) << count << " boxes, seed " << seed;
            EXPECT_LT(result.sink, 0.2 * 0.0012 * count) << "the gaps that it started with";
            EXPECT_EQ(result.crossings, 0U);
        }
    }
}

TEST(Islands, DoublingMassesStandWithTheHeaviestOnTop)
{
    const Creep result = stand(disturbed_stack(11, 0.2, 2, 3), 10);
    EXPECT_LT(result.creep, 1e-5);
    EXPECT_LT(result.sink, 0.01 * 0.2);
    EXPECT_EQ(result.crossings, 0U);
}

/// Boxes that fall into a pile: too many for a direct solution.
World falling_pile(int count, double size, unsigned seed)
{
    World world = ground(0.5);
    IslandRandom random(seed);
    for (int i = 0; i < count; ++i) {
        const RigidId id = add_rigid(world, box({size, size, size}), {.density = 300});
        const double apart = 1.8 * size;
        place_rigid(world, id,
                    {.linear = rotation_about(random.direction(), random.between(0, 3)),
                     .position = {apart * (i % 4) + random.between(0, 0.02 * size), apart * (1 + i / 16),
                                  apart * (i / 4 % 4) + random.between(0, 0.02 * size)}});
    }
    return world;
}

TEST(Islands, PilesOfBoxesComeToRestAndSleepWithoutCrossings)
{
    IslandRandom random(5);
    for (const unsigned seed : {1U, 2U}) {
        World world = falling_pile(80, random.by_ratio(0.02, 2), seed);
        writable(world.settings).sleeping = true;
        Solver solver;
        int asleep = 0;
        for (int frame = 0; frame < 1200 && asleep < 80; ++frame) {
            asleep = solver.step(world).asleep;
            if (frame % 60 > 0) continue;
            EXPECT_EQ(find_crossings(world).size(), 0U) << "frame " << frame;
        }
        EXPECT_EQ(asleep, 80) << "seed " << seed;
        EXPECT_EQ(find_crossings(world).size(), 0U);
    }
}

TEST(Islands, PilesOfBoxesEndInTheSameBitsForAnyNumberOfThreads)
{
    expect_same_bits([] { return falling_pile(60, 0.2, 3); }, 120);
}

TEST(Islands, StacksOfRandomSizesAndDensitiesStand)
{
    IslandRandom random(7);
    for (int trial = 0; trial < 12; ++trial) {
        const int count = 2 + random.below(14);
        const double size = random.by_ratio(0.01, 10), ratio = random.by_ratio(0.7, 1.4);
        const Creep result = stand(disturbed_stack(count, size, ratio, 100U + static_cast<unsigned>(trial)), 4);
        EXPECT_LT(result.creep, 1e-4 * size) << count << " of " << size << " m, ratio " << ratio;
        EXPECT_LT(result.sink, 0.002 * count * size) << count << " of " << size << " m, ratio " << ratio;
        EXPECT_EQ(result.crossings, 0U) << count << " of " << size << " m, ratio " << ratio;
    }
}

RigidForm random_form(IslandRandom& random, double size)
{
    switch (random.below(4)) {
        case 0: return box(size * Vec3d{random.between(0.3, 1), random.between(0.3, 1), random.between(0.3, 1)});
        case 1: return ball(0.4 * size);
        case 2: return capsule(0.2 * size, 0.5 * size);
        default: return cylinder(0.3 * size, random.between(0.3, 0.8) * size);
    }
}

/// Two bodies that fly at each other.
TEST(Islands, ThrownBodiesKeepMomentumAndGainNoEnergy)
{
    IslandRandom random(11);
    int free = 0;
    for (int trial = 0; trial < 100; ++trial) {
        World world;
        set_contact(world, {.on = true, .friction = static_cast<Real>(random.between(0, 0.8))});
        writable(world.settings).substeps = 1 + random.below(40);
        writable(world.forces).gravity = {};
        const double size = random.by_ratio(0.01, 10), speed = random.by_ratio(1, 300);
        const Vec3d along = random.direction();
        place_rigid(world, add_rigid(world, random_form(random, size)),
                    {.linear = rotation_of(180 * random.direction()), .velocity = speed * along});
        place_rigid(world, add_rigid(world, random_form(random, random.between(0.3, 1) * size)),
                    {.linear = rotation_of(180 * random.direction()),
                     .position = (1.8 * size + 0.3 * speed / 60) * along + 0.2 * size * random.direction(),
                     .angular_velocity = 5. * random.direction()});
        const double kinetic = measure_energy(world).kinetic;
        const Vec3d momentum = linear_momentum(world);
        Solver solver;
        int held = 0;  // by the guard, which does not keep momentum
        for (int frame = 0; frame < 4; ++frame) {
            const StepReport report = solver.step(world);
            ASSERT_EQ(report.trouble.text, "");
            held += report.feature_contacts.held;
            ASSERT_EQ(find_crossings(world).size(), 0U) << "trial " << trial << ", frame " << frame;
        }
        EXPECT_LT(measure_energy(world).kinetic, 1.001 * kinetic) << "trial " << trial;
        if (held > 0) continue;
        ++free;
        EXPECT_LT((linear_momentum(world) - momentum).norm(), 1e-4 * momentum.norm()) << "trial " << trial;
    }
    EXPECT_GT(free, 40);
}

double energy_of(const World& world)
{
    const Energy energy = measure_energy(world);
    return energy.kinetic + energy.potential;
}

/// The ground keeps the momentum along it, and a box that is hit turns about its edge.
TEST(Islands, WhatHitsABoxOnTheGroundKeepsItsMomentum)
{
    IslandRandom random(17);
    for (int trial = 0; trial < 20; ++trial) {
        World world = ground(0);
        const double size = random.by_ratio(0.02, 2), speed = size * random.by_ratio(5, 60);
        const Vec3d extent = size * Vec3d{random.between(0.2, 1), random.between(0.5, 2), random.between(0.2, 1)};
        place_rigid(world, add_rigid(world, box(extent)), {.position = {0, 0.5003 * extent.y, 0}});
        const double radius = 0.3 * size;
        place_rigid(world, add_rigid(world, ball(radius), {.density = 4000}),
                    {.position = {-0.6 * size - radius, 1.001 * radius, 0.1 * extent.z}, .velocity = {speed, 0, 0}});
        const double momentum = linear_momentum(world).x, energy = energy_of(world);
        Solver solver;
        for (int frame = 0; frame < 20; ++frame) {
            solver.step(world);
            ASSERT_EQ(solver.count_intersections(world), 0U) << "trial " << trial << ", frame " << frame;
            EXPECT_LT(energy_of(world), energy * 1.001) << "trial " << trial << ", frame " << frame;
        }
        EXPECT_GT(position(world, 0).x, 0.1 * size) << "trial " << trial << ": it has been hit";
        EXPECT_NEAR(linear_momentum(world).x, momentum, 0.1 * momentum) << "trial " << trial;
    }
}

/// Laid without gaps, each brick a little out of line.
World brick_wall(int rows, int columns, double length)
{
    World world = ground(0.6);
    IslandRandom random(3);
    for (int row = 0; row < rows; ++row) {
        const bool bonded = row % 2 == 1;
        for (int i = 0; i < columns + (bonded ? 1 : 0); ++i) {
            const bool half = bonded && (i == 0 || i == columns);
            const double x = !bonded ? i + 0.5 : i == 0 ? 0.25 : i == columns ? columns - 0.25 : i;
            const RigidId id = add_rigid(world, box(length * Vec3d{half ? 0.5 : 1, 0.5, 0.5}), {.density = 1800});
            place_rigid(world, id, {.position = length * Vec3d{x, 0.5 * (row + 0.5), random.between(-0.015, 0.015)}});
        }
    }
    return world;
}

TEST(Islands, WallsOfBricksAndTowersOfFiftyBoxesDoNotCreep)
{
    for (const double size : {0.01, 0.2, 2.}) {
        EXPECT_LT(stand(brick_wall(12, 5, size), 4).creep, 1e-4) << "bricks of " << size << " m";
        EXPECT_LT(stand(disturbed_stack(50, size, 1, 9), 4).creep, 1e-4) << "boxes of " << size << " m";
    }
}

World small_pile()
{
    World world = ground(0.5);
    IslandRandom random(5);
    for (int i = 0; i < 24; ++i)
        place_rigid(world, add_rigid(world, random_form(random, 0.2)),
                    {.linear = rotation_of(180 * random.direction()),
                     .position = {0.3 * (i % 3), 0.3 + 0.3 * (i / 6), 0.3 * (i / 3 % 2)}});
    return world;
}

TEST(Islands, APileOfShapesComesToRestWithoutCrossings)
{
    World world = small_pile();
    Solver solver;
    for (int frame = 0; frame < 300; ++frame) {
        ASSERT_EQ(solver.step(world).trouble.text, "");
        if (frame % 10 == 0) { ASSERT_EQ(find_crossings(world).size(), 0U) << frame; }
    }
    for (int i = 0; i < world.rigid_bodies->size(); ++i) EXPECT_GT(position(world, i).y, 0.03);
}

/// A tray that starts at once, rises, tips and turns: what lies on it goes along or slides off, through nothing.
TEST(Islands, WhatAKeyedTrayCarriesDoesNotPassThroughIt)
{
    for (const double size : {0.05, 0.3, 2.}) {
        World world = ground(0.6);
        const RigidId tray = add_rigid(world, box({4 * size, 0.3 * size, 4 * size}));
        place_rigid(world, tray, {.position = {0, 2 * size, 0}});
        Motion motion;
        motion.axis = {0, 0, 1};
        motion.pivot = {0, 2 * size, 0};
        motion.keys = {
            {.time = 0.1},
            {.time = 1, .translation = {2 * size, size, 0}, .degrees = 40},
            {.time = 1.5, .translation = {0, 2 * size, 0}, .degrees = 90}};  // squeezes nothing on the ground
        hold_rigid(world, tray, motion);
        for (int i = 0; i < 6; ++i) {
            const RigidForm form =
                i % 3 == 0 ? RigidForm{.kind = RigidKind::cylinder, .radius = 0.3 * size, .height = 0.6 * size}
                           : box({0.6 * size, 0.6 * size, 0.6 * size});
            place_rigid(world, add_rigid(world, form),
                        {.position = {(i % 2 - 0.5) * size, (2.45 + 0.6 * (i / 2)) * size, 0}});
        }
        Solver solver;
        for (int frame = 0; frame < 120; ++frame) {
            EXPECT_EQ(solver.step(world).trouble.text, "");
            ASSERT_EQ(solver.count_intersections(world), 0U) << "size " << size << ", frame " << frame;
        }
    }
}

TEST(Islands, GiveTheSameBitsForAnyNumberOfThreads) { expect_same_bits(small_pile, 60); }

TEST(Islands, GiveTheSameBitsWithAFreshSolver)
{
    World world = small_pile(), copy = world;
    Solver solver;
    for (int frame = 0; frame < 80; ++frame) {
        solver.step(world);
        Solver().step(copy);
        ASSERT_EQ(hash_state(world), hash_state(copy)) << frame;
    }
}

TEST(Convex, SeparationOfRandomBoxesIsCertified)
{
    IslandRandom random(3);
    for (int trial = 0; trial < 1000; ++trial) {
        const Shape a{.kind = Shape::Kind::box, .half = {Real(0.5), Real(0.2), Real(0.3)}},
            b{.kind = Shape::Kind::capsule, .radius = Real(0.1), .half_height = Real(0.4)};
        const ConvexAt at_a{&a, rotation_of(180 * random.direction()), {}},
            at_b{&b, rotation_of(180 * random.direction()), random.between(0.1, 1.5) * random.direction()};
        const Separation apart = find_separation(at_a, at_b);
        if (apart.n == Vec3d{}) continue;
        EXPECT_NEAR(apart.n.norm(), 1, 1e-12);
        EXPECT_NEAR(apart.gap, (apart.on_a - apart.on_b).norm() * (apart.gap < 0 ? -1 : 1), 1e-5);
    }
}

TEST(BlockCholesky, SolvesAChain)
{
    BlockGraph graph(3);
    graph.neighbours[0] = {1};
    graph.neighbours[1] = {2};
    const BlockPattern pattern = make_block_pattern(graph);
    std::vector<Block6> matrix(static_cast<std::size_t>(pattern.blocks()));
    for (int u = 0; u < 3; ++u)
        for (int i = 0; i < 6; ++i) matrix[pattern.diagonal(u)](i, i) = 4 + i;
    for (const auto& [u, v] : {std::pair(0, 1), {1, 2}})
        for (int i = 0; i < 6; ++i) matrix[pattern.block_of(u, v)](i, i) = -1;
    factor_blocks(pattern, matrix);
    std::vector<Vec6d> x(3);
    for (int u = 0; u < 3; ++u)
        for (std::size_t i = 0; i < 6; ++i) x[pattern.place[u]][i] = (4 + static_cast<double>(i)) - (u == 1 ? 2 : 1);
    solve_blocks(pattern, matrix, x);
    for (const Vec6d& block : x)
        for (const double value : block) EXPECT_NEAR(value, 1, 1e-12);
}

}  // namespace
}  // namespace pliant
