// Nothing passes through anything that is free to give way, however fast it comes.

#include "contact/all_pairs.h"
#include "contact/sheets.h"
#include "pliant/contact/pairs/crossings.h"
#include "pliant/contact/pairs/feature_contacts.h"
#include "pliant/state/integrate.h"

#include <gtest/gtest.h>

#include <random>

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
    Predicted predicted;
    std::vector<Pose> predicted_poses;
    const MovingBodies bodies{particles, predicted.x, writable(world.rigid_bodies), predicted_poses};
    begin_feature_frame(contact);
    for (int substep = 0; substep < 20; ++substep) {
        begin_feature_contacts(contact);
        predict(kStep, particles, predicted);
        project_feature_contacts(kStep, surface, world.contact, bodies, {{}, no_particles, no_rigids, 0}, contact);
        guard_feature_contacts(kStep, surface, bodies, contact);
        update_velocities(kStep, predicted, particles);
        for (const PairKind kind : {PairKind::vertex_triangle, PairKind::edge_edge})
            ASSERT_EQ(pairs_in(contact.pairs, kind), pairs_by_loop(surface, contact.pairs.points, kind))
                << "substep " << substep;
        EXPECT_TRUE(find_crossings(surface, particles.x).empty()) << "substep " << substep;
    }
    EXPECT_GT(contact.report.searches, 1) << "some pairs were found again";
}

/// Random bodies that fly at each other.
class Throws {
  public:
    explicit Throws(unsigned seed) : random_(seed) {}

    World make()
    {
        World world;
        writable(world.settings).substeps = static_cast<int>(between(1, 41));
        writable(world.settings).iterations = 1;
        change_contact(world, [&](ContactParams& params) { params.on = true; });
        change_contact(world, [&](ContactParams& params) { params.friction = static_cast<Real>(between(0, 0.8)); });
        writable(world.forces).gravity = {};
        const double size = by_ratio(0.002, 10), speed = by_ratio(1, 300);
        const double apart = 1.2 * size + between(0.2, 2) * speed / 60;
        const Vec3d along = direction();
        add(world, size, {.linear = turned(direction(), between(0, 180)), .velocity = speed * along}, "a");
        const Vec3d beside = between(0, 0.3) * size * direction();
        add(world, size * by_ratio(0.5, 1),
            {.linear = turned(direction(), between(0, 180)),
             .position = apart * along + beside,
             .velocity = (random_() % 2 == 0 ? 0 : -speed) * along},
            "b");
        return world;
    }

  private:
    double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
    double by_ratio(double low, double high) { return low * std::pow(high / low, between(0, 1)); }
    Vec3d direction()
    {
        const Vec3d d{between(-1, 1), between(-1, 1), between(-1, 1)};
        return d.norm() > 0.1 ? d.normalized() : direction();
    }

    /// Of about a size [m] in diameter.
    void add(World& world, double size, const Placement& placement, const char* name)
    {
        switch (random_() % 6) {
            case 0:
            case 1: {
                const ClothParams params{.thickness = static_cast<Real>(by_ratio(0.001, 0.02) * size)};
                add_sheet(world, 0.7 * size, 3 + static_cast<int>(random_() % 5), placement, params, name);
                break;
            }
            case 2: {
                Strand strand;
                for (int i = 0; i <= 8; ++i) strand.points.emplace_back(size * (i / 8. - 0.5), 0, 0);
                const RodId id = add_rod(
                    world, {strand},
                    {.radius = static_cast<Real>(by_ratio(0.002, 0.02) * size), .youngs_modulus = Real(1e6)}, name);
                place_rod(world, id, placement);
                break;
            }
            case 3: {
                SolidShape shape = fill_with_count(make_box(0.5 * size * Vec3d{1, 1, 1}, 2), 40);
                add_skin(shape, 500);
                place_solid(world, add_solid(world, shape, {.density = 500}, name), placement);
                break;
            }
            case 4:
                place_rigid(world, add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.4 * size}, {}, name),
                            placement);
                break;
            default:
                place_rigid(world,
                            add_rigid(world, {.kind = RigidKind::box, .size = size * Vec3d{0.6, 0.3, 0.5}}, {}, name),
                            placement);
        }
    }

    std::mt19937 random_;
};

TEST(Guarantee, RandomThrows)
{
    Throws throws(1);
    int thrown = 0;
    for (int k = 0; k < 120; ++k) {
        World world = throws.make();
        if (!find_crossings(world).empty()) continue;
        ++thrown;
        EXPECT_EQ(most_crossings(world, 4), 0U) << "throw " << k;
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
