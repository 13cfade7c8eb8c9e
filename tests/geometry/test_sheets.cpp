#include "geometry/euler.h"
#include "messages.h"
#include "pi.h"
#include "pliant/base/check.h"
#include "pliant/geometry/mesh_edges.h"
#include "pliant/geometry/shapes.h"
#include "pliant/geometry/sheets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace pliant {
namespace {

Vec3d twice_area_normal(const SurfaceMesh& mesh, const std::array<int, 3>& t)
{
    const Vec3d& p = mesh.vertices[t[0]];
    return (mesh.vertices[t[1]] - p).cross(mesh.vertices[t[2]] - p);
}

double area(const SurfaceMesh& mesh)
{
    double sum = 0;
    for (const auto& t : mesh.triangles) sum += 0.5 * twice_area_normal(mesh, t).norm();
    return sum;
}

/// At corner i [degrees].
double angle(const SurfaceMesh& mesh, const std::array<int, 3>& t, int i)
{
    const Vec3d u = mesh.vertices[t[(i + 1) % 3]] - mesh.vertices[t[i]];
    const Vec3d v = mesh.vertices[t[(i + 2) % 3]] - mesh.vertices[t[i]];
    return std::atan2(u.cross(v).norm(), u.dot(v)) * 180 / kPi;
}

double smallest_angle(const SurfaceMesh& mesh)
{
    double smallest = 180;
    for (const auto& t : mesh.triangles) {
        for (int i = 0; i < 3; ++i) smallest = std::min(smallest, angle(mesh, t, i));
    }
    return smallest;
}

bool faces_up(const SurfaceMesh& mesh)
{
    return std::ranges::all_of(mesh.triangles, [&](const auto& t) { return twice_area_normal(mesh, t).y > 0; });
}

/// Does no triangle's circle hold a vertex, with room for four on one circle? In the plane y = 0.
bool is_delaunay(const SurfaceMesh& mesh)
{
    for (const auto& t : mesh.triangles) {
        const Vec3d p = mesh.vertices[t[0]], u = mesh.vertices[t[1]] - p, v = mesh.vertices[t[2]] - p;
        const Vec3d n = u.cross(v);
        const Vec3d to_centre = (u.squared_norm() * v - v.squared_norm() * u).cross(n) / (2 * n.squared_norm());
        const double radius = to_centre.norm();
        for (const Vec3d& q : mesh.vertices) {
            if ((q - p - to_centre).norm() < radius * (1 - 1e-9)) return false;
        }
    }
    return true;
}

TEST(RectangularSheet, HasDiagonalsThatRunOneWayOrAlternate)
{
    const SurfaceMesh uniform = make_sheet(4, 2, 8, 3, SheetPattern::uniform);
    const SurfaceMesh alternating = make_sheet(4, 2, 8, 3, SheetPattern::alternating);
    const SurfaceMesh grid = make_grid(4, 2, 8, 3);
    EXPECT_EQ(alternating.vertices, grid.vertices);
    EXPECT_EQ(alternating.triangles, grid.triangles);
    EXPECT_EQ(uniform.vertices, grid.vertices);
    EXPECT_EQ(uniform.triangles.size(), grid.triangles.size());
    EXPECT_TRUE(faces_up(uniform));
    EXPECT_NEAR(area(uniform), 8, 1e-14);
    EXPECT_EQ(open_edges(uniform), 2 * (8 + 3));
    for (const MeshEdge& edge : find_edges(uniform).edges) {
        const Vec3d d = uniform.vertices[edge.b] - uniform.vertices[edge.a];
        EXPECT_GE(d.x * d.z, 0);  // along x, along z, or towards the highest of both
    }
}

TEST(IrregularSheet, CoversTheSameRectangleFromCornerToCorner)
{
    for (const double jitter : {0.0, 0.2, 0.45}) {
        const SurfaceMesh sheet = make_irregular_sheet(4, 2, 20, 13, jitter, 5);
        EXPECT_EQ(sheet.vertices.size(), 21u * 14u);
        EXPECT_EQ(sheet.vertices[0], (Vec3d{-2, 0, -1}));
        EXPECT_EQ(sheet.vertices[20], (Vec3d{2, 0, -1}));
        EXPECT_EQ(sheet.vertices[13 * 21], (Vec3d{-2, 0, 1}));
        EXPECT_EQ(sheet.vertices.back(), (Vec3d{2, 0, 1}));
        EXPECT_TRUE(faces_up(sheet));
        EXPECT_NEAR(area(sheet), 8, 1e-13);
        EXPECT_EQ(euler_characteristic(sheet), 1);
        EXPECT_EQ(open_edges(sheet), 2 * (20 + 13));
        std::vector<std::string> notes;
        clean_sheet(sheet, notes);
        EXPECT_TRUE(notes.empty());
    }
}

TEST(IrregularSheet, HasNoFoldWhereCellsWereDented)
{
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
        const SurfaceMesh sheet = make_irregular_sheet(1, 1, 60, 60, 0.45, seed);
        EXPECT_TRUE(faces_up(sheet)) << seed;
        EXPECT_NEAR(area(sheet), 1, 1e-13) << seed;
    }
}

TEST(IrregularSheet, IsDelaunay)
{
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
        EXPECT_TRUE(is_delaunay(make_irregular_sheet(4, 2, 20, 13, 0.45, seed))) << seed;
        EXPECT_TRUE(is_delaunay(make_irregular_sheet(1, 1, 9, 30, 0.3, seed))) << seed;
    }
}

TEST(IrregularSheet, MovesVerticesByUpToTheJitterAndKeepsTheBorder)
{
    const int nx = 30, nz = 20;
    const SurfaceMesh grid = make_grid(3, 2, nx, nz), sheet = make_irregular_sheet(3, 2, nx, nz, 0.4, 9);
    double farthest = 0;
    for (int j = 0; j <= nz; ++j) {
        for (int i = 0; i <= nx; ++i) {
            const Vec3d d = sheet.vertices[j * (nx + 1) + i] - grid.vertices[j * (nx + 1) + i];
            EXPECT_LE(std::abs(d.x), 0.04 + 1e-15);
            EXPECT_LE(std::abs(d.z), 0.04 + 1e-15);
            EXPECT_TRUE(d.x == 0 || (i > 0 && i < nx));
            EXPECT_TRUE(d.z == 0 || (j > 0 && j < nz));
            const bool slides = i > 0 && i < nx && (j == 0 || j == nz);
            EXPECT_TRUE(!slides || d.x != 0);
            farthest = std::max({farthest, d.x, -d.x, d.z, -d.z});
        }
    }
    EXPECT_GT(farthest, 0.039);
}

TEST(IrregularSheet, IsTheSameForTheSameSeedOnly)
{
    const SurfaceMesh first = make_irregular_sheet(1, 1, 10, 10, 0.4, 42);
    const SurfaceMesh again = make_irregular_sheet(1, 1, 10, 10, 0.4, 42);
    const SurfaceMesh other = make_irregular_sheet(1, 1, 10, 10, 0.4, 43);
    EXPECT_EQ(first.vertices, again.vertices);
    EXPECT_EQ(first.triangles, again.triangles);
    EXPECT_NE(first.vertices, other.vertices);
    EXPECT_EQ(first.vertices[60].x, -0x1.1ca8d7e3b5441p-5);  // on every machine
}

TEST(Disc, HasRingsOfSixVerticesMoreEach)
{
    const int n = 7;
    const SurfaceMesh disc = make_disc(2, n);
    ASSERT_EQ(disc.vertices.size(), 1u + 3 * n * (n + 1));
    EXPECT_EQ(disc.vertices[0], Vec3d{});
    for (int k = 1; k <= n; ++k) {
        const int first = 1 + 3 * k * (k - 1);
        EXPECT_EQ(disc.vertices[first].x, 0);
        for (int i = 0; i < 6 * k; ++i) EXPECT_NEAR(disc.vertices[first + i].norm(), 2.0 * k / n, 1e-15);
    }
    EXPECT_EQ(disc.triangles.size(), 6u * n * n);
    EXPECT_EQ(open_edges(disc), 6 * n);
    EXPECT_EQ(euler_characteristic(disc), 1);
    EXPECT_TRUE(faces_up(disc));
    EXPECT_NEAR(area(disc), 3 * n * 4 * std::sin(kPi / (3 * n)), 1e-13);  // of a regular polygon
    EXPECT_GT(smallest_angle(disc), 40);
}

TEST(Tube, IsOpenAtBothEndsAndFacesOut)
{
    for (const int n : {3, 8, 31, 64}) {
        const SurfaceMesh tube = make_tube(0.5, 2, n);
        EXPECT_EQ(open_edges(tube), 2 * n);
        EXPECT_EQ(euler_characteristic(tube), 0);
        for (const Vec3d& p : tube.vertices) EXPECT_NEAR(std::hypot(p.x, p.z), 0.5, 1e-15);
        for (const auto& t : tube.triangles) {
            const Vec3d middle = tube.vertices[t[0]] + tube.vertices[t[1]] + tube.vertices[t[2]];
            EXPECT_GT(twice_area_normal(tube, t).dot({middle.x, 0, middle.z}), 0);
        }
        EXPECT_EQ(bounding_box(tube.vertices).extent().y, 2);
    }
    EXPECT_NEAR(area(make_tube(0.5, 2, 64)), 2 * kPi, 0.01);
    EXPECT_GT(smallest_angle(make_tube(0.5, 2, 64)), 55);
}

TEST(Tube, UnrollsWithoutStretch)
{
    const int n = 12;
    const SurfaceMesh tube = make_tube(0.5, 2, n);
    std::vector<double> sum(tube.vertices.size());  // of the angles at a vertex
    for (const auto& t : tube.triangles) {
        for (int i = 0; i < 3; ++i) sum[t[i]] += angle(tube, t, i);
    }
    for (std::size_t v = n; v + n < sum.size(); ++v) EXPECT_NEAR(sum[v], 360, 1e-10);
}

TEST(Sheets, RefuseWhatMakesNoShapeAndSayWhat)
{
    EXPECT_PRED2(says, message_of([] { make_sheet(1, 0, 4, 4, SheetPattern::uniform); }), "sheet: size z is 0");
    EXPECT_PRED2(says, message_of([] { make_sheet(1, 1, 0, 4, SheetPattern::alternating); }), "divisions x is 0");
    EXPECT_PRED2(says, message_of([] { make_irregular_sheet(1, 1, 4, 1 << 20, 0.3, 1); }), "divisions z is 1048576");
    EXPECT_PRED2(says, message_of([] { make_irregular_sheet(1, 1, 4, 4, 0.5, 1); }), "jitter is 0.5");
    EXPECT_PRED2(says, message_of([] { make_irregular_sheet(1, 1, 4, 4, std::nan(""), 1); }), "jitter is nan");
    EXPECT_PRED2(says, message_of([] { make_disc(-1, 4); }), "disc: radius is -1");
    EXPECT_PRED2(says, message_of([] { make_disc(1, 0); }), "divisions is 0");
    EXPECT_PRED2(says, message_of([] { make_tube(1, 1, 2); }), "from 3");
    EXPECT_PRED2(says, message_of([] { make_tube(1, std::numeric_limits<double>::infinity(), 8); }), "height is inf");
}

}  // namespace
}  // namespace pliant
