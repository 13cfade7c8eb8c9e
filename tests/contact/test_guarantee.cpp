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
        guard_feature_contacts(kStep, surface, world.contact, bodies, none, contact);
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
    Throws throws(20);
    int thrown = 0;
    for (int k = 0; k < 120; ++k) {
        World world = throws.make();
        if (!find_crossings(world).empty()) continue;
        ++thrown;
        EXPECT_EQ(most_crossings(world, 4), 0U) << "throw " << k << ": " << throws.about;
    }
    EXPECT_GT(thrown, 100);
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

}  // namespace
}  // namespace pliant
