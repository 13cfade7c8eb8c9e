// Glues that hang together, solved as one system.

#include "glue/pairs.h"
#include "pliant/base/parallel.h"
#include "pliant/glue/joint.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_glue;

/// Boxes in a row, each glued to the one before it and the first to the world.
World chain(int boxes, double mass, double last_mass, GlueKind kind = GlueKind::point)
{
    World world;
    writable(world.settings).substeps = 8;
    writable(world.settings).iterations = 4;
    Anchor end = anchor_on_motion({});
    for (int i = 0; i < boxes; ++i) {
        const RigidId id = add_rigid(world, {.kind = RigidKind::box, .size = {0.1, 0.04, 0.04}},
                                     {.mass = static_cast<Real>(i + 1 < boxes ? mass : last_mass)});
        place_rigid(world, id, {.position = {0.05 + 0.1 * i, 0, 0}});
        add_glue(world, end, anchor_on(world, id, {0.1 * i, 0, 0}), {.kind = kind}, "link " + std::to_string(i));
        end = anchor_on(world, id, {0.1 * (i + 1), 0, 0});
    }
    return world;
}

TEST(GlueSystem, HoldsAHeavyBodyOnALightChain)
{
    World world = chain(8, 0.05, 10);
    Solver solver;
    double widest = 0;
    const double start = measure_energy(world).kinetic + measure_energy(world).potential;
    for (int frame = 0; frame < 180; ++frame) {
        ASSERT_EQ(solver.step(world).trouble.text, "");
        widest = std::max(widest, widest_gap(world));
    }
    EXPECT_LT(widest, 1e-4);
    EXPECT_LT(world.rigid_bodies->pose.back().x.norm(), 0.76) << "no longer than its links";
    EXPECT_LT(measure_energy(world).kinetic + measure_energy(world).potential, start + 0.1);
}

TEST(GlueSystem, ReadsTheForceAndTheTorqueOfAPlankThatSticksOut)
{
    World world = chain(3, 1, 1, GlueKind::weld);
    Solver solver;
    for (int frame = 0; frame < 60; ++frame) ASSERT_EQ(solver.step(world).trouble.text, "");
    EXPECT_LT((world.rigid_bodies->pose[2].x - Vec3{Real(0.25), 0, 0}).norm(), 1e-4);
    const double weight = 9.81;  // of one box, the middle of which is 0.05 m from its weld
    EXPECT_NEAR(double(world.glues[0].force), 3 * weight, 0.01);
    EXPECT_NEAR(double(world.glues[0].torque), 3 * weight * 0.15, 0.01);
    EXPECT_NEAR(double(world.glues[2].force), weight, 0.01);
    EXPECT_NEAR(double(world.glues[2].torque), weight * 0.05, 0.01);
}

TEST(GlueSystem, GivesTheSameBitsForAnyNumberOfThreads)
{
    const auto run = [](int threads) {
        set_threads(threads);
        World world;
        for (int c = 0; c < 24; ++c) {  // two boxes under a rod that is bound to a post
            const double z = 0.3 * c;
            Strand strand;
            for (int i = 0; i <= 4; ++i) strand.points.push_back({0.05 * i, 0, z});
            const RodId rod = add_rod(world, {strand}, {});
            add_glue(world, anchor_on(world, rod, {0, 0, z}), anchor_on_motion({0, 0, z}));
            Anchor end = anchor_on(world, rod, {0.2, 0, z});
            for (int i = 0; i < 2; ++i) {
                const RigidId id = add_rigid(world, {.kind = RigidKind::box, .size = {0.1, 0.04, 0.04}}, {.mass = 1});
                place_rigid(world, id, {.position = {0.25 + 0.1 * i, 0, z}});
                add_glue(world, end, anchor_on(world, id, {0.2 + 0.1 * i, 0, z}));
                end = anchor_on(world, id, {0.3 + 0.1 * i, 0, z});
            }
        }
        Solver solver;
        for (int frame = 0; frame < 20; ++frame) solver.step(world);
        set_threads(0);
        return hash_state(world);
    };
    const std::uint64_t one = run(1);
    EXPECT_EQ(run(2), one);
    EXPECT_EQ(run(7), one);
}

TEST(GlueSystem, TakesInWhatSharesABodyOrParticles)
{
    World world;
    const auto systems = [&] {
        const Joints joints = make_joints(world.glues, world.particles->size(), world.rigid_bodies->size());
        std::vector<int> sizes;
        for (std::size_t k = 0; k < joints.systems.size(); ++k)
            sizes.push_back(joints.first_joint[k + 1] - joints.first_joint[k]);
        return sizes;
    };
    const Anchor box = add_part(world, Kind::rigid, 1, 1);
    const Anchor sheet = add_part(world, Kind::cloth, 1, 1);
    const Anchor block = add_part(world, Kind::solid, 1, 1);
    add_glue(world, box, sheet);
    add_glue(world, block, anchor_on_motion({}));
    EXPECT_EQ(systems(), (std::vector{1, 1})) << "they share nothing";
    add_glue(world, sheet, anchor_on_motion({}));
    EXPECT_EQ(systems(), (std::vector{2, 1}));
    add_glue(world, block, box);
    EXPECT_EQ(systems(), (std::vector{4}));
    for (int i = 0; i < 100; ++i) add_glue(world, box, anchor_on_motion({}));
    EXPECT_EQ(systems(), (std::vector{104})) << "however many they are";
}

}  // namespace
}  // namespace pliant
