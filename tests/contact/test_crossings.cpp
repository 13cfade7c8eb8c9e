#include "contact/sheets.h"
#include "pliant/contact/pairs/crossings.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Crossings, SegmentsAndTriangles)
{
    const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
    const auto through = [&](Real x, Real y) { return crosses({x, y, -1}, {x, y, 1}, a, b, c); };
    EXPECT_TRUE(through(Real(0.2), Real(0.2)));
    EXPECT_TRUE(through(Real(0.5), Real(0.5)));  // on the border
    EXPECT_TRUE(through(0, 0));                  // on a corner
    EXPECT_FALSE(through(Real(0.6), Real(0.6)));
    EXPECT_FALSE(through(Real(-0.1), Real(0.2)));
    EXPECT_FALSE(crosses({Real(0.2), Real(0.2), 1}, {Real(0.2), Real(0.2), 2}, a, b, c));  // ends before it
    EXPECT_TRUE(crosses({Real(0.2), Real(0.2), 0}, {Real(0.2), Real(0.2), 2}, a, b, c));   // ends on it
    EXPECT_FALSE(crosses({-1, Real(0.2), 0}, {2, Real(0.2), 0}, a, b, c));                 // lies in its plane
    // one unit of the last digit decides
    const Real above = std::nextafter(Real(0), Real(1)), below = -above;
    EXPECT_TRUE(crosses({Real(0.2), Real(0.2), below}, {Real(0.3), Real(0.2), above}, a, b, c));
    EXPECT_FALSE(crosses({Real(0.2), Real(0.2), above}, {Real(0.3), Real(0.2), above}, a, b, c));
    // an edge and a triangle of one plane, which no number says exactly
    const auto turned_about = [](double x, double z) {
        const Vec3d at{x, 0.4266, z};
        return (at + Vec3d{1e-4, 5e-4, -2e-4}.cross(at)).cast<Real>();
    };
    for (int i = 0; i < 200; ++i) {
        const double x = -0.4 + 0.04 * (i % 20), z = -0.4 + 0.04 * (i / 20);
        EXPECT_FALSE(crosses(turned_about(x, z), turned_about(x + 0.04, z + 0.04), turned_about(x, z + 0.04),
                             turned_about(x, z + 0.08), turned_about(x + 0.04, z + 0.08)));
    }
}

TEST(Crossings, OfWhatIsGluedDoNotCount)
{
    World world = contact_world();
    const ClothId flat = add_sheet(world, 0.2, 1, {}, kThin, "flat");
    const ClothId upright = add_sheet(world, 0.1, 1, {.linear = turned({1, 0, 0}, 80)}, kThin, "upright");
    EXPECT_GT(find_crossings(world).size(), 0U);
    add_glue(world, anchor_on(world, flat, {}), anchor_on(world, upright, {}));
    EXPECT_EQ(find_crossings(world).size(), 0U);
}

}  // namespace
}  // namespace pliant
