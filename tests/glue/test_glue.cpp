// Glue of one pair: welds, forms, keys, breaking, edits, refusals, threads.

#include "glue/pairs.h"
#include "messages.h"
#include "pliant/base/parallel.h"
#include "pliant/glue/project_glue.h"
#include "pliant/glue/schedule.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_glue;

TEST(Glue, WeldKeepsTheOrientationAndAPointDoesNot)
{
    for (const GlueKind kind : {GlueKind::point, GlueKind::weld}) {
        World world = glued({Kind::rigid, Kind::world, 1, 1, kNoStiffness, kind});
        Solver solver;
        for (int frame = 0; frame < 60; ++frame) solver.step(world);
        const double turned = double((world.rigid_bodies->pose[0].rotation().c[0] - Vec3{1, 0, 0}).norm());
        EXPECT_EQ(turned < 1e-3, kind == GlueKind::weld) << turned;
        EXPECT_EQ(turned > 0.1, kind == GlueKind::point) << turned;
    }
}

/// Both sides are pushed at one point, the middle of the gap: however wide it is, nothing is lost.
TEST(Glue, KeepsBothMomentaInEveryProjection)
{
    for (const GlueForm form : {GlueForm::scalar, GlueForm::vector}) {
        Particles p;
        p.append(9);
        for (int i = 0; i < 9; ++i) {
            const Real t = static_cast<Real>(i);
            p.x[i] = {Real(0.3) * std::sin(7 * t), Real(0.3) * std::cos(5 * t), Real(0.2) * std::sin(3 * t + 1)};
            p.inv_mass[i] = 1 / (p.mass[i] = 1 + t / 4);
        }
        RigidBodies none;
        std::vector<Glue> glues(1);
        glues[0].params.form = form;
        glues[0].on = true;
        glues[0].a = anchor_on_particles(p, std::vector{0, 1, 2, 3}, {0.5, 0.1, 0});
        glues[0].b = anchor_on_particles(p, std::vector{4, 5, 6, 7, 8}, {0.2, 0.4, 0.3});
        glues[0].params.closing = 0;
        Joints joints = make_joints(glues, p.size(), 0);
        std::vector<GlueEvent> events;
        begin_glue(0, Real(0.01), p, none, glues, joints, events);
        const std::vector<Vec3> start = p.x;
        joints.joints[0].tolerance = 1;  // no pass at the positions of then
        project_glue(0, joints, p, none);
        Vec3d linear, angular;
        for (int i = 0; i < 9; ++i) {
            const Vec3d dp = double(p.mass[i]) * (p.x[i] - start[i]).cast<double>();
            linear += dp;
            angular += start[i].cast<double>().cross(dp);
        }
        EXPECT_GT((p.x[0] - start[0]).norm(), 1e-3);
        EXPECT_LT(linear.norm(), 1e-6);
        EXPECT_LT(angular.norm(), 1e-6);
    }
}

TEST(Glue, AttachesAndReleasesByKeysAndSaysSo)
{
    World world = glued({Kind::rigid, Kind::world});
    GlueParams params;
    params.on = false;
    params.keys = {{.time = 0.5, .on = true}, {.time = 1, .on = false}};
    params.closing = 0.2;
    set_glue(world, world.glues.id_at(0), params);
    writable(world.forces).gravity = {};
    Solver solver;
    std::vector<GlueEvent> events = solver.step(world).events;
    writable(world.rigid_bodies).v[0] = {0, Real(0.1), 0};
    Vec3 speed;
    for (int frame = 1; frame < 90; ++frame) {
        if (frame == 60) speed = world.rigid_bodies->v[0];
        for (const GlueEvent& event : solver.step(world).events) events.push_back(event);
    }
    ASSERT_EQ(events.size(), 3u) << "set off, on, off";
    EXPECT_EQ(events[1].kind, GlueEventKind::attached);
    EXPECT_NEAR(events[1].time, 0.5, 1e-3);
    EXPECT_EQ(events[2].kind, GlueEventKind::released);
    EXPECT_NEAR(events[2].time, 1, 1e-3);
    EXPECT_LT((world.rigid_bodies->v[0] - speed).norm(), 1e-3) << "what is let go flies on as it was";
}

TEST(Glue, BreaksAboveItsForceAndBearsLess)
{
    for (const double strength : {8.0, 12.0}) {  // the weight is 9.81 N
        World world = glued({Kind::world, Kind::rigid});
        place_rigid(world, world.rigids.id_at(0), {.position = {0, -0.2, 0}});
        Writable::erase(world.glues, world.glues.id_at(0));  // without a word: remove_glue would tell of it
        GlueParams params;
        params.break_force = strength;
        add_glue(world, anchor_on_motion({0, 0, 0}), anchor_on(world, world.rigids.id_at(0), {0, 0, 0}), params);
        Solver solver;
        std::vector<GlueEvent> events;
        for (int frame = 0; frame < 30; ++frame)
            for (const GlueEvent& event : solver.step(world).events) events.push_back(event);
        EXPECT_EQ(world.glues[0].broken, strength < 9.81);
        EXPECT_EQ(events.size(), strength < 9.81 ? 1u : 0u);
        EXPECT_NEAR(double(world.glues[0].force), strength > 9.81 ? 9.81 : 0, 0.05);
    }
}

TEST(Glue, HoldsWhatTurnsTooFarInASubstep)
{
    for (const double speed : {60.0, 100.0}) {  // [rad/s], with one substep of 1/60 s
        World world = glued({Kind::rigid, Kind::world});
        writable(world.settings).substeps = 1;
        writable(world.forces).gravity = {};
        writable(world.rigid_bodies).v[0] = {0, static_cast<Real>(speed * kSize / 2), 0};
        set_angular_velocity(0, {0, 0, static_cast<Real>(speed)}, writable(world.rigid_bodies));
        const double start = measure_energy(world).kinetic;
        Solver solver;
        for (int frame = 0; frame < 120; ++frame) {
            ASSERT_EQ(solver.step(world).trouble.text, "");
            ASSERT_LT(gap_of(world), 1e-3 * kSize) << speed;
        }
        EXPECT_NEAR(measure_energy(world).kinetic / start, 1, 1e-3);
    }
}

TEST(Glue, SoftGlueStretchesByTheLoadOverItsStiffness)
{
    World world = glued({Kind::world, Kind::rigid, 1, 1, 100});
    place_rigid(world, world.rigids.id_at(0), {.position = {0, -0.2, 0}});
    writable(world.glues)[0].b = anchor_on(world, world.rigids.id_at(0), {0, 0, 0});
    writable(world.glues)[0].params.damping = 10;
    Solver solver;
    for (int frame = 0; frame < 240; ++frame) solver.step(world);
    EXPECT_NEAR(gap_of(world), 0.0981, 1e-3);
}

TEST(Glue, RemovingABodyReleasesItsGlueAndKeepsTheRest)
{
    World world = glued({Kind::cloth, Kind::rod});
    add_part(world, Kind::rigid, 1, 1);
    add_glue(world, anchor_on(world, world.rods.id_at(0), {-kSize, 0, 0}), anchor_on_motion({-kSize, 0, 0}), {},
             "hook");
    Solver solver;
    solver.step(world);
    remove_cloth(world, world.cloths.id_at(0));
    ASSERT_EQ(world.glues.size(), 1u);
    const StepReport report = solver.step(world);
    ASSERT_EQ(report.events.size(), 1u);
    EXPECT_EQ(report.events[0].kind, GlueEventKind::released);
    for (int frame = 0; frame < 60; ++frame) solver.step(world);
    EXPECT_LT(gap_of(world), 1e-3 * kSize) << "the hook still holds the rod";
    remove_glue(world, world.glues.id_at(0));
    EXPECT_TRUE(world.glues.empty());
    EXPECT_EQ(solver.step(world).events.size(), 1u);
}

TEST(Glue, RefusesWhatCannotBeGlued)
{
    World world;
    const Anchor box = add_part(world, Kind::rigid, 1, 1);
    const Anchor rope = add_part(world, Kind::rod, 1, 1);
    EXPECT_PRED2(says, message_of([&] { add_glue(world, anchor_on_motion({}), anchor_on_motion({})); }),
                 "neither side can move");
    EXPECT_PRED2(says, message_of([&] { add_glue(world, box, box); }), "same rigid body");
    EXPECT_PRED2(says, message_of([&] { add_glue(world, box, rope, {.kind = GlueKind::weld}); }), "no orientation");
    EXPECT_PRED2(says, message_of([&] { add_glue(world, box, rope, {.damping = 1}); }), "needs a stiffness");
}

TEST(Glue, GivesTheSameBitsForAnyNumberOfThreads)
{
    const auto run = [](int threads) {
        set_threads(threads);
        World world;
        writable(world.settings).substeps = 2;
        const ClothId cloth = add_cloth(world, make_sheet(2, 2, 40, 40, SheetPattern::uniform), {});
        const SolidId solid = add_solid(world, fill_with_spacing(make_box({2, 0.2, 2}, 4), 0.1), {});
        place_solid(world, solid, {.position = {0, -0.15, 0}});
        for (int i = 0; i < 15; ++i)
            for (int j = 0; j < 15; ++j) {
                const Vec3d at{-0.93 + 0.13 * i, 0, -0.93 + 0.13 * j};
                add_glue(world, anchor_on(world, cloth, at), anchor_on(world, solid, at));
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

}  // namespace
}  // namespace pliant
