// Seams: borders of cloth that are sewn find each other, hold, and keep their layers apart.

#include "messages.h"
#include "pliant/geometry/nearest_point.h"
#include "pliant/geometry/sheets.h"
#include "pliant/solver/solver.h"
#include "pliant/world/measure.h"
#include "pliant/world/sew.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

constexpr int kCells = 10;
constexpr double kSize = 0.5;

/// A square sheet in the plane y = 0, moved.
ClothId add_sheet(World& world, const Vec3d& position, const char* name, int cells = kCells)
{
    const ClothId id = add_cloth(world, make_sheet(kSize, kSize, cells, cells, SheetPattern::alternating),
                                 {.bending_stiffness = Real(1e-4), .damping = 1}, name);
    place_cloth(world, id, {.position = position});
    return id;
}

/// The border at the lowest (first) or highest z of a sheet.
std::vector<int> row(int j, int cells = kCells)
{
    std::vector<int> vertices;
    for (int i = 0; i <= cells; ++i) vertices.push_back(j * (cells + 1) + i);
    return vertices;
}
std::vector<int> column(int i, int cells = kCells)
{
    std::vector<int> vertices;
    for (int j = 0; j <= cells; ++j) vertices.push_back(j * (cells + 1) + i);
    return vertices;
}

double widest_gap(const World& world)
{
    double widest = 0;
    for (const Glue& g : world.glues)
        widest = std::max(widest, (place_of(g.a, world.time, world.particles, world.rigid_bodies) -
                                   place_of(g.b, world.time, world.particles, world.rigid_bodies))
                                      .norm());
    return widest;
}

void run(World& world, int frames)
{
    Solver solver;
    for (int f = 0; f < frames; ++f) ASSERT_EQ(solver.step(world).trouble.text, "");
}

Vec3d at(const World& world, int cloth, int vertex)
{
    return world.particles->x[world.cloths[static_cast<std::size_t>(cloth)].particles.first + vertex].cast<double>();
}

TEST(NearestPoint, IsInsideOnAnEdgeOrAtACorner)
{
    const std::array<Vec3d, 3> t{Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{0, 1, 0}};
    EXPECT_LT((blend(nearest_on_triangle({0.25, 0.25, 3}, t), t) - Vec3d{0.25, 0.25, 0}).norm(), 1e-12);
    EXPECT_LT((blend(nearest_on_triangle({1, 1, 1}, t), t) - Vec3d{0.5, 0.5, 0}).norm(), 1e-12);
    EXPECT_LT((blend(nearest_on_triangle({-2, -1, 0}, t), t) - Vec3d{0, 0, 0}).norm(), 1e-12);
    const std::array<Vec3d, 3> line{Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{2, 0, 0}};
    EXPECT_LT((blend(nearest_on_triangle({1.5, 1, 0}, line), line) - Vec3d{1.5, 0, 0}).norm(), 1e-12);
}

TEST(Sew, PairsEqualBordersVertexByVertex)
{
    for (const SeamMatch match : {SeamMatch::nearest, SeamMatch::along}) {
        World world;
        const ClothId a = add_sheet(world, {}, "a"), b = add_sheet(world, {0, 0, 0.52}, "b");
        SeamParams params;
        params.match = match;
        ASSERT_EQ(sew(world, {a, row(kCells)}, {b, row(0)}, params).size(), kCells + 1U);
        for (int k = 0; k <= kCells; ++k) {
            const Glue& glue = world.glues[static_cast<std::size_t>(k)];
            EXPECT_EQ(glue.a.parents, std::vector{row(kCells)[k]});
            EXPECT_EQ(glue.b.parents, std::vector{world.cloths[1].particles.first + k});
        }
    }
}

TEST(Sew, HoldsTwoSheetsUnderGravity)
{
    World world;
    writable(world.settings).substeps = 10;
    const ClothId a = add_sheet(world, {}, "a"), b = add_sheet(world, {0, 0, 0.52}, "b");
    sew(world, {a, row(kCells)}, {b, row(0)});
    pin_particles(world, row(0));
    Solver solver;
    double lowest = 0;
    for (int frame = 0; frame < 120; ++frame) {
        solver.step(world);
        EXPECT_LT(widest_gap(world), frame > 10 ? 0.002 : 0.03) << frame;
        for (const Vec3& x : world.particles->x) lowest = std::min(lowest, double(x.y));
    }
    EXPECT_LT(lowest, -0.9) << "the lower sheet swings from the upper one";
    EXPECT_GT(lowest, -1.05) << "and is not torn off";
}

TEST(Sew, GathersABorderThatIsLonger)
{
    World world;
    const ClothId a = add_sheet(world, {}, "a", 20), b = add_sheet(world, {0, 0.1, 0}, "b", 8);
    SeamParams params;
    params.match = SeamMatch::along;
    EXPECT_EQ(sew(world, {a, column(0, 20)}, {b, row(0, 8)}, params).size(), 21U) << "every vertex has a place";
    const Vec3d first = place_of(world.glues[0].b, 0, world.particles, world.rigid_bodies);
    const Vec3d last = place_of(world.glues.back().b, 0, world.particles, world.rigid_bodies);
    EXPECT_NEAR((first - last).norm(), kSize, 1e-6) << "from end to end";
}

TEST(Sew, FindsTheDirectionOfTheOtherBorder)
{
    World world;
    const ClothId a = add_sheet(world, {}, "a"), b = add_sheet(world, {}, "b");
    place_cloth(world, b, {.linear = rotation_of({0, 180, 0}), .position = {0, 0, kSize}});
    SeamParams params;
    params.match = SeamMatch::along;
    sew(world, {a, row(kCells)}, {b, row(kCells)}, params);
    EXPECT_LT(widest_gap(world), 1e-6) << "end to end, not across";
}

TEST(Sew, ClosesASheetToATube)
{
    World world;
    set_settings(world, {.substeps = 10, .iterations = 5});
    writable(world.forces).gravity = {};
    const ClothId a = add_sheet(world, {}, "a", 16);
    Particles& p = writable(world.particles);
    for (int i = 0; i < p.size(); ++i) {  // nearly rolled up
        const double angle = 2 * std::numbers::pi * 0.9 * (double(p.x[i].x) / kSize);
        const double radius = kSize / (2 * std::numbers::pi * 0.9);
        p.x[i] = Vec3d{radius * std::sin(angle), radius * (1 - std::cos(angle)), double(p.x[i].z)}.cast<Real>();
        p.x_prev[i] = p.x[i];
    }
    SeamParams params;
    params.match = SeamMatch::along;
    sew(world, {a, column(0, 16)}, {a, column(16, 16)}, params);
    run(world, 120);
    EXPECT_LT(widest_gap(world), 1e-3);
    const Vec3d across = at(world, 0, 8 * 17 + 8) - at(world, 0, 8 * 17);
    EXPECT_NEAR(across.norm(), kSize / std::numbers::pi, 0.02) << "the far side of a round tube";
}

TEST(Sew, KeepsTheGapAndTheOrderOfLayersWhenTurnedOver)
{
    World world;
    writable(world.settings).substeps = 10;
    const ClothId shirt = add_sheet(world, {}, "shirt");
    const ClothId pocket = add_cloth(world, make_sheet(0.13, 0.13, 4, 4, SheetPattern::alternating), {}, "pocket");
    place_cloth(world, pocket, {.position = {0.013, -0.03, 0.007}});
    std::vector<int> all;
    for (int v = 0; v < world.cloths[0].particles.count; ++v) all.push_back(v);
    SeamParams params;
    params.gap = 0.01;
    const std::vector<int> border = border_of(world.cloths[1]);
    ASSERT_EQ(sew(world, {pocket, border}, {shirt, all}, params).size(), 16U);
    Motion turn;
    turn.axis = {1, 0, 0};
    turn.easing = Easing::smooth;
    turn.keys.resize(2);
    turn.keys[1].time = 1;
    turn.keys[1].degrees = 180;
    for (const std::vector<int>& side : {row(0), row(kCells)}) pin_particles(world, side, turn);
    run(world, 120);
    EXPECT_LT(widest_gap(world), 1e-3);
    const std::vector<Vec3d> normals = [&] {
        std::vector<Vec3d> x;
        for (int v = 0; v < world.cloths[0].particles.count; ++v) x.push_back(at(world, 0, v));
        return vertex_normals(x, world.cloths[0].rest.triangles);
    }();
    const int middle = kCells / 2 * (kCells + 1) + kCells / 2;
    EXPECT_LT(normals[middle].y, -0.8) << "it is turned over";
    for (const int v : border) {
        int nearest = 0;
        for (int w = 0; w < world.cloths[0].particles.count; ++w)
            if ((at(world, 0, w) - at(world, 1, v)).norm() < (at(world, 0, nearest) - at(world, 1, v)).norm())
                nearest = w;
        const double height = (at(world, 1, v) - at(world, 0, nearest)).dot(normals[nearest]);
        EXPECT_NEAR(height, -0.01, 0.006) << "vertex " << v << " behind the shirt, where it started";
    }
}

TEST(Sew, DrawsNoTwoVerticesIntoOne)
{
    World world;
    const ClothId a = add_sheet(world, {}, "a"), b = add_sheet(world, {0, 0.1, 0}, "b");
    EXPECT_EQ(sew(world, {a, row(0)}, {b, column(0)}).size(), 1U) << "all are nearest to the same corner";
    EXPECT_EQ(world.glues[0].a.parents, std::vector{0}) << "and this one lies below it";
}

TEST(Sew, LeavesOutWhatIsBeyondItsReach)
{
    World world;
    const ClothId a = add_sheet(world, {}, "a"), b = add_sheet(world, {0, 0.1, 0}, "b");
    SeamParams params;
    params.match = SeamMatch::along;
    params.reach = 0.13;
    EXPECT_EQ(sew(world, {a, row(0)}, {b, column(0)}, params).size(), 2U) << "the corner and its neighbour";
}

TEST(Sew, LeavesACornerToTheFirstOfTwoSeams)
{
    World world;
    const ClothId a = add_sheet(world, {}, "a"), b = add_sheet(world, {0, 0.1, 0}, "b");
    EXPECT_EQ(sew(world, {a, row(0)}, {b, row(0)}).size(), kCells + 1U);
    EXPECT_EQ(sew(world, {a, column(0)}, {b, column(0)}).size(), kCells + 0U) << "the corner is sewn already";
    SeamParams soft;
    soft.stiffness = 10;
    EXPECT_EQ(sew(world, {a, column(0)}, {b, column(0)}, soft).size(), kCells + 1U) << "a soft one may pull there too";
    EXPECT_PRED2(says, message_of([&] { sew(world, {a, row(0)}, {b, row(0)}); }), "are sewn already");
}

TEST(Sew, ReleasesByKeys)
{
    World world;
    writable(world.settings).substeps = 4;
    const ClothId a = add_sheet(world, {}, "a"), b = add_sheet(world, {0, 0, 0.5}, "b");
    SeamParams params;
    params.keys = {{.time = 0.1, .on = false, .stiffness = {}}};
    sew(world, {a, row(kCells)}, {b, row(0)}, params);
    pin_particles(world, row(0));
    run(world, 40);
    EXPECT_GT(widest_gap(world), 0.3) << "the lower sheet falls";
}

TEST(Sew, SaysWhatCannotBeSewn)
{
    World world;
    const ClothId a = add_sheet(world, {}, "a"), b = add_sheet(world, {0, 0, 1}, "b");
    SeamParams near, along, weld;
    near.reach = 0.01;
    along.match = SeamMatch::along;
    weld.kind = GlueKind::weld;
    const auto message = [&](const SeamSide& s, const SeamSide& t, const SeamParams& params) {
        return message_of([&] { sew(world, s, t, params, "hem"); });
    };
    EXPECT_NE(message({a, row(0)}, {b, row(0)}, near).find("the nearest vertex is 1 m away"), std::string::npos);
    EXPECT_NE(message({a, row(0)}, {a, row(0)}, {}).find("vertex 0 of \"a\" is on both sides"), std::string::npos);
    EXPECT_NE(message({a, {}}, {b, row(0)}, {}).find("no vertex of \"a\" is chosen"), std::string::npos);
    EXPECT_NE(message({a, {999}}, {b, row(0)}, {}).find("there is no vertex 999"), std::string::npos);
    EXPECT_NE(message({a, border_of(world.cloths[0])}, {b, row(0)}, along).find("side a is not one stretch"),
              std::string::npos);
    EXPECT_NE(message({a, row(0)}, {b, {0, 1, 9, 10}}, along).find("it is in pieces"), std::string::npos);
    EXPECT_NE(message({a, row(0)}, {b, row(0)}, weld).find("cannot be of kind weld"), std::string::npos);
    EXPECT_TRUE(world.glues.empty());
}

}  // namespace
}  // namespace pliant
