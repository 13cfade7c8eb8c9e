#include "pliant/geometry/convex_hull.h"

#include "messages.h"
#include "pliant/geometry/mascot.h"
#include "pliant/geometry/shapes.h"
#include "pliant/math/rotation.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

/// How far the furthest point is outside, times twice the area of the triangle it sees: thin ones point anywhere.
double furthest_outside(const std::vector<Vec3d>& points, const SurfaceMesh& hull)
{
    double most = -1e9;
    for (const auto& [a, b, c] : hull.triangles) {
        const Vec3d& corner = hull.vertices[a];
        const Vec3d n = (hull.vertices[b] - corner).cross(hull.vertices[c] - corner);
        for (const Vec3d& p : points) most = std::max(most, n.dot(p - corner));
    }
    return most;
}

TEST(ConvexHull, OfALatticeIsItsBox)
{
    std::vector<Vec3d> points;
    for (int i = 0; i < 5; ++i)
        for (int j = 0; j < 4; ++j)
            for (int k = 0; k < 3; ++k) points.push_back({0.1 * i, 0.2 * j, 0.3 * k});
    points.insert(points.end(), points.begin(), points.end());  // all of them twice
    const SurfaceMesh hull = convex_hull(points);
    EXPECT_EQ(hull.vertices.size(), 8u);
    EXPECT_EQ(hull.triangles.size(), 12u);
    EXPECT_EQ(open_edges(hull), 0);
    EXPECT_NEAR(volume(hull), 0.4 * 0.6 * 0.6, 1e-12);
}

TEST(ConvexHull, ContainsAllPoints)
{
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    std::vector<std::vector<Vec3d>> clouds{make_mascot(1, 32).vertices, make_torus(1, 0.3, 24).vertices,
                                           make_cylinder(0.5, 1, 48).vertices};
    clouds.emplace_back();
    for (int i = 0; i < 2000; ++i) clouds.back().push_back({normal(random), 1e-3 * normal(random), normal(random)});
    clouds.emplace_back();
    for (int i = 0; i < 1000; ++i)
        clouds.back().push_back(Vec3d{normal(random), normal(random), normal(random)}.normalized());
    for (const Mat3d& turn : {Mat3d::identity(), rotation_of({20, 50, 30})}) {
        for (std::vector<Vec3d> points : clouds) {
            for (Vec3d& p : points) p = turn * p + Vec3d{5, 6, 7};
            const SurfaceMesh hull = convex_hull(points);
            EXPECT_EQ(open_edges(hull), 0);
            EXPECT_GT(volume(hull), 0);
            EXPECT_LT(furthest_outside(points, hull), 1e-8);
            EXPECT_EQ(hull.triangles.size(), 2 * hull.vertices.size() - 4) << "Euler";
        }
    }
}

TEST(ConvexHull, SaysWhatIsWrong)
{
    const auto error = [](const std::vector<Vec3d>& points) { return message_of([&] { convex_hull(points); }); };
    EXPECT_PRED2(says, error({}), "there are 0");
    EXPECT_PRED2(says, error({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), "there are 3");
    EXPECT_PRED2(says, error(std::vector<Vec3d>(9, {1, 2, 3})), "there are 1");
    EXPECT_PRED2(says, error({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}), "on a line");
    std::vector<Vec3d> plane;
    for (int i = 0; i < 100; ++i) plane.push_back(rotation_of({30, 40, 50}) * Vec3d{0.1 * i, 0, 0.01 * i * i});
    EXPECT_PRED2(says, error(plane), "in a plane");
    plane[0].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_PRED2(says, error(plane), "not finite");
}

}  // namespace
}  // namespace pliant
