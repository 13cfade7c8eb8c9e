// What passes through something at the start comes apart by itself.

#include "contact/sheets.h"
#include "contact/throws.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

struct Outcome {
    std::size_t before, after;
    Real fastest = 0;
};

/// Over 60 frames, with weight.
Outcome run(World& world)
{
    Outcome out{find_crossings(world).size(), 0};
    Solver solver;
    for (int f = 0; f < 60; ++f) {
        EXPECT_EQ(solver.step(world).trouble.text, "");
        for (const Vec3& v : world.particles->v) out.fastest = std::max(out.fastest, v.norm());
    }
    out.after = find_crossings(world).size();
    return out;
}

void expect_parted(World& world, Real fastest)
{
    const Outcome out = run(world);
    EXPECT_GT(out.before, 0U);
    EXPECT_EQ(out.after, 0U);
    EXPECT_LT(out.fastest, fastest);
    EXPECT_FALSE(*world.tangled);
}

TEST(Tangles, OneSheetThroughAnother)
{
    World world = contact_world();
    writable(world.forces).gravity = {};
    add_sheet(world, 0.4, 14, {}, {}, "flat");
    add_sheet(world, 0.3, 11, {.linear = turned({1, 0.1, 0}, 80), .position = {0.013, 0.08, 0.007}}, {}, "upright");
    expect_parted(world, 2);
}

TEST(Tangles, SheetsThatLieThroughEachOther)
{
    World world = contact_world();
    add_collider(world, {});
    for (int k = 0; k < 3; ++k)
        add_sheet(world, 0.5, 16, {.linear = turned({0.3, 0.1 * k, 1}, 4 * k), .position = {0.02 * k, 0.1, 0.03 * k}},
                  {}, ("sheet" + std::to_string(k)).c_str());
    expect_parted(world, 4);
}

TEST(Tangles, SoftBallsThatOverlap)
{
    World world = contact_world();
    writable(world.forces).gravity = {};
    for (int k = 0; k < 2; ++k) {
        SolidShape shape = fill_with_count(make_sphere(0.2, 3), 120);
        add_skin(shape, 500);
        place_solid(world, add_solid(world, shape, {.density = 500}, k == 0 ? "a" : "b"),
                    {.position = {0.35 * k, 0.01 * k, 0}});
    }
    expect_parted(world, 4);
}

}  // namespace
}  // namespace pliant
