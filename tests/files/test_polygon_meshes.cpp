// Meshes keep what the artist made: vertices in the order of the file, polygons, UVs, groups and materials.

#include "files/mesh_texts.h"
#include "pliant/files/atomic_file.h"
#include "pliant/files/sequence.h"
#include "pliant/files/text_reader.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_meshes;

/// A quadrilateral and a pentagon, a loose vertex first, a UV seam in between, two groups, two materials.
const std::string kArtObj =
    "mtllib art.mtl\nv 9 9 9\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 3 0.5 0\nv 2 1 0\n"
    "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvt 0.25 0.5\n"
    "g left both\nusemtl red#1\nf 2/1 3/2 4/3 5/4\n"
    "g right both\nusemtl blue\nf 3/5 6/1 7/2 8/3 \\\n 4/4  # goes on\n";

std::vector<int> as_vector(std::span<const int> values) { return {values.begin(), values.end()}; }

void expect_art(const PolygonMesh& mesh)
{
    ASSERT_EQ(mesh.vertices.size(), 8u);
    EXPECT_EQ(mesh.vertices[0], (Vec3d{9, 9, 9}));
    EXPECT_EQ(mesh.vertices[6], (Vec3d{3, 0.5, 0}));
    ASSERT_EQ(mesh.faces.size(), 2);
    EXPECT_EQ(as_vector(mesh.faces.face(0)), (std::vector{1, 2, 3, 4}));
    EXPECT_EQ(as_vector(mesh.faces.face(1)), (std::vector{2, 5, 6, 7, 3}));
    const std::vector<std::array<double, 2>> expected = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.25, 0.5},
                                                         {0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (std::size_t k = 0; k < expected.size(); ++k)
        EXPECT_EQ(mesh.faces.uvs[static_cast<std::size_t>(mesh.faces.corner_uvs[k])], expected[k]) << k;
    EXPECT_EQ(group_vertices(mesh.faces, "left"), (std::vector{1, 2, 3, 4}));
    EXPECT_EQ(group_vertices(mesh.faces, "right"), (std::vector{2, 3, 5, 6, 7}));
    EXPECT_EQ(group_vertices(mesh.faces, "both"), (std::vector{1, 2, 3, 4, 5, 6, 7}));
    EXPECT_TRUE(group_vertices(mesh.faces, "neither").empty());
    const FaceLabels& materials = mesh.faces.materials;
    EXPECT_EQ(materials.names[static_cast<std::size_t>(materials.of_face[0])], "red#1");
    EXPECT_EQ(materials.names[static_cast<std::size_t>(materials.of_face[1])], "blue");
}

/// The layer that shows the mesh of a file as it is.
Layer layer_of(const PolygonMesh& mesh, const std::string& name)
{
    Layer layer;
    layer.name = name;
    for (const Vec3d& p : mesh.vertices) layer.points.push_back(p.cast<Real>());
    const JoinedSurface joined = join_vertices(mesh);
    layer.faces = joined.source->faces;
    layer.triangles = joined.source->triangles;
    return layer;
}

/// What a writer makes of the layers, read again.
PolygonMesh written_and_read(const std::vector<Layer>& layers, const std::string& suffix)
{
    const TempFile place(suffix, "");
    const std::string file = sequence_path(place.path, 3);
    make_writer(place.path, {.frames = 1})->write({3, 0, layers});
    PolygonMesh mesh = read_mesh(file);
    std::filesystem::remove(file);
    return mesh;
}

TEST(PolygonMeshes, AreReadAsTheArtistMadeThem)
{
    const PolygonMesh mesh = read_mesh(TempFile(".obj", kArtObj).path);
    expect_art(mesh);
    EXPECT_EQ(mesh.faces.material_files, std::vector<std::string>{"art.mtl"});
}

TEST(PolygonMeshes, ComeBackInWhatIsWritten)
{
    const PolygonMesh art = read_mesh(TempFile(".obj", kArtObj).path);
    for (const char* suffix : {".obj", ".ply"}) {
        SCOPED_TRACE(suffix);
        expect_art(written_and_read({layer_of(art, "art")}, suffix));
        // Behind a body without any of it, and before another one.
        Layer plain{"plain", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, nullptr};
        plain.triangles = std::make_shared<const Triangles>(Triangles{{0, 1, 2}});
        const PolygonMesh three = written_and_read({plain, layer_of(art, "a"), layer_of(art, "b"), plain}, suffix);
        EXPECT_EQ(three.vertices.size(), 22u);
        ASSERT_EQ(three.faces.size(), 6);
        EXPECT_EQ(as_vector(three.faces.face(2)), (std::vector{5, 8, 9, 10, 6}));
        EXPECT_EQ(as_vector(three.faces.face(4)), (std::vector{13, 16, 17, 18, 14}));
        const int material = three.faces.materials.of_face[4];
        EXPECT_EQ(three.faces.materials.names[static_cast<std::size_t>(material)], "blue");
        EXPECT_EQ(three.faces.materials.of_face[0], -1);
        EXPECT_NE(three.faces.materials.of_face[5], material) << "does not go over to the next body";
        EXPECT_NE(three.faces.groups.of_face[5], three.faces.groups.of_face[4]);
    }
}

TEST(PolygonMeshes, KeepObjectsAndOneUvAVertex)
{
    PolygonMesh mesh = read_mesh(TempFile(".obj",
                                          "o my shirt\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt .5 .25\nvt 0 1\n"
                                          "f 1/1 2/2 3/1\no sleeve\nf 2/2 4/1 3/1\n")
                                     .path);
    for (const char* suffix : {".obj", ".ply"}) {
        SCOPED_TRACE(suffix);
        const PolygonMesh again = written_and_read({layer_of(mesh, "body")}, suffix);
        EXPECT_EQ(group_names(again.faces), (std::vector<std::string>{"my shirt", "sleeve"}));
        EXPECT_EQ(group_vertices(again.faces, "sleeve"), (std::vector{1, 2, 3}));
        for (std::size_t k = 0; k < 6; ++k)
            EXPECT_EQ(again.faces.uvs[static_cast<std::size_t>(again.faces.corner_uvs[k])],
                      mesh.faces.uvs[static_cast<std::size_t>(mesh.faces.corner_uvs[k])]);
    }
    EXPECT_EQ(read_bytes(TempFile(".obj", "x").path), "x");
}

TEST(PolygonMeshes, LargePolygonsFitIntoAPly)
{
    std::string text;
    for (int i = 0; i < 300; ++i)
        text += fmt::format("v {} {} 0\n", std::cos(i * 6.283185 / 300), std::sin(i * 6.283185 / 300));
    text += "f";
    for (int i = 1; i <= 300; ++i) text += fmt::format(" {}", i);
    const PolygonMesh mesh = read_mesh(TempFile(".obj", text + "\n").path);
    const PolygonMesh again = written_and_read({layer_of(mesh, "disc")}, ".ply");
    ASSERT_EQ(again.faces.size(), 1);
    EXPECT_EQ(as_vector(again.faces.face(0)), as_vector(mesh.faces.face(0)));
}

TEST(PolygonMeshes, AreJoinedWhereVerticesCoincide)
{
    // Two triangles along a seam whose vertices stand in the file twice, a loose vertex among them.
    const JoinedSurface joined = read_joined_surface(
        TempFile(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 5 5\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 5 6 7\n").path);
    EXPECT_EQ(joined.mesh.vertices.size(), 4u);
    EXPECT_EQ(joined.source->vertex, (std::vector{0, 1, 2, -1, 1, 3, 2}));
    ASSERT_EQ(joined.source->loose.size(), 1u);
    EXPECT_EQ(joined.source->loose[0], (Vec3d{5, 5, 5}));
    EXPECT_EQ(joined.mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {1, 3, 2}}));
    EXPECT_EQ(*joined.source->triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {1, 5, 2}}));
    const auto moved = move_loose(joined.source, Mat3d::diagonal({2, 2, 2}), {1, 0, 0});
    EXPECT_EQ(moved->loose[0], (Vec3d{11, 10, 10}));
}

TEST(PolygonMeshes, HaveTextureCoordinatesAtVerticesOfAPly)
{
    const PolygonMesh mesh = read_mesh(
        TempFile(".ply",
                 "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                 "property float s\nproperty float t\nelement face 1\nproperty list uchar int vertex_index\n"
                 "end_header\n0 0 0 .5 0\n1 0 0 1 0\n0 1 0 0 .75\n3 0 1 2\n")
            .path);
    EXPECT_EQ(mesh.faces.uvs[static_cast<std::size_t>(mesh.faces.corner_uvs[2])], (std::array<double, 2>{0, 0.75}));
}

TEST(PolygonMeshes, ReadTheTriangleStripsOfAPly)
{
    const PolygonMesh mesh = read_mesh(
        TempFile(".ply",
                 "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty float z\n"
                 "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"
                 "0 0 0\n1 0 0\n0 1 0\n1 1 0\n2 2 2\n8 0 1 2 3 -1 2 3 4\n")
            .path);
    ASSERT_EQ(mesh.faces.size(), 3);
    EXPECT_EQ(as_vector(mesh.faces.face(1)), (std::vector{2, 1, 3}));
    EXPECT_EQ(as_vector(mesh.faces.face(2)), (std::vector{2, 3, 4}));
}

}  // namespace
}  // namespace pliant
