#include "files/mesh_texts.h"
#include "pliant/files/mesh_files.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_meshes;

TEST(ReadSurface, ClosesTheTrianglesOfAnStl)
{
    const TempFile file(".stl", box_stl({1, 2, 3}));
    expect_box(read_surface(file.path), {1, 2, 3});
}

TEST(ReadSurface, CutsQuadrilateralsOfObjAndPly)
{
    expect_box(read_surface(TempFile(".obj", box_obj()).path), {1, 2, 3});
    expect_box(read_surface(TempFile(".OBJ", box_obj()).path), {1, 2, 3});
    expect_box(read_surface(TempFile(".ply", box_ply_ascii()).path), {1, 2, 3});
    expect_box(read_surface(TempFile(".ply", box_ply_binary(std::endian::little)).path), {1, 2, 3});
    expect_box(read_surface(TempFile(".ply", box_ply_binary(std::endian::big)).path), {1, 2, 3});
}

/// The same box as text.
std::string box_stl_text(const Vec3d& size)
{
    const SurfaceMesh box = make_box(size, 1);
    std::string text = "solid a box\n";
    for (const auto& t : box.triangles) {
        text += "  facet normal 0 0 0\n    outer loop\n";
        for (const int v : t) {
            const Vec3d& p = box.vertices[static_cast<std::size_t>(v)];
            text += fmt::format("      vertex {} {:e} {}\r\n", p.x, p.y, p.z);
        }
        text += "    endloop\n  endfacet\n";
    }
    return text + "endsolid\n";
}

TEST(ReadSurface, TellsTheTwoKindsOfStlApart)
{
    expect_box(read_surface(TempFile(".stl", box_stl_text({1, 2, 3})).path), {1, 2, 3});
    std::string misleading = box_stl({1, 2, 3});
    misleading.replace(0, 5, "solid");  // as many programs write it
    expect_box(read_surface(TempFile(".stl", misleading).path), {1, 2, 3});

    const std::string binary = box_stl({1, 2, 3}), text = box_stl_text({1, 2, 3});
    EXPECT_PRED2(says, surface_error(".stl", binary.substr(0, 300)), "promises 12 triangles, but the file holds 4");
    EXPECT_PRED2(says, surface_error(".stl", text.substr(0, 120)), "in the middle of a facet");
    std::string four = text;
    four.replace(four.find("    endloop"), 0, "vertex 0 0 0\n");
    EXPECT_PRED2(says, surface_error(".stl", four), ":9: a facet has 3 vertices, but this one has 4");
}

TEST(ReadSurface, PlacesMeshesByTheirNodesAndKeepsThemOutsideOut)
{
    const SurfaceMesh mesh = read_surface(TempFile(".gltf", tetrahedron_gltf()).path);
    EXPECT_EQ(open_edges(mesh), 0);
    EXPECT_NEAR(volume(mesh), 6 * (1.0 / 6), 1e-6);
    const Box3 box = bounding_box(mesh.vertices);
    EXPECT_LT((box.low - Vec3d{8, 20, 30}).norm(), 1e-6);
    EXPECT_LT((box.high - Vec3d{10, 21, 33}).norm(), 1e-6);
}

TEST(ReadSurface, DropsTrianglesWithARepeatedCorner)
{
    const SurfaceMesh mesh =
        read_surface(TempFile(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0 0\nf 1 2 3\nf 1 2 4\n").path);
    EXPECT_EQ(mesh.triangles.size(), 1u);
    EXPECT_EQ(mesh.vertices.size(), 3u);
}

TEST(ReadSurface, SaysWhatIsWrong)
{
    EXPECT_PRED2(says, trouble_of([] { read_surface("no/such/thing.obj"); }), "FileError: no/such/thing.obj");
    const TempFile folder(".obj", "");
    std::filesystem::remove(folder.path);
    std::filesystem::create_directory(folder.path);
    EXPECT_PRED2(says, trouble_of([&] { read_surface(folder.path); }), "FileError: " + folder.path);
    EXPECT_PRED2(says, surface_error(".fbx", "x"), "'.fbx'");
    EXPECT_PRED2(says, surface_error(".ply", ""), "empty");
    EXPECT_PRED2(says, surface_error(".obj", ""), "empty");
    EXPECT_PRED2(says, surface_error(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"), "no triangles");
    EXPECT_PRED2(says, surface_error(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"),
                 ":4: the face uses vertex 9, but the file has 3");
    EXPECT_PRED2(says, surface_error(".obj", "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n"), ":2: y of a vertex is 'nan'");
    EXPECT_PRED2(says, surface_error(".gltf", "{}"), "InputError");
    EXPECT_PRED2(says, surface_error(".stl", "solid nothing\nendsolid\n"), "no triangles");
    EXPECT_PRED2(says, surface_error(".obj", "v 0 0 0\nf 1 -2 1\n"), ":2: the face uses vertex -2, but 1 are above");
    EXPECT_PRED2(says, surface_error(".obj", "v 0 0 0\nf 1 0 1\n"), ":2: the face uses vertex 0");
    EXPECT_PRED2(says, surface_error(".obj", "v 0 0 0\nf 1/4 1/4 1/4\n"), ":2: the face uses texture coordinate 4");
    EXPECT_PRED2(says, surface_error(".obj", "v 0 0 0\nf 1 1\n"),
                 ":2: a face has 3 corners or more, but the line has 2");
    EXPECT_PRED2(says, surface_error(".obj", "v 0 0 0\nf 1 1 99999999999\n"), ":2: the face uses vertex 99999999999");
}

TEST(ReadSurface, SaysWhatIsWrongWithAPly)
{
    const std::string good = box_ply_ascii();
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        return surface_error(".ply", text);
    };
    EXPECT_PRED2(says, changed("vertex 8", "vertex 4000000000"), "promises '4000000000'");
    EXPECT_PRED2(says, changed("vertex 8", "vertex 70"), "the file ends");
    EXPECT_PRED2(says, changed("1 2 3 255", "1 2 nan 255"), "z of vertex 6 is nan");
    EXPECT_PRED2(says, changed("1 2 3 255", "1 2 up 255"), "vertex 6 has 'up'");
    EXPECT_PRED2(says, changed("4 0 3 2 1", "4 0 3 2 8"), "face 0 has a vertex that is none of 0 to 7");
    EXPECT_PRED2(says, changed("4 0 3 2 1", "4 0 3 2 -1"), "face 0 has a vertex that is none of 0 to 7");
    EXPECT_PRED2(says, changed("float z", "half z"), "'half'");
    EXPECT_PRED2(says, changed("float z", "float w"), "no x, y and z");
    EXPECT_PRED2(says, changed("end_header", ""), "end_header");
    EXPECT_PRED2(says, surface_error(".ply", box_ply_binary(std::endian::little).substr(0, 300)),
                 "the file ends at vertex");
}

TEST(ReadPoints, TakesNumbersByLine)
{
    const std::vector<Vec3d> expected = {{1, 2, 3}, {-4, 0.5, 6e-1}};
    EXPECT_EQ(read_points(TempFile(".xyz", "# two\n1 2 3\n\n  -4\t.5 6e-1  # end\n").path), expected);
    EXPECT_EQ(read_points(TempFile(".txt",
                                   "\xef\xbb\xbf"
                                   "1 2 3\r\n-4 0.5 +0.6")
                              .path),
              expected);
    EXPECT_EQ(read_points(TempFile(".csv", "x,y,z\n1,2,3\n-4; 0.5; 0.6\n").path), expected);
}

TEST(ReadPoints, TakesTheVerticesOfMeshesInOrder)
{
    EXPECT_EQ(read_points(TempFile(".obj", "v 1 2 3\nvn 0 0 1\nv 3 2 1 0.5 0.5 0.5\n").path),
              (std::vector<Vec3d>{{1, 2, 3}, {3, 2, 1}}));
    const std::vector<Vec3d> corners = read_points(TempFile(".ply", box_ply_binary(std::endian::little)).path);
    ASSERT_EQ(corners.size(), 8u);
    EXPECT_EQ(corners[6], (Vec3d{1, 2, 3}));
}

TEST(ReadPoints, SaysWhatIsWrong)
{
    EXPECT_PRED2(says, trouble_of([] { read_points("no/such.xyz"); }), "FileError: no/such.xyz");
    EXPECT_PRED2(says, point_error(".las", "x"), "'.las'");
    EXPECT_PRED2(says, point_error(".xyz", "# nothing\n"), "no points");
    EXPECT_PRED2(says, point_error(".xyz", "1 2 3\n1 2\n"), ":2: a point has 3 numbers, but the line has 2");
    EXPECT_PRED2(says, point_error(".xyz", "x y z\n"), ":1: x of a point");
    EXPECT_PRED2(says, point_error(".csv", "x,y,z\n1,2,three\n"), ":2: z of a point should be a number, not 'three'");
    EXPECT_PRED2(says, point_error(".xyz", "1 2 nan\n"), ":1: z of a point is 'nan'");
    EXPECT_PRED2(says, point_error(".obj", "v 1 2\n"), ":1: a vertex has 3 numbers");
}

}  // namespace
}  // namespace pliant
