#include "files/mesh_texts.h"
#include "pliant/files/mesh_files.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_meshes;

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

}  // namespace
}  // namespace pliant
