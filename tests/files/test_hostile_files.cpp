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

}  // namespace
}  // namespace pliant
