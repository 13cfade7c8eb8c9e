#include "pliant/geometry/mesh_edges.h"

#include "geometry/euler.h"
#include "pliant/base/check.h"
#include "pliant/geometry/shapes.h"
#include "pliant/geometry/sheets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {
namespace {

/// A square of two triangles, 0-1-2 and 0-2-3, with edges of 1 m and 0-2 between them.
SurfaceMesh make_square() { return {{{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0, 0}}, {{0, 1, 2}, {0, 2, 3}}}; }

/// Two squares that share nothing but vertex 2, a bow tie.
SurfaceMesh make_bow_tie()
{
    SurfaceMesh mesh = make_square();
    mesh.vertices.insert(mesh.vertices.end(), {{1, 0, 2}, {2, 0, 2}, {2, 0, 1}});
    mesh.triangles.insert(mesh.triangles.end(), {{2, 4, 5}, {2, 5, 6}});
    return mesh;
}

/// A square with a third triangle standing on its diagonal.
SurfaceMesh make_seam()
{
    SurfaceMesh mesh = make_square();
    mesh.vertices.push_back({0.5, 1, 0.5});
    mesh.triangles.push_back({0, 2, 4});
    return mesh;
}

TEST(MeshEdges, MeetTheEulerCharacteristicOfTheShape)
{
    EXPECT_EQ(euler_characteristic(make_sphere(1, 7)), 2);
    EXPECT_EQ(euler_characteristic(make_torus(1, 0.3, 12)), 0);
    EXPECT_EQ(euler_characteristic(make_grid(1, 1, 5, 3)), 1);
}

TEST(MeshEdges, ComeOnceAndSortedWithTheTrianglesAtThem)
{
    const SurfaceMesh mesh = make_sphere(1, 5);
    const MeshEdges found = find_edges(mesh);
    std::pair<int, int> last{-1, -1};
    for (const MeshEdge& edge : found.edges) {
        EXPECT_LT(edge.a, edge.b);
        EXPECT_LT(last, std::pair(edge.a, edge.b));
        last = {edge.a, edge.b};
        EXPECT_EQ(edge.triangles, 2);
        EXPECT_LT(edge.triangle[0], edge.triangle[1]);
        for (const int t : edge.triangle) {
            EXPECT_EQ(std::ranges::count(mesh.triangles[t], edge.a) + std::ranges::count(mesh.triangles[t], edge.b), 2);
        }
    }
    EXPECT_EQ(found.edges.size() * 2, mesh.triangles.size() * 3);
}

TEST(MeshEdges, AreOppositeToTheCornersOfTheirTriangles)
{
    const SurfaceMesh mesh = make_grid(2, 1, 4, 3);
    const MeshEdges found = find_edges(mesh);
    ASSERT_EQ(found.of_triangle.size(), mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (int i = 0; i < 3; ++i) {
            const MeshEdge& edge = found.edges[found.of_triangle[t][i]];
            const auto& corners = mesh.triangles[t];
            EXPECT_EQ(std::minmax({corners[(i + 1) % 3], corners[(i + 2) % 3]}), std::pair(edge.a, edge.b));
            EXPECT_EQ(std::ranges::count(edge.triangle, static_cast<int>(t)), 1);
        }
    }
}

TEST(MeshEdges, HaveOneTriangleAtABorderAndNoneToThemselvesAtASeam)
{
    const SurfaceMesh grid = make_grid(2, 1, 4, 3);
    int borders = 0;
    for (const MeshEdge& edge : find_edges(grid).edges) {
        if (edge.triangles == 1) ++borders;
        EXPECT_EQ(edge.triangle[1] < 0, edge.triangles == 1);
        EXPECT_GE(edge.triangle[0], 0);
    }
    EXPECT_EQ(borders, open_edges(grid));

    const MeshEdges found = find_edges(make_seam());
    const auto seam = std::ranges::find_if(found.edges, [](const MeshEdge& e) { return e.a == 0 && e.b == 2; });
    ASSERT_NE(seam, found.edges.end());
    EXPECT_EQ(seam->triangles, 3);
    EXPECT_EQ(seam->triangle, (std::array{-1, -1}));
}

TEST(MeshComponents, AreNumberedByTheirFirstVertices)
{
    SurfaceMesh mesh = make_grid(1, 1, 2, 2);  // vertices 0 to 8
    mesh.vertices.push_back({9, 9, 9});        // vertex 9, on its own
    for (const Vec3d& p : make_square().vertices) mesh.vertices.push_back(p);
    mesh.triangles.insert(mesh.triangles.end(), {{13, 12, 11}, {13, 11, 10}});
    const MeshComponents components = find_components(mesh);
    EXPECT_EQ(components.count, 3);
    EXPECT_EQ(components.of_vertex, (std::vector{0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 2}));
    EXPECT_EQ(find_components(make_bow_tie()).count, 1);
    EXPECT_EQ(find_components({}).count, 0);
}

/// For EXPECT_PRED2, which shows both texts.
bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string error_of(const SurfaceMesh& mesh)
{
    std::vector<std::string> notes;
    try {
        clean_sheet(mesh, notes);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

/// The only note there is.
std::string note_of(const SurfaceMesh& mesh)
{
    std::vector<std::string> notes;
    clean_sheet(mesh, notes);
    EXPECT_EQ(notes.size(), 1u);
    return notes.empty() ? "" : notes[0];
}

TEST(CleanSheet, KeepsAGoodMeshAsItIs)
{
    for (const SurfaceMesh& mesh :
         {make_grid(1, 2, 5, 3), make_sphere(1, 4), make_irregular_sheet(1, 1, 6, 6, 0.4, 1)}) {
        std::vector<std::string> notes;
        const SurfaceMesh clean = clean_sheet(mesh, notes);
        EXPECT_EQ(clean.vertices, mesh.vertices);
        EXPECT_EQ(clean.triangles, mesh.triangles);
        EXPECT_TRUE(notes.empty()) << notes[0];
    }
}

TEST(CleanSheet, DropsVerticesWithoutTriangle)
{
    SurfaceMesh mesh = make_square();
    mesh.vertices.insert(mesh.vertices.begin() + 1, 2, Vec3d{7, 7, 7});
    mesh.triangles = {{0, 3, 4}, {0, 4, 5}};
    std::vector<std::string> notes;
    const SurfaceMesh clean = clean_sheet(mesh, notes);
    EXPECT_EQ(clean.vertices, make_square().vertices);
    EXPECT_EQ(clean.triangles, make_square().triangles);
    ASSERT_EQ(notes.size(), 1u);
    EXPECT_PRED2(says, notes[0], "2 vertices (first: 1)");
}

TEST(CleanSheet, SaysHowItTreatsWhatIsNoPlainSheet)
{
    EXPECT_PRED2(says, note_of(make_seam()),
                 "1 edges (first: 0-2, 3 triangles): each triangle ends there as at a border");
    EXPECT_PRED2(says, note_of(make_bow_tie()), "1 places (first: vertex 2)");
    SurfaceMesh turned = make_square();
    std::swap(turned.triangles[1][0], turned.triangles[1][1]);
    EXPECT_PRED2(says, note_of(turned), "1 edges (first: 0-2) turn in opposite directions");
}

TEST(CleanSheet, RefusesWrongTrianglesAndNamesThem)
{
    EXPECT_PRED2(says, error_of({{{0, 0, 0}}, {}}), "no triangle");
    SurfaceMesh mesh = make_square();
    mesh.triangles[1][2] = 4;
    EXPECT_PRED2(says, error_of(mesh), "triangle 1 uses vertex 4, but there are 4");
    mesh.triangles[1][2] = -1;
    EXPECT_PRED2(says, error_of(mesh), "triangle 1 uses vertex -1");
    mesh.triangles[1] = {2, 0, 2};
    EXPECT_PRED2(says, error_of(mesh), "triangle 1 (2, 0, 2) uses a vertex twice; remove it");
    mesh.triangles[1] = {0, 2, 3};
    mesh.triangles.push_back({1, 0, 2});
    EXPECT_PRED2(says, error_of(mesh), "triangles 0 and 2 have the same vertices (0, 1, 2)");
}

TEST(CleanSheet, RefusesWrongPositionsAndNamesThem)
{
    SurfaceMesh mesh = make_square();
    mesh.vertices[3].y = std::nan("");
    EXPECT_PRED2(says, error_of(mesh), "vertex 3 is at (1, nan, 0)");
    mesh = make_square();
    mesh.vertices[3] = mesh.vertices[2];
    EXPECT_PRED2(says, error_of(mesh), "edge 2-3 of triangle 1 has no length: both ends are at (1, 0, 1); weld");
    mesh.vertices[3] = 0.5 * (mesh.vertices[0] + mesh.vertices[2]);
    EXPECT_PRED2(says, error_of(mesh), "triangle 1 (0, 2, 3) at (0, 0, 0) has no area");
    mesh.vertices[3].x += 1e-11;  // thin, but a triangle
    EXPECT_EQ(error_of(mesh), "");
}

}  // namespace
}  // namespace pliant
