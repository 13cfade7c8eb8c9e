#include "pliant/geometry/mesh.h"

#include "pliant/geometry/polygon.h"
#include "pliant/geometry/shapes.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TetMesh unit_tetrahedron() { return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}}; }

TEST(BoundingBox, HoldsAllPointsTightly)
{
    const Box3 box = bounding_box({{1, 2, 3}, {-1, 5, 0}, {0, 0, 9}});
    EXPECT_EQ(box.low, (Vec3d{-1, 0, 0}));
    EXPECT_EQ(box.high, (Vec3d{1, 5, 9}));
    EXPECT_EQ(box.center(), (Vec3d{0, 2.5, 4.5}));
}

TEST(Volume, DoesNotDependOnThePlace)
{
    SurfaceMesh box = make_box({1, 2, 3}, 3);
    EXPECT_NEAR(volume(box), 6, 1e-14);
    for (Vec3d& p : box.vertices) p += Vec3d{1e6, -2e6, 3e6};
    EXPECT_NEAR(volume(box), 6, 1e-8);
}

TEST(Volume, IsNegativeInsideOut)
{
    SurfaceMesh box = make_box({1, 1, 1}, 2);
    for (auto& t : box.triangles) std::swap(t[0], t[1]);
    EXPECT_NEAR(volume(box), -1, 1e-14);
}

TEST(OpenEdges, CountsHolesAndTurnedTriangles)
{
    SurfaceMesh box = make_box({1, 1, 1}, 2);
    EXPECT_EQ(open_edges(box), 0);
    std::swap(box.triangles[5][0], box.triangles[5][1]);
    EXPECT_EQ(open_edges(box), 3);
    box.triangles.erase(box.triangles.begin() + 5);
    EXPECT_EQ(open_edges(box), 3);
    EXPECT_EQ(open_edges({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}), 3);
}

TEST(OpenEdges, AreThreeTrianglesOnOneEdge)
{
    // three wings on the edge 0-1: four outer edges are open anyway, the common one is too
    const SurfaceMesh book = {{{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}},
                              {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}};
    EXPECT_EQ(open_edges(book), 7);
}

TEST(VertexNormals, PointAwayFromTheCentreOfASphere)
{
    const SurfaceMesh sphere = make_sphere(2, 16);
    const std::vector<Vec3d> normals = vertex_normals(sphere.vertices, sphere.triangles);
    for (std::size_t i = 0; i < normals.size(); ++i) {
        EXPECT_NEAR(normals[i].norm(), 1, 1e-14);
        EXPECT_GT(normals[i].dot(sphere.vertices[i]) / 2, 0.995);
    }
}

TEST(VertexNormals, AreZeroWithoutATriangle)
{
    const std::vector<Vec3d> normals = vertex_normals({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 5}}, {{0, 1, 2}});
    EXPECT_EQ(normals[0], (Vec3d{0, 0, 1}));
    EXPECT_EQ(normals[3], (Vec3d{}));
}

TEST(Boundary, OfATetrahedronIsClosedAndTurnedOutwards)
{
    const SurfaceMesh surface = boundary(unit_tetrahedron());
    EXPECT_EQ(surface.triangles.size(), 4u);
    EXPECT_EQ(open_edges(surface), 0);
    EXPECT_NEAR(volume(surface), 1.0 / 6, 1e-15);
}

TEST(Boundary, LeavesOutTheFaceBetweenTwo)
{
    TetMesh two = unit_tetrahedron();
    two.vertices.push_back({1, 1, 1});
    two.tetrahedra.push_back({1, 2, 3, 4});
    const SurfaceMesh surface = boundary(two);
    EXPECT_EQ(surface.triangles.size(), 6u);
    EXPECT_EQ(open_edges(surface), 0);
    EXPECT_NEAR(volume(surface), 1.0 / 6 + 1.0 / 3, 1e-15);
}

/// The sum of the areas against a normal: equals the polygon's own only if no triangle lies outside it or overlaps.
double area_along(const std::vector<Vec3d>& corners, const Vec3d& normal)
{
    double area = 0;
    for (const auto& [a, b, c] : cut_polygon(corners)) {
        const Vec3d& p = corners[static_cast<std::size_t>(a)];
        const Vec3d twice = (corners[static_cast<std::size_t>(b)] - p).cross(corners[static_cast<std::size_t>(c)] - p);
        EXPECT_GE(twice.dot(normal), 0);
        area += 0.5 * twice.norm();
    }
    return area;
}

TEST(CutPolygon, KeepsTheAreaOfAConcaveOne)
{
    const std::vector<Vec3d> arrow = {{0, 0, 0}, {2, 2, 0}, {0, 1, 0}, {-2, 2, 0}};
    EXPECT_NEAR(area_along(arrow, {0, 0, 1}), 2, 1e-14);
    const std::vector<Vec3d> comb = {{0, 0, 1}, {5, 0, 1}, {5, 3, 1}, {4, 3, 1}, {4, 1, 1}, {3, 1, 1},
                                     {3, 3, 1}, {2, 3, 1}, {2, 1, 1}, {1, 1, 1}, {1, 3, 1}, {0, 3, 1}};
    EXPECT_NEAR(area_along(comb, {0, 0, 1}), 5 + 3 * 2, 1e-13);
}

TEST(CutPolygon, AlwaysGivesTwoTrianglesFewerThanCorners)
{
    EXPECT_EQ(cut_polygon(std::vector<Vec3d>(6)).size(), 4u);
    const std::vector<Vec3d> bow_tie = {{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}};
    EXPECT_EQ(cut_polygon(bow_tie).size(), 2u);
    EXPECT_TRUE(cut_polygon(std::vector<Vec3d>(2)).empty());
}

}  // namespace
}  // namespace pliant
