#include "pliant/geometry/courses.h"

#include "pi.h"
#include "pliant/base/check.h"
#include "pliant/geometry/shapes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pliant {
namespace {

/// Longest by shortest edge.
double unevenness(const Course& course)
{
    double shortest = 1e30, longest = 0;
    for (std::size_t k = 1; k < course.size(); ++k) {
        const double length = (course[k] - course[k - 1]).norm();
        shortest = std::min(shortest, length);
        longest = std::max(longest, length);
    }
    return longest / shortest;
}

double length_of(const Course& course)
{
    double sum = 0;
    for (std::size_t k = 1; k < course.size(); ++k) sum += (course[k] - course[k - 1]).norm();
    return sum;
}

TEST(Courses, LineIsEven)
{
    const Course line = make_line({1, 2, 3}, {1, 2, 5}, 7);
    ASSERT_EQ(line.size(), 8u);
    EXPECT_EQ(line.front(), (Vec3d{1, 2, 3}));
    EXPECT_EQ(line.back(), (Vec3d{1, 2, 5}));
    EXPECT_NEAR(unevenness(line), 1, 1e-12);
}

TEST(Courses, HelixHasTheLengthOfItsUnrolledTriangle)
{
    const Course helix = make_helix(0.5, 0.2, 3, 600);
    ASSERT_EQ(helix.size(), 601u);
    EXPECT_NEAR(length_of(helix), 3 * std::hypot(2 * kPi * 0.5, 0.2), 1e-3);
    EXPECT_NEAR(unevenness(helix), 1, 1e-9);
    EXPECT_LT((helix.back() - Vec3d{0.5, 0.6, 0}).norm(), 1e-12);
    const Vec3d a = helix[1] - helix[0], b = helix[2] - helix[1], c = helix[3] - helix[2];
    EXPECT_GT(a.cross(b).dot(c), 0) << "right-handed";
}

TEST(Courses, RingLiesOnItsCircle)
{
    const Course ring = make_ring(2, 12);
    ASSERT_EQ(ring.size(), 12u);
    for (const Vec3d& p : ring) {
        EXPECT_NEAR(p.norm(), 2, 1e-12);
        EXPECT_EQ(p.y, 0);
    }
    EXPECT_NEAR((ring.back() - ring.front()).norm(), 2 * 2 * std::sin(kPi / 12), 1e-12) << "it closes by one more edge";
}

TEST(Courses, SpiralLeadsOutInNearlyEqualSteps)
{
    const Course spiral = make_spiral(0.1, 0.5, 4, 400);
    EXPECT_NEAR(spiral.front().norm(), 0.1, 1e-12);
    EXPECT_LT((spiral.back() - Vec3d{0.5, 0, 0}).norm(), 1e-12);
    EXPECT_LT(unevenness(spiral), 1.2);
    for (std::size_t k = 1; k < spiral.size(); ++k) EXPECT_GT(spiral[k].norm(), spiral[k - 1].norm());
}

TEST(Courses, HairStandsOnTheSphereAndIsSpreadEvenly)
{
    const std::vector<Course> hair = make_hair(2, 0.5, 0, 500, 4);
    ASSERT_EQ(hair.size(), 500u);
    Vec3d sum;
    double nearest = 1e30, farthest_nearest = 0;
    for (const Course& a : hair) {
        ASSERT_EQ(a.size(), 5u);
        EXPECT_NEAR(a.front().norm(), 2, 1e-12);
        EXPECT_NEAR(a.back().norm(), 2.5, 1e-12);
        EXPECT_NEAR(length_of(a), 0.5, 1e-12);
        sum += a.front();
        double own = 1e30;
        for (const Course& b : hair)
            if (&a != &b) own = std::min(own, (a.front() - b.front()).norm());
        nearest = std::min(nearest, own);
        farthest_nearest = std::max(farthest_nearest, own);
    }
    EXPECT_LT((sum / 500).norm(), 0.01);
    EXPECT_LT(farthest_nearest / nearest, 1.6) << "no crowd and no bald place";
}

TEST(Courses, CurlKeepsRootAndLength)
{
    const Course straight = make_hair(1, 0.5, 0, 3, 50)[1], curly = make_hair(1, 0.5, 720, 3, 50)[1];
    EXPECT_EQ(straight[0], curly[0]);
    EXPECT_LT((straight[1] - curly[1]).norm(), 1e-12) << "it leaves along the normal";
    EXPECT_NEAR(length_of(curly), 0.5, 1e-12);
    EXPECT_NEAR((curly.back() - curly.front()).norm(), 0.5 * std::sqrt(0.5), 1e-9) << "whole turns lead along the axis";
}

TEST(Courses, BundleIsSpreadEvenlyOverADisc)
{
    const std::vector<Course> bundle = make_bundle(2, 3, 1000, 6);
    ASSERT_EQ(bundle.size(), 1000u);
    double nearest = 1e30;
    for (const Course& a : bundle) {
        EXPECT_LT(a.front().norm(), 2);
        EXPECT_LT((a.back() - a.front() - Vec3d{0, 3, 0}).norm(), 1e-12);
        for (const Course& b : bundle) nearest = &a == &b ? nearest : std::min(nearest, (a.front() - b.front()).norm());
    }
    EXPECT_GT(nearest, 0.7 * std::sqrt(kPi * 4 / 1000)) << "of the width that each has";
    EXPECT_THROW(make_bundle(1, 1, 0, 8), InputError);
}

TEST(Courses, BundleLeansOutwardsByItsFlare)
{
    double most = 0;
    for (const Course& c : make_bundle(2, 3, 1000, 6, 60)) {
        const Vec3d along = c.back() - c.front();
        EXPECT_NEAR(along.norm(), 3, 1e-12);
        const double lean = std::atan2(std::hypot(along.x, along.z), along.y) * 180 / kPi;
        EXPECT_NEAR(lean, 30 * c.front().norm(), 1e-9) << "60 degrees at 2 m from the middle";
        EXPECT_GT(along.dot(c.front()), 0) << "away from the middle";
        most = std::max(most, lean);
    }
    EXPECT_GT(most, 59);
}

TEST(Courses, RefuseWhatMakesNoCourse)
{
    EXPECT_THROW(make_line({1, 0, 0}, {1, 0, 0}, 5), InputError);
    EXPECT_THROW(make_line({std::nan(""), 0, 0}, {1, 0, 0}, 5), InputError);
    EXPECT_THROW(make_line({0, 0, 0}, {1, 0, 0}, 0), InputError);
    EXPECT_THROW(make_ring(1, 2), InputError);
    EXPECT_THROW(make_ring(0, 8), InputError);
    EXPECT_THROW(make_helix(1, 0.1, 0, 8), InputError);
    EXPECT_THROW(make_spiral(0.5, 0.5, 2, 8), InputError);
    EXPECT_THROW(make_hair(1, 1, 0, 0, 8), InputError);
    EXPECT_THROW(make_hair(1, -1, 0, 5, 8), InputError);
}

TEST(Courses, HairGrowsEvenlyOnASurface)
{
    const SurfaceMesh box = make_box({2, 1, 1}, 4);
    const std::vector<Course> hair = make_hair(box, 0.3, 0, 1000, 3);
    ASSERT_EQ(hair.size(), 1000u);
    int top = 0, right = 0;
    for (const Course& course : hair) {
        const Vec3d& root = course.front();
        const double outside = std::max({std::abs(root.x) - 1, std::abs(root.y) - 0.5, std::abs(root.z) - 0.5});
        EXPECT_NEAR(outside, 0, 1e-12);
        EXPECT_NEAR((course.back() - root).norm(), 0.3, 1e-12);
        EXPECT_GT((course.back() - root).dot(root), 0) << "outwards";
        top += root.y > 0.5 - 1e-9 ? 1 : 0;
        right += root.x > 1 - 1e-9 ? 1 : 0;
    }
    EXPECT_NEAR(top, 200, 10);  // areas 2 and 1 of 10
    EXPECT_NEAR(right, 100, 10);
}

}  // namespace
}  // namespace pliant
