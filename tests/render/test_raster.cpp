#include "pliant/render/raster.h"

#include "pliant/render/view.h"

#include <gtest/gtest.h>
#include <vector>

namespace pliant {

namespace {

TEST(Raster, TrianglesAroundAPointCoverEverySampleOnce)
{
    constexpr int kSize = 64;
    const Corner middle({31.37, 29.81, 1}, 0);
    const Corner rim[] = {{{-1, -1, 1}, 0}, {{40.5, -2, 1}, 0}, {{65, -1, 1}, 0}, {{66, 30.5, 1}, 0},
                          {{65, 65, 1}, 0}, {{20, 66, 1}, 0},   {{-1, 65, 1}, 0}, {{-3, 29.5, 1}, 0}};
    std::vector<int> count(kSize * kSize);
    for (int i = 0; i < 8; ++i) {
        DepthBuffer buffer(kSize, kSize);
        draw_triangle({middle, rim[i], rim[(i + 1) % 8]}, 1, buffer);
        for (int k = 0; k < kSize * kSize; ++k) count[k] += buffer.id[k] == 1 ? 1 : 0;
    }
    for (const int c : count) ASSERT_EQ(c, 1);
}

TEST(Raster, SamplesInsideAreThoseWhoseCentresAre)
{
    const Vec3d q[3] = {{3.1, 2.7, 1}, {36.4, 11.2, 1}, {14.9, 37.3, 1}};
    DepthBuffer buffer(40, 40);
    draw_triangle({Corner(q[0], 0), Corner(q[1], 0), Corner(q[2], 0)}, 0, buffer);
    for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 40; ++x) {
            const Vec3d center = {x + 0.5, y + 0.5, 1};
            bool inside = true;
            for (int k = 0; k < 3; ++k) inside = inside && q[k].cross(q[(k + 1) % 3]).dot(center) > 0;
            ASSERT_EQ(buffer.id[buffer.index(x, y)] == 0, inside) << x << ' ' << y;
        }
    }
}

TEST(Raster, NearnessIsOneOverDepth)
{
    const View view({{0, 0, 0}, {0, 0, -1}, 1.0}, 60, 40);
    const Vec3d a = {-1, -1, -2}, b = {5, 0, -9}, c = {0, 3, -4};
    DepthBuffer buffer(60, 40);
    draw_triangle({view.project(a), view.project(b), view.project(c)}, 0, buffer);
    const Vec3d normal = (b - a).cross(c - a);
    int covered = 0;
    for (int y = 0; y < 40; ++y) {
        for (int x = 0; x < 60; ++x) {
            if (buffer.id[buffer.index(x, y)] == kNothing) continue;
            const double depth = normal.dot(a) / normal.dot(view.ray(x + 0.5, y + 0.5));
            EXPECT_NEAR(buffer.nearness[buffer.index(x, y)], 1 / depth, 1e-6);
            ++covered;
        }
    }
    EXPECT_GT(covered, 100);
}

/// A floor reaches behind the eye; it must end at the horizon, which is level with the eye, and nowhere else.
TEST(Raster, FloorAroundTheEyeFillsUpToTheHorizon)
{
    constexpr int kSize = 100;
    const View view({{0, 1, 0}, {0, 1, -1}, 1.0}, kSize, kSize);
    const double far = 1e6;
    const Corner corners[] = {view.project({-far, 0, -far}), view.project({far, 0, -far}), view.project({far, 0, far}),
                              view.project({-far, 0, far})};
    DepthBuffer buffer(kSize, kSize);
    draw_triangle({corners[0], corners[1], corners[2]}, 0, buffer);
    draw_triangle({corners[0], corners[2], corners[3]}, 0, buffer);
    for (int y = 0; y < kSize; ++y) {
        for (int x = 0; x < kSize; ++x) ASSERT_EQ(buffer.id[buffer.index(x, y)] == 0, y >= kSize / 2) << x << ' ' << y;
    }
}

}  // namespace

}  // namespace pliant
