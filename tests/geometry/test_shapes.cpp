#include "geometry/euler.h"
#include "messages.h"
#include "pi.h"
#include "pliant/base/check.h"
#include "pliant/geometry/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

namespace pliant {
namespace {

struct Shape {
    const char* name;
    std::function<SurfaceMesh(int)> make;
    double volume;
    Vec3d extent;
    int euler;
};

const Shape kShapes[] = {
    {"box", [](int n) { return make_box({1, 2, 3}, n); }, 6, {1, 2, 3}, 2},
    {"sphere", [](int n) { return make_sphere(0.5, n); }, kPi / 6, {1, 1, 1}, 2},
    {"cylinder", [](int n) { return make_cylinder(0.5, 3, n); }, 0.75 * kPi, {1, 3, 1}, 2},
    {"capsule", [](int n) { return make_capsule(0.5, 2, n); }, 0.5 * kPi + kPi / 6, {1, 3, 1}, 2},
    {"torus", [](int n) { return make_torus(1, 0.25, n); }, 2 * kPi* kPi / 16, {2.5, 0.5, 2.5}, 0},
};

TEST(Shapes, AreClosedOrientedAndOfTheRightGenus)
{
    for (const Shape& shape : kShapes) {
        for (const int n : {4, 5, 8, 13, 32}) {
            const SurfaceMesh mesh = shape.make(n);
            EXPECT_EQ(open_edges(mesh), 0) << shape.name << " " << n;
            EXPECT_EQ(euler_characteristic(mesh), shape.euler) << shape.name << " " << n;
            EXPECT_GT(volume(mesh), 0) << shape.name << " " << n;
        }
    }
}

TEST(Shapes, AreCentredAndOfTheSizeAskedFor)
{
    for (const Shape& shape : kShapes) {
        const Box3 box = bounding_box(shape.make(64).vertices);
        EXPECT_LT(box.center().norm(), 1e-15) << shape.name;
        EXPECT_LT((box.extent() - shape.extent).norm(), 1e-14) << shape.name;
    }
}

TEST(Shapes, ReachTheirVolumeWithTheSquareOfTheDivisions)
{
    for (const Shape& shape : kShapes) {
        const double coarse = shape.volume - volume(shape.make(32));
        const double fine = shape.volume - volume(shape.make(64));
        EXPECT_LT(std::abs(fine), 0.03 * shape.volume) << shape.name;
        if (std::abs(coarse) < 1e-12) continue;  // the box
        EXPECT_NEAR(coarse / fine, 4, 0.15) << shape.name;
    }
}

TEST(Shapes, AreTheirOwnMirrorImagesToTheBit)
{
    for (const Shape& shape : kShapes) {
        std::set<std::array<double, 3>> points;
        const SurfaceMesh mesh = shape.make(24);
        for (const Vec3d& p : mesh.vertices) points.insert({p.x + 0.0, p.y + 0.0, p.z + 0.0});
        EXPECT_EQ(points.size(), mesh.vertices.size()) << shape.name << ": vertices are shared";
        for (const Vec3d& p : mesh.vertices) {
            EXPECT_TRUE(points.contains({0.0 - p.x, p.y + 0.0, p.z + 0.0})) << shape.name;
            EXPECT_TRUE(points.contains({p.x + 0.0, 0.0 - p.y, p.z + 0.0})) << shape.name;
            EXPECT_TRUE(points.contains({p.x + 0.0, p.y + 0.0, 0.0 - p.z})) << shape.name;
        }
    }
}

TEST(Sphere, HasItsVerticesOnTheSphere)
{
    for (const Vec3d& p : make_sphere(3, 9).vertices) EXPECT_NEAR(p.norm(), 3, 1e-14);
}

TEST(Torus, HasItsVerticesOnTheTube)
{
    for (const Vec3d& p : make_torus(2, 0.5, 31).vertices) {
        const double ring = std::sqrt(p.x * p.x + p.z * p.z) - 2;
        EXPECT_NEAR(std::sqrt(ring * ring + p.y * p.y), 0.5, 1e-14);
    }
}

TEST(Grid, FacesUpAndNumbersVerticesByRows)
{
    const SurfaceMesh grid = make_grid(4, 2, 8, 3);
    EXPECT_EQ(grid.vertices.size(), 9u * 4u);
    EXPECT_EQ(grid.triangles.size(), 2u * 8u * 3u);
    EXPECT_EQ(grid.vertices[0], (Vec3d{-2, 0, -1}));
    EXPECT_EQ(grid.vertices[8], (Vec3d{2, 0, -1}));
    EXPECT_EQ(grid.vertices[9 * 3], (Vec3d{-2, 0, 1}));
    EXPECT_EQ(open_edges(grid), 2 * (8 + 3));
    double area = 0;
    for (const auto& [a, b, c] : grid.triangles) {
        const Vec3d p = grid.vertices[static_cast<std::size_t>(a)];
        const Vec3d normal =
            (grid.vertices[static_cast<std::size_t>(b)] - p).cross(grid.vertices[static_cast<std::size_t>(c)] - p);
        EXPECT_GT(normal.y, 0);
        area += 0.5 * normal.y;
    }
    EXPECT_NEAR(area, 8, 1e-14);
}

TEST(Shapes, RefuseWhatMakesNoShapeAndSayWhat)
{
    EXPECT_PRED2(says, message_of([] { make_box({1, -2, 1}, 4); }), "size y is -2");
    EXPECT_PRED2(says, message_of([] { make_box({1, 2, 1}, 0); }), "divisions is 0");
    EXPECT_PRED2(says, message_of([] { make_sphere(std::nan(""), 4); }), "radius is nan");
    EXPECT_PRED2(says, message_of([] { make_cylinder(1, 1, 2); }), "from 3");
    EXPECT_PRED2(says, message_of([] { make_capsule(1, 0, 8); }), "height is 0");
    EXPECT_PRED2(says, message_of([] { make_torus(1, 2, 8); }), "minor radius 2");
    EXPECT_PRED2(says, message_of([] { make_grid(1, 1, 3, 1 << 30); }), "divisions is 1073741824");
}

}  // namespace
}  // namespace pliant
