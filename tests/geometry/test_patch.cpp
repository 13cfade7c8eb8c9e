// Patches between four sides.

#include "messages.h"
#include "pliant/geometry/mesh_edges.h"
#include "pliant/geometry/patch.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using Sides = std::vector<std::vector<Vec3d>>;

const Sides kSquare{{{0, 0, 0}, {2, 0, 0}}, {{2, 0, 0}, {2, 1, 0}}, {{2, 1, 0}, {0, 1, 0}}, {{0, 1, 0}, {0, 0, 0}}};

TEST(Patch, FillsARectangleEvenlyAndFacesItsViewer)
{
    const SurfaceMesh patch = make_patch(kSquare, 4, 2);
    ASSERT_EQ(patch.vertices.size(), 15U);
    EXPECT_LT((patch.vertices[5 + 3] - Vec3d{1.5, 0.5, 0}).norm(), 1e-12);
    for (const Vec3d& n : vertex_normals(patch.vertices, patch.triangles)) EXPECT_GT(n.z, 0.999);
    std::vector<std::string> notes;
    clean_sheet(patch, notes);
    EXPECT_TRUE(notes.empty());
}

TEST(Patch, KeepsItsSides)
{
    Sides sides = kSquare;
    sides[1] = {{2, 0, 0}, {2.5, 0.5, 0.2}, {2, 1, 0}};
    const SurfaceMesh patch = make_patch(sides, 4, 6);
    EXPECT_LT((patch.vertices[3 * 5 + 4] - Vec3d{2.5, 0.5, 0.2}).norm(), 1e-12) << "halfway along the second side";
    EXPECT_LT((patch.vertices[3 * 5] - Vec3d{0, 0.5, 0}).norm(), 1e-12);
}

TEST(Patch, NamesTheSideThatIsWrong)
{
    const auto message = [](const Sides& sides) { return message_of([&] { make_patch(sides, 2, 2); }); };
    EXPECT_PRED2(says, message({kSquare[0]}), "it has 1 sides; give four");
    Sides sides = kSquare;
    sides[2] = {{2, 1, 0}};
    EXPECT_PRED2(says, message(sides), "side 2 needs two points");
    sides[2] = {{2, 1, 0}, {0.5, 1, 0}};
    EXPECT_PRED2(says, message(sides), "side 3 does not start where side 2 ends");
    sides[2] = {{2, 1, 0}, {2, 1, 0}};
    EXPECT_PRED2(says, message(sides), "side 2 has no length");
}

}  // namespace
}  // namespace pliant
