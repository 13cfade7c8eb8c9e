#include "pliant/state/motion.h"

#include "pliant/base/check.h"
#include "pliant/math/trigonometry.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

TEST(Trigonometry, AgreesWithTheLibraryAndIsExactAtQuarters)
{
    for (double degrees = -1000; degrees <= 1000; degrees += 0.37) {
        const SinCos t = sin_cos_degrees(degrees);
        EXPECT_NEAR(t.sin, std::sin(degrees * 3.14159265358979323846 / 180), 4e-15);
        EXPECT_NEAR(t.cos, std::cos(degrees * 3.14159265358979323846 / 180), 4e-15);
        EXPECT_NEAR(t.sin * t.sin + t.cos * t.cos, 1, 4e-16);
    }
    EXPECT_EQ(sin_cos_degrees(90).sin, 1);
    EXPECT_EQ(sin_cos_degrees(180).cos, -1);
    EXPECT_EQ(sin_cos_degrees(-90).sin, -1);
    EXPECT_EQ(sin_cos_degrees(720).cos, 1);
}

TEST(Motion, GoesThroughItsKeysAndHoldsAtTheEnds)
{
    Motion m;
    m.keys = {{1, {0, 0, 0}, 0}, {3, {4, 0, 0}, 180}};
    m.pivot = {1, 0, 0};
    const Vec3d p{2, 0, 0};
    EXPECT_NEAR((motion_at(m, 0)(p) - p).norm(), 0, 1e-15);
    EXPECT_NEAR((motion_at(m, 2)(p) - Vec3d{1 + 2, 0, -1}).norm(), 0, 1e-15);  // a quarter turn about y
    EXPECT_NEAR((motion_at(m, 9)(p) - Vec3d{4, 0, 0}).norm(), 0, 1e-15);
    m.easing = Easing::smooth;
    EXPECT_NEAR((motion_at(m, 2)(p) - Vec3d{3, 0, -1}).norm(), 0, 1e-15);
    EXPECT_LT(motion_at(m, 1.1).shift.x, 0.1);
    EXPECT_NEAR((motion_at({}, 5)(p) - p).norm(), 0, 0);
}

TEST(Motion, RefusesKeysOutOfOrderAndAZeroAxis)
{
    Motion m;
    m.keys = {{1, {}, 0}, {1, {}, 0}};
    EXPECT_THROW(check_motion(m, "test"), InputError);
    m.keys.pop_back();
    EXPECT_NO_THROW(check_motion(m, "test"));
    m.axis = {};
    EXPECT_THROW(check_motion(m, "test"), InputError);
}

}  // namespace
}  // namespace pliant
