#include "contact/sheets.h"
#include "pi.h"
#include "pliant/contact/pairs/crossings.h"
#include "same_bits.h"
#include "world/tet_cube.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

/// Steps, and counts the edges that pass through triangles in all frames.
int run(World& world, int frames)
{
    Solver solver;
    int crossings = 0;
    for (int f = 0; f < frames; ++f) {
        EXPECT_EQ(solver.step(world).trouble.text, "");
        crossings += static_cast<int>(find_crossings(world).size());
    }
    return crossings;
}

TEST(FeatureContacts, ASheetFallsOnASheetAndStaysOnIt)
{
    World world = contact_world();
    const ClothId low = add_sheet(world, 0.4, 10, {.position = {0, 0.3, 0}}, kThin, "low");
    add_sheet(world, 0.3, 9, {.linear = turned({0, 1, 0}, 30), .position = {0, 0.4, 0}}, kThin, "high");
    const Range held = world.cloths[0].particles;
    std::vector<int> corners{held.first, held.first + 10, held.first + 110, held.first + 120};
    pin_particles(world, corners);
    EXPECT_EQ(run(world, 90), 0);
    EXPECT_TRUE(world.cloths.index(low) >= 0);
    double height = 0;
    const Range range = world.cloths[1].particles;
    for (int i = range.first; i < range.end(); ++i) height += double(world.particles->x[i].y) / range.count;
    EXPECT_GT(height, 0.15);
}

TEST(FeatureContacts, NothingPassesAThinSheetAtAnySpeed)
{
    for (const double speed : {5.0, 100.0}) {
        World world = contact_world();
        writable(world.forces).gravity = {};
        add_sheet(world, 0.4, 10, {}, {.thickness = Real(0.001), .damping = 1}, "target");
        std::vector<int> border;
        for (int i = 0; i < 121; ++i)
            if (i % 11 == 0 || i % 11 == 10 || i < 11 || i >= 110) border.push_back(i);
        pin_particles(world, border);
        const ClothId shot = add_sheet(world, 0.1, 4, {}, {.thickness = Real(0.001)}, "shot");
        place_cloth(world, shot,
                    {.linear = turned({1, 0, 0}, 80), .position = {0.013, 0.4, 0.007}, .velocity = {0, -speed, 0}});
        const RodId arrow = add_rod(world, {{.points = {{0.1, 0.2, 0.1}, {0.1, 0.25, 0.1}, {0.1, 0.3, 0.1}}}},
                                    {.radius = Real(0.002), .youngs_modulus = Real(1e6)}, "arrow");
        place_rod(world, arrow, {.velocity = {0, -speed, 0}});
        EXPECT_EQ(run(world, 15), 0) << speed << " m/s";
        for (int i = world.cloths[1].particles.first; i < world.cloths[1].particles.end(); ++i)
            EXPECT_GT(world.particles->x[i].y, -0.2) << speed << " m/s";
    }
}

/// The most contacts of a substep, and all that was held back.
struct Touched {
    int contacts = 0;
    long long held = 0;
};

Touched touch(World& world, int frames)
{
    Solver solver;
    Touched touched;
    for (int f = 0; f < frames; ++f) {
        const StepReport report = solver.step(world);
        touched.contacts = std::max(touched.contacts, report.feature_contacts.contacts);
        touched.held += report.feature_contacts.held;
    }
    return touched;
}

TEST(FeatureContacts, MomentumOfFreeBodiesStays)
{
    // fast, so that the rounding of places, which is a velocity of 3e-6 m/s a substep, is small beside it
    World world = contact_world();
    writable(world.forces).gravity = {};
    add_sheet(world, 0.2, 8, {.velocity = {0, 2, 0}}, {.thickness = Real(0.006)}, "low");
    add_sheet(world, 0.2, 7,
              {.linear = turned({1, 0, 1}, 12), .position = {0.03, 0.05, 0.01}, .velocity = {0.6, -2, 0}},
              {.thickness = Real(0.006)}, "high");
    const Vec3d before = linear_momentum(world);
    double scale = 0;
    for (int i = 0; i < world.particles->size(); ++i)
        scale += double(world.particles->mass[i]) * double(world.particles->v[i].norm());
    const auto [contacts, held] = touch(world, 3);
    EXPECT_GT(contacts, 20);
    EXPECT_EQ(held, 0) << "what is held back does not keep momentum";
    EXPECT_LT((linear_momentum(world) - before).norm(), 1e-5 * scale);
    EXPECT_TRUE(find_crossings(world).empty());
}

TEST(FeatureContacts, RigidBodiesKeepMomentumToo)
{
    World world = contact_world();  // near the origin: a rounded place is a velocity that is off
    writable(world.forces).gravity = {};
    add_sheet(world, 0.2, 8, {.position = {0.01, -0.11, 0}}, {.thickness = Real(0.006)});
    const RigidId ball = add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.04}, {.density = 20}, "ball");
    place_rigid(world, ball, {.position = {0, -0.05, 0}, .velocity = {0, -1, 0}});
    const RigidId box = add_rigid(world, {.kind = RigidKind::box, .size = {0.1, 0.1, 0.1}}, {.density = 20}, "box");
    place_rigid(world, box, {.linear = turned({1, 2, 3}, 40), .position = {0.02, 0.09, 0.01}, .velocity = {0, -2, 0}});
    const Vec3d before = linear_momentum(world);
    const auto [contacts, held] = touch(world, 5);
    EXPECT_GT(contacts, 3);
    EXPECT_EQ(held, 0) << "the contacts do not do their work";
    EXPECT_LT((linear_momentum(world) - before).norm(), 1e-5 * before.norm());
    EXPECT_GT(world.rigid_bodies->v[1].y, -1.95) << "the ball slows the box";
    EXPECT_LT(world.particles->v[40].y, -0.5) << "the ball drives the middle of the sheet";
}

TEST(FeatureContacts, EveryKindRestsOnCloth)
{
    World world = contact_world();
    add_sheet(world, 0.6, 20, {.position = {0, 0.3, 0}},
              {.areal_density = Real(0.5), .thickness = Real(0.008), .damping = 2});
    std::vector<int> border;
    for (int i = 0; i < 441; ++i)
        if (i % 21 == 0 || i % 21 == 20) border.push_back(i);
    pin_particles(world, border);
    const RigidId box = add_rigid(world, {.kind = RigidKind::box, .size = {0.1, 0.05, 0.1}}, {.density = 50}, "box");
    place_rigid(world, box, {.position = {-0.15, 0.4, -0.15}});
    const RigidId ball = add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.05}, {.density = 50}, "ball");
    place_rigid(world, ball, {.position = {0.15, 0.4, -0.15}});
    const SolidId soft = add_solid(world, fill_with_count(make_box({0.1, 0.1, 0.1}, 2), 100), {.density = 50}, "soft");
    place_solid(world, soft, {.position = {-0.15, 0.42, 0.15}});
    add_rod(world, {{.points = {{0.05, 0.36, 0.15}, {0.1, 0.37, 0.15}, {0.15, 0.36, 0.15}, {0.2, 0.37, 0.15}}}},
            {.density = 200, .radius = Real(0.005), .youngs_modulus = Real(1e6)}, "rod");
    EXPECT_EQ(run(world, 90), 0);
    for (int b = 0; b < 2; ++b) EXPECT_GT(world.rigid_bodies->pose[b].x.y, 0.1);
    for (int i = 0; i < world.particles->size(); ++i)
        EXPECT_TRUE(world.particles->is_ghost(i) || world.particles->x[i].y > 0.02);
}

TEST(FeatureContacts, TheSkinOfASolidHoldsWhatWouldSlipBetweenItsParticles)
{
    World world = contact_world();
    add_collider(world, {});
    SolidShape shape = fill_with_count(make_box({0.2, 0.2, 0.2}, 3), 27);
    add_skin(shape, 300);
    const SolidId soft = add_solid(world, shape, {.density = 300}, "soft");
    place_solid(world, soft, {.position = {0, 0.105, 0}});
    const ContactSurface surface = make_contact_surface(world);
    EXPECT_EQ(surface.vertices.size(), 56U) << "none from inside";
    EXPECT_EQ(surface.triangles.size(), 108U);
    EXPECT_EQ(surface.edges.size(), 162U);
    // a needle, over the middle of a cell of particles
    add_rod(world, {{.points = {{0.03, 0.23, 0.03}, {0.03, 0.27, 0.03}, {0.03, 0.31, 0.03}, {0.03, 0.35, 0.03}}}},
            {.density = 2000, .radius = Real(0.001), .youngs_modulus = Real(1e9)}, "needle");
    const int tip = world.rods[0].particles.first;
    Real lowest = 1;
    for (int f = 0; f < 40; ++f) {
        EXPECT_EQ(run(world, 1), 0);
        lowest = std::min(lowest, world.particles->x[tip].y);
    }
    EXPECT_GT(lowest, 0.15);
    std::vector<Vec3> shown;
    update_skin(world.solids[0], world.solids[0].particles.of(world.particles->x), shown);
    ASSERT_EQ(shown.size(), 56U);
    for (std::size_t v = 0; v < shown.size(); ++v)
        EXPECT_EQ(shown[v], world.particles->x[world.solids[0].skin.particle[v]]) << "what is shown is what touches";
}

TEST(FeatureContacts, WhatIsHeldUnderSomethingGainsNoSpeedFromACollider)
{
    World world = contact_world();
    writable(world.forces).gravity = {};
    add_collider(world, {});  // a ground that both are in: it pushes out what is not pinned, and gives it no speed
    add_sheet(world, 0.4, 10, {.position = {0, -0.02, 0}}, kThin, "lid");
    std::vector<int> all(world.cloths[0].particles.count);
    std::iota(all.begin(), all.end(), 0);
    pin_particles(world, all);
    add_sheet(world, 0.2, 6, {.position = {0.01, -0.03, 0.01}}, kThin, "below");
    EXPECT_EQ(run(world, 1), 0);
    Real fastest = 0;
    for (const Vec3& v : world.cloths[1].particles.of(world.particles->v)) fastest = std::max(fastest, v.norm());
    EXPECT_LT(fastest, 2);
}

TEST(FeatureContacts, SolidsOfTetrahedraTouchByTheirSurface)
{
    World world = contact_world();
    change_contact(world, [&](ContactParams& params) { params.friction = Real(0.5); });
    add_collider(world, {});
    const SolidShape cube = shape_of_tetrahedra(tet_cube(0.2), 300);
    place_solid(world, add_solid(world, cube, {.density = 300, .alpha = Real(0.5), .damping = 20}, "low"),
                {.position = {0, 0.11, 0}});
    place_solid(world, add_solid(world, cube, {.density = 300, .alpha = Real(0.5), .damping = 20}, "high"),
                {.linear = turned({0, 1, 0}, 30), .position = {0.02, 0.34, 0}});
    const ContactSurface surface = make_contact_surface(world);
    EXPECT_EQ(surface.vertices.size(), 2 * 56U) << "none from inside";
    EXPECT_EQ(surface.triangles.size(), 2 * 108U);
    EXPECT_EQ(surface.edges.size(), 2 * 162U);
    EXPECT_EQ(run(world, 90), 0);
    const auto height = [&](int first) {
        Real sum = 0;
        for (int i = first; i < first + 64; ++i) sum += world.particles->x[i].y / 64;
        return sum;
    };
    EXPECT_GT(height(64), height(0) + Real(0.2)) << "it stands on the other";
}

TEST(FeatureContacts, BoxesStand)
{
    World world = contact_world();
    change_contact(world, [&](ContactParams& params) { params.friction = Real(0.5); });
    add_collider(world, {});
    for (int i = 0; i < 3; ++i) {
        const RigidId id = add_rigid(world, {.kind = RigidKind::box, .size = {0.2, 0.2, 0.2}}, {.density = 500});
        place_rigid(world, id, {.position = {0.01 * i, 0.1 + 0.203 * i, 0}});
    }
    EXPECT_EQ(run(world, 60), 0);
    for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(world.rigid_bodies->pose[i].x.y, 0.1 + 0.2 * i, 0.01);
        EXPECT_NEAR(world.rigid_bodies->pose[i].x.x, 0.01 * i, 0.005);
    }
}

TEST(FeatureContacts, FrictionHoldsBelowTheConeAndNotAbove)
{
    for (const double share : {0.98, 1.02}) {
        World world = contact_world();
        const double slope = std::atan(0.4 * share);
        change_contact(world, [&](ContactParams& params) { params.friction = Real(0.4); });
        const Vec3d away{0, 4, 0};  // where single precision is coarse
        const Mat3d tilt = turned({0, 0, 1}, -slope * 180 / kPi);
        const RigidId slab = add_rigid(world, {.kind = RigidKind::box, .size = {4, 0.1, 1}}, {}, "slab");
        place_rigid(world, slab, {.linear = tilt, .position = away});
        hold_rigid(world, slab);
        const RigidId block = add_rigid(world, {.kind = RigidKind::box, .size = {0.2, 0.1, 0.2}}, {}, "block");
        place_rigid(world, block, {.linear = tilt, .position = away + tilt * Vec3d{-1, 0.1098, 0}});
        run(world, 30);  // it settles
        const Vec3 from = world.rigid_bodies->pose[1].x;
        run(world, share < 1 ? 600 : 120);
        const double moved = double((world.rigid_bodies->pose[1].x - from).norm());
        const double slides = 0.5 * 9.81 * (std::sin(slope) - 0.4 * std::cos(slope)) * 2 * 2;
        if (share < 1) EXPECT_LT(moved, 3e-5 * 0.2) << "of its size, in ten seconds";
        else EXPECT_GT(moved, 0.5 * slides);
    }
}

TEST(FeatureContacts, RigidBodiesDoNotBounceOffEachOther)
{
    World world = contact_world();
    add_collider(world, {});
    const RigidId box = add_rigid(world, {.kind = RigidKind::box, .size = {0.2, 0.1, 0.2}}, {}, "box");
    place_rigid(world, box, {.position = {0, 0.0505, 0}});
    const RigidId ball = add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.05}, {}, "ball");
    place_rigid(world, ball, {.position = {0.01, 0.4, 0.02}});
    run(world, 20);  // it has met the box
    Real highest = 0;
    for (int frame = 0; frame < 30; ++frame) {
        run(world, 1);
        highest = std::max(highest, world.rigid_bodies->pose[1].x.y);
    }
    EXPECT_LT(highest, 0.17) << "0.15 is where it lies";
}

TEST(FeatureContacts, AStackOfBoxesStands)
{
    World world = contact_world();
    const RigidId slab = add_rigid(world, {.kind = RigidKind::box, .size = {2, 0.1, 2}}, {}, "slab");
    place_rigid(world, slab, {.position = {0, -0.05, 0}});
    hold_rigid(world, slab);
    for (int i = 0; i < 3; ++i) {
        const RigidId box =
            add_rigid(world, {.kind = RigidKind::box, .size = {0.2, 0.1, 0.2}}, {}, "box" + std::to_string(i));
        place_rigid(world, box,
                    {.linear = turned({0, 1, 0}, 7. * i), .position = {0.01 * (i % 2), 0.0505 + 0.1102 * i, 0}});
    }
    run(world, 40);  // it settles
    const std::vector<Pose> from = world.rigid_bodies->pose;
    run(world, 120);
    for (int i = 1; i <= 3; ++i) {
        const Pose& to = world.rigid_bodies->pose[i];
        EXPECT_LT(shift_between(from[i], to).norm(), 3e-6) << "box " << i << " creeps";
        EXPECT_LT(turn_between(from[i], to).norm(), 3e-5) << "box " << i << " turns";
    }
}

/// The pulls at the two ends of a strap that slides over a held drum, half a turn, larger by smaller.
double ratio_of_pulls(double friction)
{
    World world = contact_world();
    writable(world.settings).substeps = 60;
    writable(world.forces).gravity = {};
    change_contact(world, [&](ContactParams& params) { params.friction = static_cast<Real>(friction); });
    change_contact(world, [&](ContactParams& params) { params.sweeps = 8; });
    const RigidId drum = add_rigid(world, {.kind = RigidKind::cylinder, .radius = 0.5, .height = 0.3}, {}, "drum");
    place_rigid(world, drum, {.linear = turned({1, 0, 0}, 90)});
    hold_rigid(world, drum);

    Strand strand;  // thin across the drum: bending takes no part
    const double r = 0.5055, edge = r * kPi / 24;
    for (int i = -12; i <= 36; ++i) {
        const double angle = kPi * std::clamp(i, 0, 24) / 24;
        strand.points.emplace_back(-r * std::cos(angle), r * std::sin(angle) - edge * std::max({-i, i - 24, 0}), 0);
    }
    const Vec3d down{0, -1, 0}, light = strand.points.front(), heavy = strand.points.back();
    const RodId strap = add_rod(world, {strand},
                                {.density = 500,
                                 .width = Real(0.001),
                                 .thickness = Real(0.08),
                                 .youngs_modulus = Real(1.6e8),
                                 .rest = RestShape::straight,
                                 .damping = 2});
    const Motion pull{.keys = {{.time = 0.2}, {.time = 1.2, .translation = 0.5 * down}}};
    const double almost = 0.9 * std::exp(kPi * friction);
    add_glue(world, anchor_on(world, strap, light), anchor_on_motion(light + down), {.stiffness = 10});
    add_glue(world, anchor_on(world, strap, heavy), anchor_on_motion(heavy + 0.1 * almost * down, pull),
             {.stiffness = 100});
    run(world, 40);
    double pulls[2] = {0, 0};
    Solver solver;
    for (int f = 0; f < 20; ++f) {
        solver.step(world);
        for (int g = 0; g < 2; ++g) pulls[g] += double(world.glues[g].force);
    }
    return pulls[1] / pulls[0];
}

TEST(FeatureContacts, RopeAroundADrum)
{
    for (const double friction : {0.1, 0.3, 0.5})
        EXPECT_NEAR(ratio_of_pulls(friction) / std::exp(kPi * friction), 1, 0.03) << friction;
}

/// The share of g along a slope of tan 0.5 by which a soft block slides on a held slab.
double acceleration_of_soft_block(double friction, int frames_to_settle = 30)
{
    World world = contact_world();
    change_contact(world, [&](ContactParams& params) { params.friction = static_cast<Real>(friction); });
    const Mat3d tilt = turned({0, 0, 1}, -std::atan(0.5) * 180 / kPi);
    const RigidId slab = add_rigid(world, {.kind = RigidKind::box, .size = {3, 0.1, 1}}, {}, "slab");
    place_rigid(world, slab, {.linear = tilt});
    hold_rigid(world, slab);
    const SolidId block =
        add_solid(world, fill_with_count(make_box({0.3, 0.1, 0.3}, 2), 120), {.alpha = 1, .damping = 5});
    place_solid(world, block, {.linear = tilt, .position = tilt * Vec3d{-0.8, 0.105, 0}});
    run(world, frames_to_settle);
    const double mass = 1000 * 0.3 * 0.1 * 0.3;
    const auto along = [&] { return (tilt.transposed() * linear_momentum(world)).x / mass; };
    const double before = along();
    run(world, 30);
    return (along() - before) / 0.5 / 9.81;
}

TEST(FeatureContacts, FrictionOfParticles)
{
    const double cosine = 1 / std::sqrt(1.25);
    EXPECT_NEAR(acceleration_of_soft_block(0), 0.5 * cosine, 0.01);
    EXPECT_NEAR(acceleration_of_soft_block(0.3), 0.2 * cosine, 0.01);
    EXPECT_NEAR(acceleration_of_soft_block(0.6, 120), 0, 0.001);
}

TEST(FeatureContacts, TheSameBitsForAnyNumberOfThreads)
{
    const auto make = [] {
        World world = contact_world();
        add_collider(world, {});
        add_sheet(world, 0.5, 26, {.linear = turned({1, 0.03, 0}, 86), .position = {0, 0.27, 0}}, kThin);
        const RigidId ball = add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.05}, {.density = 50});
        place_rigid(world, ball, {.position = {0, 0.8, 0}});
        return world;
    };
    expect_same_bits(make, 24);
}

TEST(FeatureContacts, WhatStartsTangledIsLetGoAndGuardedOnceApart)
{
    World world = contact_world();
    writable(world.forces).gravity = {};
    add_sheet(world, 0.2, 6, {}, kThin, "flat");
    add_sheet(world, 0.2, 6, {.linear = turned({1, 0, 0}, 90), .position = {0.003, 0.05, 0.002}, .velocity = {0, 1, 0}},
              kThin, "upright");
    const std::size_t before = find_crossings(world).size();
    EXPECT_GT(before, 3U);
    Solver solver;
    for (int f = 0; f < 30; ++f) EXPECT_EQ(solver.step(world).trouble.text, "");
    EXPECT_EQ(find_crossings(world).size(), 0U) << "it came out";
    EXPECT_FALSE(*world.tangled);
}

TEST(FeatureContacts, ThicknessOfZeroOrMoreThanTheEdges)
{
    for (const double thickness : {0.0, 0.05}) {  // edges of 0.02
        World world = contact_world();
        add_collider(world, {});
        add_sheet(world, 0.2, 10, {.linear = turned({1, 0.03, 0}, 86), .position = {0, 0.15, 0}},
                  {.thickness = static_cast<Real>(thickness), .damping = 1});
        EXPECT_EQ(run(world, 60), 0);
        for (const Vec3& x : world.particles->x) EXPECT_LT(x.norm(), 1);
    }
}

TEST(FeatureContacts, RulesSwitchPairsOffAndGluedPairsDoNotTouch)
{
    World world = contact_world();
    writable(world.settings).substeps = 1;
    writable(world.forces).gravity = {};
    add_sheet(world, 0.2, 4, {}, kThin, "a");
    add_sheet(world, 0.2, 4, {.position = {0, 0.003, 0}}, kThin, "b");
    Solver solver;
    EXPECT_GT(solver.step(world).feature_contacts.contacts, 0);
    change_contact(world, [&](ContactParams& params) { params.rules = {{.between = {"a", "b"}, .on = false}}; });
    EXPECT_EQ(solver.step(world).feature_contacts.contacts, 0);
    change_contact(world, [&](ContactParams& params) {
        params.rules = {{.between = {"*", "*"}, .on = false}, {.between = {"b*", "a"}}};
    });
    EXPECT_GT(solver.step(world).feature_contacts.contacts, 0) << "later rules over earlier ones";
    const ContactSurface ruled = make_contact_surface(world);
    EXPECT_TRUE(ruled.pairing(0, 1).on && !ruled.pairing(0, 0).on && !ruled.pairing(1, 1).on);
    change_contact(world, [&](ContactParams& params) { params.rules.clear(); });
    const ContactSurface before = make_contact_surface(world);
    add_glue(world, anchor_on(world, world.cloths.id_at(0), {0, 0, 0}),
             anchor_on(world, world.cloths.id_at(1), {0, 0.003, 0}));
    const ContactSurface after = make_contact_surface(world);
    EXPECT_TRUE(before.glue.empty());
    EXPECT_FALSE(after.glue.empty());
}

TEST(FeatureContacts, WhereThreeBordersAreSewnNoneTouches)
{
    World world = contact_world();
    std::vector<int> corner;
    for (const char* name : {"a", "b", "c"}) {
        corner.push_back(world.particles->size());
        add_sheet(world, 0.2, 4, {.position = {0, 0.05 * static_cast<double>(corner.size()), 0}}, kThin, name);
    }
    const auto at = [&](int k) { return Anchor{.kind = AnchorKind::cloud, .parents = {corner[k]}, .weights = {1}}; };
    Writable::append(world.glues, {.a = at(0), .b = at(1)});
    Writable::append(world.glues, {.a = at(1), .b = at(2)});
    const ContactSurface surface = make_contact_surface(world);
    EXPECT_TRUE(surface.are_glued(corner[0], corner[2]));
    EXPECT_FALSE(surface.are_glued(corner[0], corner[2] + 1));
}

}  // namespace
}  // namespace pliant
