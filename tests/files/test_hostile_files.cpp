#include "allocations.h"
#include "files/mesh_texts.h"
#include "pliant/files/mesh_files.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

using namespace testing_meshes;

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

/// Damages a file: flips bytes, cuts it off, removes or repeats a piece, or puts in a number that lies.
std::string damaged(std::string bytes, std::mt19937& random)
{
    const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
    static const std::string kLies[] = {"-1",
                                        "4294967295",
                                        "2147483647",
                                        "1e308",
                                        "nan",
                                        std::string("\xff\xff\xff\xff"),
                                        std::string("\x7f\xff\xff\xff"),
                                        "99999999999999999999",
                                        "[",
                                        "\\",
                                        "/"};
    for (std::size_t n = 1 + below(3); n > 0; --n) {
        const std::size_t at = below(bytes.size());
        switch (below(6)) {
            case 0: bytes.resize(at); break;
            case 1: bytes.erase(at, below(20)); break;
            case 2: bytes.insert(at, bytes.substr(below(bytes.size()), below(40))); break;
            case 3: {
                const std::string& lie = kLies[below(std::size(kLies))];
                bytes.replace(at, std::min(lie.size(), bytes.size() - at), lie);
                break;
            }
            default:
                if (!bytes.empty()) bytes[at] = static_cast<char>(random());
        }
    }
    return bytes;
}

/// Reads a damaged file: it gives a mesh, or an InputError that names the file, and costs no more than its size allows.
void survive(const std::string& extension, const std::string& bytes)
{
    const TempFile file(extension, bytes);
    const std::size_t before = allocated_bytes.load();
    const std::string error = trouble_of([&] {
        const JoinedSurface joined = read_joined_surface(file.path);
        for (const auto& t : joined.mesh.triangles)
            for (const int v : t) ASSERT_LT(static_cast<std::size_t>(v), joined.mesh.vertices.size());
    });
    const std::size_t allocated = allocated_bytes.load() - before;
    EXPECT_LT(allocated, 1'000'000u + 1000 * bytes.size()) << extension << ": " << error;
    EXPECT_TRUE(error.empty() || error.starts_with("InputError: " + file.path)) << error;
}

TEST(ReadMeshFiles, SurviveDamage)
{
    std::mt19937 random(7);
    const std::string textured =
        "mtllib a.mtl\no a\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 1\ng b c\nusemtl d\nf 1/1 2/2 3/1 4/2\n";
    const std::pair<const char*, std::string> good[] = {
        {".obj", box_obj()},          {".obj", textured},
        {".ply", box_ply_ascii()},    {".ply", box_ply_binary(std::endian::little)},
        {".stl", box_stl({1, 2, 3})}, {".gltf", tetrahedron_gltf()},
        {".glb", tetrahedron_glb()}};
    for (const auto& [extension, bytes] : good) {
        EXPECT_EQ(trouble_of([&, &e = extension, &b = bytes] { read_surface(TempFile(e, b).path); }), "");
        for (int i = 0; i < 1500; ++i) survive(extension, damaged(bytes, random));
        for (std::size_t size = 1; size < bytes.size(); ++size) survive(extension, bytes.substr(0, size));
    }
}

}  // namespace
}  // namespace pliant
