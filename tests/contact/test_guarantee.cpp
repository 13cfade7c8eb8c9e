// Nothing passes through anything that is free to give way, however fast it comes.

#include "contact/all_pairs.h"
#include "contact/sheets.h"
#include "contact/throws.h"
#include "pliant/contact/pairs/crossings.h"
#include "pliant/contact/pairs/feature_contacts.h"
#include "pliant/state/integrate.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

/// The most edges that pass through triangles after any frame.
std::size_t most_crossings(World& world, int frames)
{
    Solver solver;
    std::size_t most = 0;
    for (int f = 0; f < frames; ++f) {
        EXPECT_EQ(solver.step(world).trouble.text, "");
        most = std::max(most, find_crossings(world).size());
    }
    return most;
}

/// Two free sheets, edge on, that fly towards each other at twice a speed [m/s].
World two_sheets(double speed, int cells)
{
    World world = contact_world();
    writable(world.forces).gravity = {};
    change_contact(world, [&](ContactParams& params) { params.friction = Real(0.4); });
    const ClothParams thin{.thickness = Real(0.002)};
    add_sheet(world, 0.3, cells, {.position = {0, 1, 0}, .velocity = {0, 0, speed}}, thin, "a");
    add_sheet(world, 0.3, cells,
              {.linear = turned({1, 0, 0}, 90), .position = {0, 1, 0.35 + 0.0045 * speed}, .velocity = {0, 0, -speed}},
              thin, "b");
    return world;
}

TEST(Guarantee, FreeSheetsThrownAtEachOther)
{
    for (const int cells : {6, 16}) {
        for (const double speed : {10., 25., 50., 100., 300.}) {
            World world = two_sheets(speed, cells);
            ASSERT_TRUE(find_crossings(world).empty());
            EXPECT_EQ(most_crossings(world, 3), 0U) << speed << " m/s, " << cells << " cells";
        }
    }
}

/// Two sheets that move along together, and towards each other: substeps without elasticity.
TEST(Guarantee, ListedPairsAreThoseOfASearchFromNothing)
{
    constexpr Real kStep = Real(1) / 1200;
    World world = contact_world();
    add_sheet(world, 0.3, 6, {.velocity = {20, 30, 0}}, kThin, "a");
    add_sheet(world, 0.3, 5, {.linear = turned({1, 0, 0}, 80), .position = {0.01, 0.3, 0}, .velocity = {20, -10, 0}},
              kThin, "b");
    const ContactSurface surface = make_contact_surface(world);
    Particles& particles = writable(world.particles);
    FeatureContacts contact;
    ParticleContacts no_particles;
    RigidContacts no_rigids;
    const ColliderFeatures no_features;
    Predicted predicted;
    std::vector<Pose> predicted_poses;
    const MovingBodies bodies{particles, predicted.x, writable(world.rigid_bodies), predicted_poses};
    contact.calm.most_proofs = 0;  // always look for pairs
    begin_feature_frame(20 * kStep, contact);
    for (int substep = 0; substep < 20; ++substep) {
        begin_feature_contacts(contact);
        predict(kStep, particles, predicted);
        const ColliderContacts none{{}, no_particles, no_rigids, 0, no_features};
        project_feature_contacts(kStep, surface, world.contact, bodies, none, contact);
        guard_feature_contacts(kStep, surface, bodies, none, contact);
        update_velocities(kStep, predicted, particles);
        for (const PairKind kind : {PairKind::vertex_triangle, PairKind::edge_edge})
            ASSERT_EQ(pairs_in(contact.pairs, kind), pairs_by_loop(surface, contact.pairs.points, kind))
                << "substep " << substep;
        EXPECT_TRUE(find_crossings(surface, particles.x).empty()) << "substep " << substep;
    }
    EXPECT_GT(contact.report.searches, 1) << "some pairs were found again";
}

TEST(Guarantee, RandomThrows)
{
    const ThrowPlan plan(20, 120);
    Throws throws(plan.seed);
    int thrown = 0;
    for (int k = 0; k < plan.count; ++k) {
        World world = throws.make();
        if (!find_crossings(world).empty()) continue;
        ++thrown;
        EXPECT_EQ(most_crossings(world, 4), 0U) << "throw " << k << ": " << throws.about;
    }
    EXPECT_GT(thrown, plan.count * 5 / 6);
}

TEST(Guarantee, AKeyedBoxCarriesClothAlong)
{
    World world = contact_world();
    change_contact(world, [&](ContactParams& params) { params.friction = Real(0.4); });
    add_sheet(world, 0.5, 12, {.position = {0, 0.65, 0}}, {.thickness = Real(0.004)});
    const RigidId box = add_rigid(world, {.kind = RigidKind::box, .size = {0.3, 0.2, 0.6}}, {}, "box");
    place_rigid(world, box, {.position = {0, 0.5, 0}});
    hold_rigid(world, box, {.keys = {{}, {.time = 1, .degrees = 1800}}, .axis = {0, 0, 1}, .pivot = {0, 0.5, 0}});
    EXPECT_EQ(most_crossings(world, 30), 0U);
}

/// Rounding may not use up the least clearance, a little in every substep: with a far body as the origin of all points, it is large.
TEST(Guarantee, ALoadDoesNotSinkThroughClothOnTheGround)
{
    World world = contact_world();
    add_sheet(world, 0.2, 2, {.position = {300, 0.01, 0}}, {.thickness = Real(0.004)}, "far");
    add_sheet(world, 0.8, 5, {.position = {0, 0.01, 0}}, {.thickness = Real(0.004)});
    place_rigid(world, add_rigid(world, {.kind = RigidKind::box, .size = {0.3, 0.3, 0.3}}, {.density = 8000}, "load"),
                {.linear = turned({1, 0, 1}, 40), .position = {0.03, 0.3, 0.05}});
    add_collider(world, {.name = "ground"});
    EXPECT_EQ(most_crossings(world, 15), 0U);
}

/// Two guards see to it: that of rigid bodies, and that of features. What one of them has found to be carried along is so for both.
TEST(Guarantee, AKeyedBoxPushesABoxIntoCloth)
{
    World world = contact_world();
    const ClothParams params{.thickness = Real(0.004)};
    for (const double x : {0.6, 0.7})
        add_sheet(world, 1, 10, {.linear = turned({0, 0, 1}, 90), .position = {x, 0.6, 0}}, params);
    place_rigid(world, add_rigid(world, {.kind = RigidKind::box, .size = {0.3, 0.3, 0.3}}, {}, "box"),
                {.position = {0.35, 0.3, 0}});
    const RigidId pusher = add_rigid(world, {.kind = RigidKind::box, .size = {0.2, 0.5, 0.8}}, {}, "pusher");
    place_rigid(world, pusher, {.position = {0, 0.3, 0}});
    hold_rigid(world, pusher,
               {.keys = {{}, {.time = 1, .translation = {10, 0, 0}, .degrees = 200}}, .pivot = {0, 0.3, 0}});
    Solver solver;
    for (int frame = 0; frame < 12; ++frame) {
        ASSERT_EQ(solver.step(world).trouble.text, "");
        // rigid bodies are meshes in this count
        ASSERT_EQ(solver.find_crossings(world).size(), 0U) << "frame " << frame;
    }
}

/// A concave body, which rests on its features. Pushed out of the ground at its centre it would not fall over.
TEST(Guarantee, ALeaningRingFallsOver)
{
    World world = contact_world();
    add_sheet(world, 1.2, 10, {.position = {0, 0.02, 0}}, {.thickness = Real(0.002)});
    const RigidId ring = add_rigid(world, {.kind = RigidKind::mesh, .mesh = make_torus(0.3, 0.06, 8)}, {}, "ring");
    place_rigid(world, ring, {.linear = turned({0, 0, 1}, 70), .position = {5, 0.4, 0}});
    add_collider(world, {.name = "ground"});
    EXPECT_EQ(most_crossings(world, 90), 0U);
    EXPECT_LT(world.rigid_bodies->pose[0].x.y, Real(0.07));
}

}  // namespace
}  // namespace pliant
