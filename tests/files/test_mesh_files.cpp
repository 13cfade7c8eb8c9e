#include "pliant/files/mesh_files.h"

#include "pliant/base/check.h"
#include "pliant/geometry/shapes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>

namespace pliant {
namespace {

/// A file of its own name that goes away with the object.
class TempFile {
  public:
    TempFile(const std::string& extension, const std::string& content)
    {
        static int number = 0;
        path =
            (std::filesystem::temp_directory_path() / fmt::format("pliant_mesh_{}_{}{}", getpid(), number++, extension))
                .string();
        std::ofstream(path, std::ios::binary) << content;
    }
    ~TempFile() { std::filesystem::remove(path); }
    TempFile(const TempFile&) = delete;
    TempFile& operator=(const TempFile&) = delete;

    std::string path;
};

/// What is thrown, as "InputError: ..." or "FileError: ...", or nothing.
std::string trouble_of(const std::function<void()>& action)
{
    try {
        action();
    } catch (const InputError& error) {
        return std::string("InputError: ") + error.what();
    } catch (const FileError& error) {
        return std::string("FileError: ") + error.what();
    }
    return "";
}

/// For EXPECT_PRED2, which shows both texts.
bool says(const std::string& error, const std::string& part) { return error.find(part) != std::string::npos; }

/// The error of `read` for a file of that content; it names the file.
template <class Read>
std::string error_of_file(const Read& read, const std::string& extension, const std::string& content)
{
    const TempFile file(extension, content);
    const std::string error = trouble_of([&] { read(file.path); });
    EXPECT_PRED2(says, error, file.path) << "the file is not named: " << error;
    return error;
}

std::string surface_error(const std::string& extension, const std::string& content)
{
    return error_of_file(read_surface, extension, content);
}

std::string tet_error(const std::string& extension, const std::string& content)
{
    return error_of_file(read_tetrahedra, extension, content);
}

std::string point_error(const std::string& extension, const std::string& content)
{
    return error_of_file(read_points, extension, content);
}

/// Closed, with the volume and the number of vertices of the box that was written.
void expect_box(const SurfaceMesh& mesh, const Vec3d& size)
{
    EXPECT_EQ(mesh.vertices.size(), 8u);
    EXPECT_EQ(mesh.triangles.size(), 12u);
    EXPECT_EQ(open_edges(mesh), 0);
    EXPECT_NEAR(volume(mesh), size.x * size.y * size.z, 1e-6);
    EXPECT_LT((bounding_box(mesh.vertices).extent() - size).norm(), 1e-6);
}

template <class T>
void append(std::string& bytes, T value, std::endian order = std::endian::little)
{
    std::string raw(sizeof(T), '\0');
    std::memcpy(raw.data(), &value, sizeof(T));
    if (order != std::endian::native) std::reverse(raw.begin(), raw.end());
    bytes += raw;
}

std::string box_stl(const Vec3d& size)
{
    const SurfaceMesh box = make_box(size, 1);
    std::string bytes(80, ' ');
    append(bytes, static_cast<std::uint32_t>(box.triangles.size()));
    for (const auto& t : box.triangles) {
        for (int i = 0; i < 3; ++i) append(bytes, 0.0f);  // normal
        for (const int v : t) {
            for (int i = 0; i < 3; ++i) append(bytes, static_cast<float>(box.vertices[static_cast<std::size_t>(v)][i]));
        }
        append(bytes, std::uint16_t{0});
    }
    return bytes;
}

const char* const kBoxCorners[] = {"0 0 0", "1 0 0", "1 2 0", "0 2 0", "0 0 3", "1 0 3", "1 2 3", "0 2 3"};
const std::array<int, 4> kBoxSides[] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                        {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

std::string box_obj()
{
    std::string text = "# a box of quadrilaterals\no box\n";
    for (const char* corner : kBoxCorners) text += fmt::format("v {}\n", corner);
    for (const auto& [a, b, c, d] : kBoxSides) text += fmt::format("f {} {} {} {}\n", a + 1, b + 1, c + 1, d + 1);
    return text;
}

std::string box_ply_header(const std::string& format)
{
    return fmt::format(
        "ply\nformat {} 1.0\ncomment a box\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
        "property uchar red\nelement face 6\nproperty list uchar int vertex_indices\nend_header\n",
        format);
}

std::string box_ply_ascii()
{
    std::string text = box_ply_header("ascii");
    for (const char* corner : kBoxCorners) text += fmt::format("{} 255\n", corner);
    for (const auto& [a, b, c, d] : kBoxSides) text += fmt::format("4 {} {} {} {}\n", a, b, c, d);
    return text;
}

std::string box_ply_binary(std::endian order)
{
    std::string bytes = box_ply_header(order == std::endian::big ? "binary_big_endian" : "binary_little_endian");
    for (const char* corner : kBoxCorners) {
        for (const int i : {0, 2, 4}) append(bytes, static_cast<float>(corner[i] - '0'), order);
        bytes += '\xff';
    }
    for (const auto& side : kBoxSides) {
        bytes += '\x04';
        for (const int v : side) append(bytes, v, order);
    }
    return bytes;
}

std::string base64(const std::string& bytes)
{
    const char* const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i + 2 < bytes.size(); i += 3) {
        const unsigned word = static_cast<unsigned char>(bytes[i]) << 16u |
                              static_cast<unsigned char>(bytes[i + 1]) << 8u | static_cast<unsigned char>(bytes[i + 2]);
        for (const unsigned shift : {18u, 12u, 6u, 0u}) text += digits[word >> shift & 63u];
    }
    return text;
}

/// A tetrahedron of volume 1/6 that a node moves and its child mirrors and stretches by -2, 1, 3.
std::string tetrahedron_gltf()
{
    std::string bytes;
    for (const float c : {0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 1.f}) append(bytes, c);
    for (const std::uint16_t v : {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}) append(bytes, v);
    return fmt::format(
        R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"translation":[10,20,30],"children":[1]}},{{"scale":[-2,1,3],"mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}},
                     {{"bufferView":1,"componentType":5123,"count":12,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":48}},{{"buffer":0,"byteOffset":48,"byteLength":24}}],
        "buffers":[{{"byteLength":72,"uri":"data:application/octet-stream;base64,{}"}}]}})",
        base64(bytes));
}

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
    EXPECT_PRED2(says, surface_error(".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n"), "index out of range");
    EXPECT_PRED2(says, surface_error(".obj", "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n"), "InputError");
    EXPECT_PRED2(says, surface_error(".gltf", "{}"), "InputError");
    EXPECT_PRED2(says, surface_error(".stl", "solid nothing\nendsolid\n"), "InputError");
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

TEST(ReadMeshFiles, SurviveGarbage)
{
    std::mt19937 random(11);
    const std::string starts[] = {
        "", "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty list uint8 int8 x\nend_header\n",
        "# vtk DataFile Version 3.0\n\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 9 ",
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n"};
    for (int i = 0; i < 20; ++i) {
        for (const std::string& start : starts) {
            std::string bytes = start;
            for (int k = 0; k < 300; ++k) bytes += static_cast<char>(random());
            for (const char* extension : {".obj", ".ply", ".stl", ".gltf", ".glb"}) {
                EXPECT_PRED2(says, surface_error(extension, bytes), "InputError") << extension;
            }
            for (const char* extension : {".vtk", ".msh"}) {
                EXPECT_PRED2(says, tet_error(extension, bytes), "InputError") << extension;
            }
            for (const char* extension : {".xyz", ".csv"}) {
                EXPECT_PRED2(says, point_error(extension, bytes), "InputError") << extension;
            }
        }
    }
}

/// Two tetrahedra on one face, the second with negative volume; a point that nobody uses; a triangle.
const std::string kVtk =
    "# vtk DataFile Version 3.0\ntwo\nASCII\nDATASET UNSTRUCTURED_GRID\n"
    "POINTS 6 double\n9 9 9  0 0 0\n1 0 0  0 1 0\n0 0 1  1 1 1\n"
    "CELLS 3 14\n4 1 2 3 4\n3 1 2 3\n4 2 4 3 5\n"
    "CELL_TYPES 3\n10 5 10\nPOINT_DATA 6\nSCALARS CELLS float\n1 2 3 4 5 6\n";
const std::string kVtk5 =
    "# vtk DataFile Version 5.1\ntwo\nASCII\nDATASET UNSTRUCTURED_GRID\n"
    "POINTS 6 double\n9 9 9  0 0 0\n1 0 0  0 1 0\n0 0 1  1 1 1\nMETADATA\nINFORMATION 0\n\n"
    "CELLS 4 11\nOFFSETS vtktypeint64\n0 4 7 11\nCONNECTIVITY vtktypeint64\n1 2 3 4\n1 2 3\n2 4 3 5\n"
    "CELL_TYPES 3\n10\n5\n10\n";
const std::string kMsh2 =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n6\n7 9 9 9\n1 0 0 0\n2 1 0 0\n30 0 1 0\n4 0 0 1\n5 1 1 "
    "1\n$EndNodes\n"
    "$Elements\n3\n1 4 2 99 2 1 2 30 4\n2 2 2 99 2 1 2 30\n3 4 2 99 2 2 4 30 5\n$EndElements\n";
const std::string kMsh4 =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n"
    "$Nodes\n2 6 1 30\n0 1 0 1\n7\n9 9 9\n3 1 0 5\n1\n2\n30\n4\n5\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n"
    "$Elements\n2 3 1 3\n2 1 2 1\n2 1 2 30\n3 1 4 2\n1 1 2 30 4\n3 2 4 30 5\n$EndElements\n";

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

TEST(ReadTetrahedra, GivesTheSameMeshFromEveryFormat)
{
    for (const auto& [extension, text] :
         {std::pair(".vtk", kVtk), std::pair(".vtk", kVtk5), std::pair(".msh", kMsh2), std::pair(".msh", kMsh4),
          std::pair(".msh", replaced(kMsh2, "1 0 0\n", "+1.0e0 0 0\r\n"))}) {
        const TetMesh mesh = read_tetrahedra(TempFile(extension, text).path);
        ASSERT_EQ(mesh.vertices.size(), 5u) << text;  // without the unused one
        ASSERT_EQ(mesh.tetrahedra.size(), 2u);
        EXPECT_EQ(mesh.vertices[4], (Vec3d{1, 1, 1}));
        const SurfaceMesh surface = boundary(mesh);
        EXPECT_EQ(open_edges(surface), 0);
        EXPECT_NEAR(volume(surface), 1.0 / 6 + 1.0 / 3, 1e-15);
        for (const auto& [a, b, c, d] : mesh.tetrahedra) {
            const auto at = [&](int i) { return mesh.vertices[static_cast<std::size_t>(i)]; };
            EXPECT_GT((at(b) - at(a)).cross(at(c) - at(a)).dot(at(d) - at(a)), 0);
        }
    }
}

TEST(ReadTetrahedra, SaysWhatIsWrongWithAVtk)
{
    EXPECT_PRED2(says, trouble_of([] { read_tetrahedra("no/such.vtk"); }), "FileError: no/such.vtk");
    EXPECT_PRED2(says, tet_error(".vtk", ""), "empty");
    EXPECT_PRED2(says, tet_error(".tet", "x"), ".vtk and .msh");
    EXPECT_PRED2(says, tet_error(".vtk", "hello\n"), ":1: ");
    EXPECT_PRED2(says, tet_error(".vtk", replaced(kVtk, "ASCII", "BINARY")), ":3: only ASCII");
    EXPECT_PRED2(says, tet_error(".vtk", replaced(kVtk, "UNSTRUCTURED_GRID", "POLYDATA")), ":4: ");
    EXPECT_PRED2(says, tet_error(".vtk", replaced(kVtk, "1 0 0", "1 x 0")),
                 ":7: y of a point should be a number, not 'x'");
    EXPECT_PRED2(says, tet_error(".vtk", replaced(kVtk, "1 0 0", "1 inf 0")), ":7: y of a point is 'inf'");
    EXPECT_PRED2(says, tet_error(".vtk", replaced(kVtk, "2 4 3 5", "2 4 3 6")), ":12: cell 2 uses point 6");
    EXPECT_PRED2(says, tet_error(".vtk", replaced(kVtk, "2 4 3 5", "2 4 3 3")), ":12: tetrahedron 1 has no volume");
    EXPECT_PRED2(says, tet_error(".vtk", replaced(kVtk, "10 5 10", "10 5")), "a cell type");
    EXPECT_PRED2(says, tet_error(".vtk", replaced(kVtk, "10 5 10", "24 5 24")), "type 5, 24");
    EXPECT_PRED2(says, tet_error(".vtk", kVtk.substr(0, 150)), "cut off");
    EXPECT_PRED2(says, tet_error(".vtk", replaced(kVtk5, "0 4 7 11", "0 9 7 11")), "out of order");
}

TEST(ReadTetrahedra, SaysWhatIsWrongWithAMsh)
{
    EXPECT_PRED2(says, tet_error(".msh", "hello\n"), "$MeshFormat");
    EXPECT_PRED2(says, tet_error(".msh", replaced(kMsh4, "4.1 0 8", "4.0 0 8")), ":2: version 4.0");
    EXPECT_PRED2(says, tet_error(".msh", replaced(kMsh4, "4.1 0 8", "4.1 1 8")), "binary");
    EXPECT_PRED2(says, tet_error(".msh", replaced(kMsh2, "2 1 0 0", "1 1 0 0")), ":8: node 1 appears twice");
    EXPECT_PRED2(says, tet_error(".msh", replaced(kMsh2, "2 4 30 5\n", "2 4 30 6\n")), ":17: the element uses node 6");
    EXPECT_PRED2(says, tet_error(".msh", replaced(kMsh2, "2 4 30 5\n", "2 4 30\n")), ":17: a tetrahedron has 4 nodes");
    EXPECT_PRED2(says, tet_error(".msh", replaced(kMsh4, "2 4 30 5\n", "2 4 30 30\n")), "tetrahedron 1 has no volume");
    EXPECT_PRED2(says, tet_error(".msh", kMsh4.substr(0, kMsh4.find("$Elements"))), "no linear tetrahedra");
    EXPECT_PRED2(says, tet_error(".msh", kMsh4.substr(0, 130)), "cut off");
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
