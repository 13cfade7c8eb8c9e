// Nothing passes into or through a simple collider, however fast it comes and however coarse or small it is.

#include "contact/sheets.h"
#include "contact/throws.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

/// The most features in a collider, or edges through triangles, after any frame.
std::size_t most_intersections(World& world, int frames)
{
    Solver solver;
    std::size_t most = 0;
    for (int f = 0; f < frames; ++f) {
        EXPECT_EQ(solver.step(world).trouble.text, "");
        most = std::max(most, count_intersections(world));
    }
    return most;
}

double lowest_particle(const World& world)
{
    double lowest = std::numeric_limits<double>::infinity();
    for (int i = 0; i < world.particles->size(); ++i)
        if (!world.particles->is_ghost(i)) lowest = std::min(lowest, static_cast<double>(world.particles->x[i].y));
    for (const Pose& pose : world.rigid_bodies->pose) lowest = std::min(lowest, static_cast<double>(pose.x.y));
    return lowest;
}

TEST(ColliderGuarantee, ACoarseClothRestsOnAThinRail)
{
    for (const bool contact : {true, false}) {
        World world;
        writable(world.settings).substeps = 10;
        set_contact(world, {.on = contact});
        add_sheet(world, 1, 10, {.position = {0.05, 0.6, 0.05}}, {.thickness = Real(0.005)});
        add_collider(world, {.name = "rail",
                             .shape = ColliderShape::capsule,
                             .position = {0, 0.5, 0},
                             .rotation = {90, 0, 0},
                             .radius = Real(0.01),
                             .height = 3});
        EXPECT_EQ(most_intersections(world, 60), 0U);
        double highest = -1;
        for (const Vec3& x : world.particles->x) highest = std::max(highest, static_cast<double>(x.y));
        EXPECT_GT(highest, 0.5) << "it hangs over the rail";
    }
}

TEST(ColliderGuarantee, FacesOfACoarseClothLieOutsideABall)
{
    World world;
    set_contact(world, {.on = false});
    add_sheet(world, 1, 8, {.position = {0, 0.55, 0}}, {});
    add_collider(world, {.name = "ball", .shape = ColliderShape::sphere, .radius = Real(0.5), .friction = 1});
    EXPECT_EQ(most_intersections(world, 60), 0U);
}

TEST(ColliderGuarantee, NothingPassesATableInOneSubstep)
{
    for (const bool contact : {true, false}) {
        for (const double speed : {10., 100., 300.}) {
            World world;
            writable(world.settings).substeps = 1;
            set_contact(world, {.on = contact});
            writable(world.forces).gravity = {};
            add_each_kind(world, 0.1, {.position = {0, 1, 0}, .velocity = {0, -speed, 0}});
            add_collider(
                world,
                {.name = "table", .shape = ColliderShape::box, .position = {0, 0.5, 0}, .size = {5, Real(0.02), 5}});
            EXPECT_EQ(most_intersections(world, 8), 0U) << speed << " m/s";
            EXPECT_GT(lowest_particle(world), 0.509) << speed << " m/s";
        }
    }
}

/// Every throw that starts clean stays clean.
void throw_at(const std::vector<ColliderShape>& kinds, const ThrowPlan& plan)
{
    Throws random(plan.seed);
    int thrown = 0;
    for (int k = 0; k < plan.count; ++k) {
        World world = random.make_with_colliders(kinds);
        SCOPED_TRACE(random.about);
        if (count_intersections(world) > 0) continue;
        ++thrown;
        EXPECT_EQ(most_intersections(world, 4), 0U) << "throw " << k << ": " << random.about;
    }
    EXPECT_GT(thrown, plan.count * 2 / 3);
}

TEST(ColliderGuarantee, RandomThrowsAtRandomColliders)
{
    using enum ColliderShape;
    throw_at({plane, sphere, box, capsule, cylinder}, {2, 150});
}

TEST(ColliderGuarantee, RandomThrowsAtRandomMeshes) { throw_at({ColliderShape::mesh}, {3, 150}); }

}  // namespace
}  // namespace pliant
