#include "pliant/geometry/closest.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

/// The smallest distance over a fine grid of both features: never below the true one, and close to it.
double sampled_vertex_triangle(const Vec3d x[4])
{
    double least = 1e300;
    constexpr int n = 60;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; i + j <= n; ++j) {
            const double b = double(i) / n, c = double(j) / n;
            least = std::min(least, (x[0] - ((1 - b - c) * x[1] + b * x[2] + c * x[3])).norm());
        }
    return least;
}
double sampled_edges(const Vec3d x[4])
{
    double least = 1e300;
    constexpr int n = 120;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) {
            const double s = double(i) / n, t = double(j) / n;
            least = std::min(least, ((1 - s) * x[0] + s * x[1] - (1 - t) * x[2] - t * x[3]).norm());
        }
    return least;
}

void expect_consistent(const Closest<double>& c, const Vec3d x[4], int first, double sampled, double grid)
{
    EXPECT_LE(c.gap, sampled + 1e-12);
    EXPECT_GE(c.gap, sampled - grid);
    Vec3d sum{};
    double sides[2] = {0, 0};
    for (int k = 0; k < 4; ++k) {
        sum += c.w[k] * x[k];
        sides[k < first ? 0 : 1] += c.w[k];
        EXPECT_GE(k < first ? c.w[k] : -c.w[k], -1e-12);
    }
    EXPECT_NEAR(sides[0], 1, 1e-12);
    EXPECT_NEAR(sides[1], -1, 1e-12);
    EXPECT_NEAR((sum - c.gap * c.n).norm(), 0, 1e-9 * (1 + c.gap));
    if (c.gap > 1e-9) {
        EXPECT_NEAR(c.n.norm(), 1, 1e-9);
        // n separates the two: no point of one side is beyond the nearest of the other
        double low = 1e300, high = -1e300;
        for (int k = 0; k < 4; ++k) {
            if (k < first) low = std::min(low, c.n.dot(x[k]));
            else high = std::max(high, c.n.dot(x[k]));
        }
        EXPECT_NEAR(low - high, c.gap, 1e-8 * (1 + c.gap));
    }
}

class Random {
  public:
    explicit Random(unsigned seed) : random_(seed) {}
    Vec3d point() { return {place_(random_), place_(random_), place_(random_)}; }

  private:
    std::mt19937 random_;
    std::uniform_real_distribution<double> place_{-1, 1};
};

TEST(Closest, VertexAndTriangle)
{
    Random random(1);
    for (int i = 0; i < 300; ++i) {
        Vec3d x[4] = {random.point(), random.point(), random.point(), random.point()};
        if (i % 5 == 1) x[3] = 0.5 * (x[1] + x[2]);           // no area
        if (i % 5 == 2) x[2] = x[1];                          // two corners in one
        if (i % 5 == 3) x[2] = x[3] = x[1];                   // a point
        if (i % 5 == 4) x[3] = x[1] + 1e-7 * random.point();  // a needle
        expect_consistent(closest_vertex_triangle(x), x, 1, sampled_vertex_triangle(x), 0.06);
    }
}

TEST(Closest, EdgeAndEdge)
{
    Random random(2);
    for (int i = 0; i < 300; ++i) {
        Vec3d x[4] = {random.point(), random.point(), random.point(), random.point()};
        if (i % 5 == 1) x[3] = x[2] + 0.7 * (x[1] - x[0]);                          // parallel
        if (i % 5 == 2) x[3] = x[2] + 0.7 * (x[1] - x[0]) + 1e-9 * random.point();  // nearly
        if (i % 5 == 3) x[1] = x[0];                                                // a ball and an edge
        if (i % 5 == 4) {                                                           // two balls
            x[1] = x[0];
            x[3] = x[2];
            const Closest<double> c = closest_edges(x);
            EXPECT_EQ(c.w[0], 1);
            EXPECT_EQ(c.w[1], 0);
        }
        expect_consistent(closest_edges(x), x, 2, sampled_edges(x), 0.04);
    }
}

TEST(Closest, LanesAgreeWithOneAtATime)
{
    Random random(3);
    for (int i = 0; i < 50; ++i) {
        Vector3<Lanes> wide[4];
        Vec3 single[kLanes][4];
        for (int l = 0; l < kLanes; ++l)
            for (int k = 0; k < 4; ++k) {
                single[l][k] = random.point().cast<Real>();
                set_lane(wide[k], l, single[l][k]);
            }
        const Closest<Lanes> vf = closest_vertex_triangle(wide), ee = closest_edges(wide);
        for (int l = 0; l < kLanes; ++l) {
            EXPECT_EQ(vf.gap[l], closest_vertex_triangle(single[l]).gap);
            EXPECT_EQ(ee.gap[l], closest_edges(single[l]).gap);
        }
    }
}

}  // namespace
}  // namespace pliant
