// Glue between all pairs of kinds: it holds, keeps momentum, attaches, releases, breaks, and does not depend on threads.

#include "glue/pairs.h"
#include "messages.h"
#include "pliant/base/parallel.h"
#include "pliant/glue/schedule.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_glue;

constexpr double kNoStiffness = -1;

struct Pair {
    Kind a, b;
    double mass_a = 1, mass_b = 1;
    double stiffness = kNoStiffness;
    GlueKind kind = GlueKind::point;
    GlueForm form = GlueForm::vector;
};

std::string text_of(const Pair& p)
{
    return std::string(name_of(p.a)) + "-" + name_of(p.b) + " " + std::to_string(p.mass_a) + ":" +
           std::to_string(p.mass_b) + (p.stiffness < 0 ? " hard " : " soft ") + name_of(p.kind);
}

GlueParams params_of(const Pair& p)
{
    GlueParams params{.kind = p.kind, .form = p.form};
    if (p.stiffness >= 0) {
        params.stiffness = p.stiffness;
        params.damping = 0.02 * p.stiffness;
    }
    return params;
}

World glued(const Pair& p, const Motion& motion = {})
{
    World world;
    world.settings.substeps = 8;
    world.settings.iterations = 4;
    Anchor a = add_part(world, p.a, 1, p.mass_a, p.kind, motion);
    Anchor b = add_part(world, p.b, -1, p.mass_b, p.kind, motion);
    add_glue(world, a, b, params_of(p));
    return world;
}

/// The far end of the first body is carried along a keyed shake, or the point of the world is.
World shaken(const Pair& p)
{
    World world = glued(p, shake());
    if (p.a == Kind::world || p.b == Kind::world) return world;
    if (p.a == Kind::rigid) {
        hold_rigid(world, world.rigid_ids.id_at(0), shake());
    } else {
        const double end = 0.8 * kSize;
        pin_particles(world, find_particles(world, all_particles(world), {end, -1, -1}, {1, 1, 1}), shake());
    }
    return world;
}

TEST(Glue, HoldsEveryPairThroughAKeyedShake)
{
    for (const Kind a : kKinds)
        for (const Kind b : kKinds)
            for (const auto& [mass_a, mass_b] : {std::pair{1.0, 1.0}, {0.1, 10.0}, {10.0, 0.1}}) {
                if ((a == Kind::world) && (b == Kind::world)) continue;
                const Pair pair{a, b, mass_a, mass_b};
                World world = shaken(pair);
                Solver solver;
                double widest = 0;
                for (int frame = 0; frame < 180; ++frame) {
                    ASSERT_EQ(solver.step(world).trouble, "") << text_of(pair);
                    widest = std::max(widest, gap_of(world));
                }
                EXPECT_LT(widest, 1e-3 * kSize) << text_of(pair);
            }
}

TEST(Glue, HoldsEveryPairSoftly)
{
    for (const Kind a : kKinds)
        for (const Kind b : kKinds)
            for (const auto& [mass_a, mass_b] : {std::pair{1.0, 1.0}, {0.1, 10.0}, {10.0, 0.1}}) {
                if (a == Kind::world && b == Kind::world) continue;
                const Pair pair{a, b, mass_a, mass_b, 1e7};
                World world = shaken(pair);
                Solver solver;
                for (int frame = 0; frame < 120; ++frame) ASSERT_EQ(solver.step(world).trouble, "") << text_of(pair);
                EXPECT_LT(gap_of(world), 1e-3 * kSize) << text_of(pair);
            }
}

TEST(Glue, KeepsTheMomentumOfFreePairs)
{
    for (const Kind a : kKinds)
        for (const Kind b : kKinds)
            for (const GlueKind kind : {GlueKind::point, GlueKind::weld}) {
                if (a == Kind::world || b == Kind::world) continue;
                const Pair pair{a, b, 1, 3, kNoStiffness, kind};
                World world = glued(pair);
                world.forces.gravity = {};
                for (Vec3& v : world.particles.v) v = {Real(0.3), Real(0.5), 0};
                for (int i = 0; i < world.rigid_bodies.size(); ++i)
                    world.rigid_bodies.v[i] = {0, Real(-0.4), Real(0.2)};
                const Vec3d before = linear_momentum(world);
                const Vec3d spin = angular_momentum(world, {});
                Solver solver;
                for (int frame = 0; frame < 60; ++frame) solver.step(world);
                // Cloth alone, without glue, drifts by 1e-3 of its momentum in float.
                EXPECT_LT((linear_momentum(world) - before).norm(), 5e-3) << text_of(pair);
                EXPECT_LT((angular_momentum(world, {}) - spin).norm(), 0.03) << text_of(pair);
                EXPECT_LT(gap_of(world), 1e-3 * kSize) << text_of(pair);
            }
}

/// The centres of all bodies and rigid ones, in order of kind.
std::vector<Vec3d> centres(const World& world)
{
    std::vector<Vec3d> all;
    for (const Cloth& c : world.cloths) all.push_back(center_of_mass(world.particles, c.particles));
    for (const Solid& s : world.solids) all.push_back(center_of_mass(world.particles, s.particles));
    for (const Rod& r : world.rods) all.push_back(center_of_mass(world.particles, r.particles));
    for (const Pose& p : world.rigid_bodies.pose) all.push_back(p.x.cast<double>());
    return all;
}

TEST(Glue, MovesTheSameWithItsSidesSwapped)
{
    for (const Kind a : kKinds)
        for (const Kind b : kKinds) {
            if (a >= b) continue;
            World one = glued({a, b, 1, 2}), two = one;
            std::swap(two.glues[0].a, two.glues[0].b);
            two.joints.stale = true;
            Solver solver, other;
            for (int frame = 0; frame < 60; ++frame) {
                solver.step(one);
                other.step(two);
            }
            const std::vector<Vec3d> x = centres(one), y = centres(two);
            for (std::size_t i = 0; i < x.size(); ++i)
                EXPECT_LT((x[i] - y[i]).norm(), 1e-3) << name_of(a) << "-" << name_of(b);
        }
}

TEST(Glue, WeldKeepsTheOrientationAndAPointDoesNot)
{
    for (const GlueKind kind : {GlueKind::point, GlueKind::weld}) {
        World world = glued({Kind::rigid, Kind::world, 1, 1, kNoStiffness, kind});
        Solver solver;
        for (int frame = 0; frame < 60; ++frame) solver.step(world);
        const double turned = double((world.rigid_bodies.pose[0].rotation().c[0] - Vec3{1, 0, 0}).norm());
        EXPECT_EQ(turned < 1e-3, kind == GlueKind::weld) << turned;
        EXPECT_EQ(turned > 0.1, kind == GlueKind::point) << turned;
    }
}

TEST(Glue, ScalarFormKeepsAngularMomentumInEveryProjection)
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
        Joints joints = make_joints(glues);
        GlueScratch scratch;
        std::vector<GlueEvent> events;
        begin_glue(0, Real(0.01), p, none, glues, joints, scratch, events);
        const std::vector<Vec3> start = p.x;
        joints.groups[0].tolerance = 1;  // one linear step
        project_glue(joints, p, none, scratch);
        Vec3d linear, angular;
        for (int i = 0; i < 9; ++i) {
            const Vec3d dp = double(p.mass[i]) * (p.x[i] - start[i]).cast<double>();
            linear += dp;
            angular += start[i].cast<double>().cross(dp);
        }
        EXPECT_LT(linear.norm(), 1e-6);
        if (form == GlueForm::scalar) {
            EXPECT_LT(angular.norm(), 1e-6);
        } else {
            const Vec3d gap = Vec3d{0.3, -0.3, -0.3};
            EXPECT_LT((angular - gap.cross(lane(joints.groups[0].lambda, 0).cast<double>())).norm(), 1e-5)
                << "C x lambda, as the theory says";
        }
    }
}

TEST(Glue, ClosesAGapWithoutGainingMoreEnergyThanItsWork)
{
    for (const Kind a : kKinds)
        for (const Kind b : {Kind::solid, Kind::rigid}) {
            for (const double offset : {0.1, -0.1}) {  // apart, and overlapping
                World world;
                world.settings.substeps = 8;
                world.forces.gravity = {};
                Anchor first = add_part(world, a, 1, 1);
                const int before = world.rigid_bodies.size();
                Anchor second = add_part(world, b, -1, 1);
                if (b == Kind::solid)
                    place_solid(world, world.solid_ids.id_at(static_cast<int>(world.solids.size()) - 1),
                                {.position = {-offset, 0.02, 0}});
                if (b == Kind::rigid)
                    place_rigid(world, world.rigid_ids.id_at(before), {.position = {-kSize / 2 - offset, 0.02, 0}});
                add_glue(world, first, second);
                Solver solver;
                for (int frame = 0; frame < 60; ++frame) ASSERT_EQ(solver.step(world).trouble, "");
                EXPECT_LT(gap_of(world), 1e-3 * kSize);
                EXPECT_LE(measure_energy(world).kinetic, world.glues[0].work * 1.01 + 1e-4)
                    << name_of(a) << "-" << name_of(b);
                EXPECT_LT(measure_energy(world).kinetic, 5) << "no explosion";
            }
        }
}

TEST(Glue, AttachesAndReleasesByKeysAndSaysSo)
{
    World world = glued({Kind::rigid, Kind::world});
    GlueParams params;
    params.on = false;
    params.keys = {{.time = 0.5, .on = true}, {.time = 1, .on = false}};
    params.closing = 0.2;
    set_glue(world, world.glue_ids.id_at(0), params);
    world.forces.gravity = {};
    Solver solver;
    std::vector<GlueEvent> events = solver.step(world).events;
    world.rigid_bodies.v[0] = {0, Real(0.1), 0};
    Vec3 speed;
    for (int frame = 1; frame < 90; ++frame) {
        if (frame == 60) speed = world.rigid_bodies.v[0];
        for (const GlueEvent& event : solver.step(world).events) events.push_back(event);
    }
    ASSERT_EQ(events.size(), 3u) << "set off, on, off";
    EXPECT_EQ(events[1].kind, GlueEventKind::attached);
    EXPECT_NEAR(events[1].time, 0.5, 1e-3);
    EXPECT_EQ(events[2].kind, GlueEventKind::released);
    EXPECT_NEAR(events[2].time, 1, 1e-3);
    EXPECT_LT((world.rigid_bodies.v[0] - speed).norm(), 1e-3) << "what is let go flies on as it was";
}

TEST(Glue, BreaksAboveItsForceAndBearsLess)
{
    for (const double strength : {8.0, 12.0}) {  // the weight is 9.81 N
        World world = glued({Kind::world, Kind::rigid});
        place_rigid(world, world.rigid_ids.id_at(0), {.position = {0, -0.2, 0}});
        world.glues.clear();
        world.glue_ids = {};
        GlueParams params;
        params.break_force = strength;
        add_glue(world, anchor_on_motion({0, 0, 0}), anchor_on(world, world.rigid_ids.id_at(0), {0, 0, 0}), params);
        Solver solver;
        std::vector<GlueEvent> events;
        for (int frame = 0; frame < 30; ++frame)
            for (const GlueEvent& event : solver.step(world).events) events.push_back(event);
        EXPECT_EQ(world.glues[0].broken, strength < 9.81);
        EXPECT_EQ(events.size(), strength < 9.81 ? 1u : 0u);
        EXPECT_NEAR(double(world.glues[0].force), strength > 9.81 ? 9.81 : 0, 0.05);
    }
}

TEST(Glue, SoftGlueStretchesByTheLoadOverItsStiffness)
{
    World world = glued({Kind::world, Kind::rigid, 1, 1, 100});
    place_rigid(world, world.rigid_ids.id_at(0), {.position = {0, -0.2, 0}});
    world.glues[0].b = anchor_on(world, world.rigid_ids.id_at(0), {0, 0, 0});
    world.glues[0].params.damping = 10;
    Solver solver;
    for (int frame = 0; frame < 240; ++frame) solver.step(world);
    EXPECT_NEAR(gap_of(world), 0.0981, 1e-3);
}

TEST(Glue, RemovingABodyReleasesItsGlueAndKeepsTheRest)
{
    World world = glued({Kind::cloth, Kind::rod});
    add_part(world, Kind::rigid, 1, 1);
    add_glue(world, anchor_on(world, world.rod_ids.id_at(0), {-kSize, 0, 0}), anchor_on_motion({-kSize, 0, 0}), {},
             "hook");
    Solver solver;
    solver.step(world);
    remove_cloth(world, world.cloth_ids.id_at(0));
    ASSERT_EQ(world.glues.size(), 1u);
    const StepReport report = solver.step(world);
    ASSERT_EQ(report.events.size(), 1u);
    EXPECT_EQ(report.events[0].kind, GlueEventKind::released);
    for (int frame = 0; frame < 60; ++frame) solver.step(world);
    EXPECT_LT(gap_of(world), 1e-3 * kSize) << "the hook still holds the rod";
    remove_glue(world, world.glue_ids.id_at(0));
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
        world.settings.substeps = 2;
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
