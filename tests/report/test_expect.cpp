#include "pliant/report/expect.h"
#include "pliant/world/edits.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

/// Two cubes of eight particles, a kilogram each.
World two_cubes()
{
    World world;
    for (const char* name : {"left", "right"}) {
        std::vector<Vec3d> points;
        for (int i = 0; i < 8; ++i) points.push_back({0.5 * (i & 1), 0.5 * (i >> 1 & 1), 0.5 * (i >> 2)});
        SolidShape shape = shape_of_points(points);
        shape.mass.assign(8, 1);
        const SolidId id = add_solid(world, shape, {.cluster_radius = 2}, name);
        Placement placement;
        placement.position = {name[0] == 'l' ? -5.0 : 5.0, 1, 0};
        place_solid(world, id, placement);
    }
    return world;
}

void move(const Vec3& velocity, const Vec3& shift, World& world)
{
    for (Vec3& v : writable(world.particles).v) v = velocity;
    for (Vec3& x : writable(world.particles).x) x += shift;
}

ExpectResult check(const Expectation& expectation, int frames, Real height_step)
{
    World world = two_cubes();
    ExpectCheck check({expectation});
    for (int frame = 0; frame <= frames; ++frame) {
        check.sample(frame, world, 10 * frame);
        move({Real(frame), 0, 0}, {0, height_step, 0}, world);
    }
    return check.results().at(0);
}

TEST(Expect, BoundsFromBothSides)
{
    EXPECT_TRUE(check({.what = Quantity::height, .min = 1.2, .max = 1.3}, 0, 0).met);
    EXPECT_FALSE(check({.what = Quantity::height, .min = 1.3}, 0, 0).met);
    EXPECT_FALSE(check({.what = Quantity::height, .max = 1.2}, 0, 0).met);
}

TEST(Expect, BoilsASeriesDown)
{
    const auto value = [](When when, std::optional<int> frame = {}) {
        return check({.what = Quantity::height, .when = when, .frame = frame, .max = 0}, 4, Real(-1)).value;
    };
    EXPECT_NEAR(value(When::first), 1.25, 1e-5);
    EXPECT_NEAR(value(When::last), -2.75, 1e-5);
    EXPECT_NEAR(value(When::max), 1.25, 1e-5);
    EXPECT_NEAR(value(When::min), -2.75, 1e-5);
    EXPECT_NEAR(value(When::change), 4, 1e-5);
    EXPECT_NEAR(value(When::relative_change), 4 / 2.75, 1e-5);
    EXPECT_NEAR(value(When::last, 1), 0.25, 1e-5);
    EXPECT_NEAR(value(When::change, 2), 2, 1e-5);
}

TEST(Expect, TakesVectorsByTheirLength)
{
    // Sampled at frame f, the particles move with f - 1 m/s along x; 16 kg in all.
    const auto value = [](When when) {
        return check({.what = Quantity::linear_momentum, .when = when, .max = 0}, 4, 0).value;
    };
    EXPECT_NEAR(value(When::last), 48, 1e-3);
    EXPECT_NEAR(value(When::change), 48, 1e-3);
    EXPECT_NEAR(value(When::relative_change), 1, 1e-5);
}

TEST(Expect, TakesTheChangeOfAVectorByItsDifference)
{
    World world = two_cubes();
    ExpectCheck check({{.what = Quantity::linear_momentum, .when = When::change, .max = 0},
                       {.what = Quantity::linear_momentum, .when = When::relative_change, .max = 0}});
    move({1, 0, 0}, {}, world);
    check.sample(0, world, 0);
    move({-1, 0, 0}, {}, world);
    check.sample(1, world, 0);
    EXPECT_NEAR(check.results()[0].value, 32, 1e-4) << "turned round, though as long as before";
    EXPECT_NEAR(check.results()[1].value, 2, 1e-5);
}

TEST(Expect, MeasuresOneBody)
{
    EXPECT_NEAR(check({.what = Quantity::center_x, .of = "left", .max = 0}, 0, 0).value, -4.75, 1e-5);
    EXPECT_NEAR(check({.what = Quantity::center_x, .of = "right", .max = 0}, 0, 0).value, 5.25, 1e-5);
    EXPECT_NEAR(check({.what = Quantity::center_x, .max = 0}, 0, 0).value, 0.25, 1e-5);
    EXPECT_NEAR(check({.what = Quantity::size_x, .of = "left", .max = 0}, 0, 0).value, 0.5, 1e-5);
    EXPECT_NEAR(check({.what = Quantity::size_x, .max = 0}, 0, 0).value, 10.5, 1e-5);
    EXPECT_NEAR(check({.what = Quantity::lowest, .max = 0}, 0, 0).value, 1, 1e-5);
    EXPECT_NEAR(check({.what = Quantity::highest, .max = 0}, 0, 0).value, 1.5, 1e-5);
}

TEST(Expect, MeasuresTheRestOfTheTable)
{
    EXPECT_NEAR(check({.what = Quantity::contacts, .when = When::max, .max = 0}, 4, 0).value, 40, 1e-9);
    EXPECT_NEAR(check({.what = Quantity::max_speed, .when = When::last, .max = 0}, 4, 0).value, 3, 1e-5);
    EXPECT_NEAR(check({.what = Quantity::kinetic_energy, .max = 0}, 4, 0).value, 8 * 9, 1e-3);
    EXPECT_NEAR(check({.what = Quantity::potential_energy, .max = 0}, 0, 0).value, 16 * 9.81 * 1.25, 1e-2);
    EXPECT_NEAR(check({.what = Quantity::max_strain, .max = 0}, 0, 0).value, 0, 1e-5);
    EXPECT_NEAR(check({.what = Quantity::rotation, .max = 0}, 0, 0).value, 0, 1e-3);
}

TEST(Expect, MeasuresRotationFromRest)
{
    World world = two_cubes();
    Placement turned;
    turned.linear = rotation_of({0, 0, 40});
    place_solid(world, world.solids.id_at(0), turned);
    ExpectCheck check({{.what = Quantity::rotation, .of = "left", .max = 0}, {.what = Quantity::rotation, .max = 0}});
    check.sample(0, world, 0);
    EXPECT_NEAR(check.results()[0].value, 40, 1e-3);
    EXPECT_NEAR(check.results()[1].value, 40, 1e-3) << "the largest of all bodies";
}

TEST(Expect, FailsOnWhatIsNotFinite)
{
    World world = two_cubes();
    ExpectCheck check({{.what = Quantity::height, .max = 1e30},
                       {.what = Quantity::height, .when = When::min, .min = -1e30},
                       {.what = Quantity::height, .when = When::change, .max = 1e30}});
    check.sample(0, world, 0);
    writable(world.particles).x[3].y = std::numeric_limits<Real>::quiet_NaN();
    check.sample(1, world, 0);  // in the middle: std::min and std::max would pass over it
    world = two_cubes();
    check.sample(2, world, 0);
    EXPECT_TRUE(check.results()[0].met) << "the last value is fine again";
    EXPECT_FALSE(check.results()[1].met);
    EXPECT_FALSE(check.results()[2].met);
}

TEST(Expect, FailsWhenTheFrameWasNotReached)
{
    EXPECT_TRUE(check({.what = Quantity::height, .frame = 4, .max = 100}, 4, 0).met);
    const ExpectResult result = check({.what = Quantity::height, .frame = 5, .max = 100}, 4, 0);
    EXPECT_FALSE(result.met);
    EXPECT_NE(result.text.find("not reached"), std::string::npos);
}

TEST(Expect, SaysWhatWasMeasuredAndWhy)
{
    EXPECT_EQ(check({.what = Quantity::height, .of = "left", .min = 1, .max = 2, .why = "it floats"}, 0, 0).text,
              "height of left (last) is 1.25, must be between 1 and 2: it floats");
}

TEST(Expect, FindsMistakes)
{
    const std::vector<std::string> bodies{"bunny"};
    EXPECT_EQ(find_mistake({.max = 1}, bodies, 10), "");
    EXPECT_EQ(find_mistake({.of = "bunny", .max = 1}, bodies, 10), "");
    EXPECT_NE(find_mistake({}, bodies, 10).find("bounds nothing"), std::string::npos);
    EXPECT_NE(find_mistake({.min = 2, .max = 1}, bodies, 10).find("above"), std::string::npos);
    EXPECT_NE(find_mistake({.frame = 11, .max = 1}, bodies, 10).find("after the last"), std::string::npos);
    EXPECT_NE(find_mistake({.of = "buny", .max = 1}, bodies, 10).find("did you mean \"bunny\"?"), std::string::npos);
    EXPECT_NE(find_mistake({.what = Quantity::contacts, .of = "bunny", .max = 1}, bodies, 10).find("whole world"),
              std::string::npos);
}

}  // namespace
}  // namespace pliant
