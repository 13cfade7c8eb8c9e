#include "messages.h"
#include "pliant/geometry/sample.h"

#include "pliant/base/check.h"
#include "pliant/geometry/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <set>

namespace pliant {
namespace {

using Key = std::array<double, 3>;

std::set<Key> keys_of(const std::vector<Vec3d>& points, const Vec3d& sign = {1, 1, 1})
{
    std::set<Key> keys;
    for (const Vec3d& p : points) keys.insert({sign.x * p.x + 0.0, sign.y * p.y + 0.0, sign.z * p.z + 0.0});
    return keys;
}

SurfaceMesh turned(SurfaceMesh mesh)
{
    for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
    return mesh;
}

SurfaceMesh moved(SurfaceMesh mesh, const Vec3d& by)
{
    for (Vec3d& p : mesh.vertices) p += by;
    return mesh;
}

SurfaceMesh joined(SurfaceMesh a, const SurfaceMesh& b)
{
    const int offset = static_cast<int>(a.vertices.size());
    a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
    for (const auto& t : b.triangles) a.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
    return a;
}

/// The largest signed distance from the planes of the triangles: negative inside a convex mesh.
double convex_side(const SurfaceMesh& mesh, const Vec3d& p)
{
    double side = -std::numeric_limits<double>::infinity();
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3d &pa = mesh.vertices[static_cast<std::size_t>(a)], &pb = mesh.vertices[static_cast<std::size_t>(b)],
                    &pc = mesh.vertices[static_cast<std::size_t>(c)];
        side = std::max(side, (pb - pa).cross(pc - pa).normalized().dot(p - pa));
    }
    return side;
}

/// The points of the grid that the header promises, inside or not.
std::vector<Vec3d> whole_grid(const SurfaceMesh& mesh, double spacing)
{
    const Box3 box = bounding_box(mesh.vertices);
    std::array<int, 3> n{};
    for (int a = 0; a < 3; ++a) {
        n[static_cast<std::size_t>(a)] = std::max(1, static_cast<int>(std::floor(box.extent()[a] / spacing + 0.5)));
    }
    std::vector<Vec3d> points;
    for (int i = 0; i < n[0]; ++i) {
        for (int j = 0; j < n[1]; ++j) {
            for (int k = 0; k < n[2]; ++k) {
                points.push_back(box.center() +
                                 spacing * Vec3d{i - 0.5 * (n[0] - 1), j - 0.5 * (n[1] - 1), k - 0.5 * (n[2] - 1)});
            }
        }
    }
    return points;
}

/// All points strictly inside a convex mesh are there, and none strictly outside.
void expect_right_for_convex(const SurfaceMesh& mesh, double spacing)
{
    std::set<Key> unexplained;
    try {
        unexplained = keys_of(fill_by_spacing(mesh, spacing));
    } catch (const InputError&) {  // nothing inside
    }
    for (const Vec3d& p : whole_grid(mesh, spacing)) {
        const double side = convex_side(mesh, p);
        const bool is_filled = unexplained.erase({p.x + 0.0, p.y + 0.0, p.z + 0.0}) > 0;
        EXPECT_TRUE(is_filled || side > -1e-12) << "not filled at depth " << -side;
        EXPECT_TRUE(!is_filled || side < 1e-12) << "leaked to height " << side;
    }
    EXPECT_TRUE(unexplained.empty());
}

TEST(FillBySpacing, PutsOnePointIntoEveryCellOfABox)
{
    const std::vector<Vec3d> points = fill_by_spacing(make_box({1, 2, 3}, 1), 0.1);
    EXPECT_EQ(points.size(), 10u * 20u * 30u);
    const Box3 box = bounding_box(points);
    EXPECT_LT((box.low - Vec3d{-0.45, -0.95, -1.45}).norm(), 1e-14);
    EXPECT_LT((box.high - Vec3d{0.45, 0.95, 1.45}).norm(), 1e-14);
}

TEST(FillBySpacing, DoesNotLeakWhereLinesMeetEdgesAndVertices)
{
    // All numbers are exact in binary: with 16 or 32 divisions every line of points runs through vertices of the box.
    for (const int divisions : {1, 2, 8, 16, 32}) {
        EXPECT_EQ(fill_by_spacing(make_box({1, 1, 1}, divisions), 0.125).size(), 512u) << divisions;
    }
}

TEST(FillBySpacing, IsExactForTetrahedraOnTheGrid)
{
    std::mt19937 random(7);  // the sequence is the standard's, the same everywhere
    const auto number = [&random] { return static_cast<double>(random() % 9); };
    int tried = 0;
    while (tried < 300) {
        SurfaceMesh tet = {{{}, {}, {}, {}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
        for (Vec3d& p : tet.vertices) p = {number(), number(), number()};
        if (volume(tet) < 0.5) continue;
        expect_right_for_convex(tet, tried % 2 == 0 ? 1.0 : 0.5);
        ++tried;
    }
}

TEST(FillBySpacing, IsExactForASphereInAnyPlace)
{
    expect_right_for_convex(make_sphere(1, 6), 0.19);
    expect_right_for_convex(moved(make_sphere(1, 7), {0.3, -0.7, 11}), 0.17);
}

TEST(FillBySpacing, ReachesTheVolumeAsItGetsFiner)
{
    const SurfaceMesh torus = make_torus(1, 0.4, 64);
    const double exact = volume(torus);
    for (const auto& [spacing, tolerance] : {std::pair(0.1, 0.03), std::pair(0.05, 0.015), std::pair(0.02, 0.004)}) {
        const double filled = static_cast<double>(fill_by_spacing(torus, spacing).size()) * spacing * spacing * spacing;
        EXPECT_NEAR(filled / exact, 1, tolerance) << spacing;
    }
}

TEST(FillBySpacing, IsMirroredEvenWhereSurfacesRunThroughPoints)
{
    // the faces of the hollow lie exactly in layers of points
    const SurfaceMesh hollow = joined(make_box({2, 2, 2}, 3), turned(make_box({0.75, 0.75, 0.75}, 5)));
    const std::vector<Vec3d> points = fill_by_spacing(hollow, 0.25);
    EXPECT_EQ(points.size(), 512u - 64u + 56u);  // without the 4^3 cells in reach of it, but with those on its faces
    EXPECT_EQ(keys_of(points), keys_of(points, {-1, 1, 1}));
    EXPECT_EQ(keys_of(points), keys_of(points, {1, -1, 1}));
    EXPECT_EQ(keys_of(points), keys_of(points, {1, 1, -1}));
}

TEST(FillBySpacing, TreatsNestedAndOverlappingPartsAsOneBody)
{
    const SurfaceMesh outer = make_sphere(1, 8), inner = make_sphere(0.5, 8);
    const std::vector<Vec3d> solid = fill_by_spacing(outer, 0.1);
    EXPECT_EQ(keys_of(fill_by_spacing(joined(outer, inner), 0.1)), keys_of(solid));

    const std::vector<Vec3d> hollow = fill_by_spacing(joined(outer, turned(inner)), 0.1);
    const std::size_t removed = static_cast<std::size_t>(
        std::count_if(solid.begin(), solid.end(), [&](const Vec3d& p) { return convex_side(inner, p) < 0; }));
    EXPECT_GT(removed, 400u);
    EXPECT_EQ(hollow.size(), solid.size() - removed);

    const SurfaceMesh two =
        joined(moved(make_box({2, 1, 1}, 2), {-0.5, 0, 0}), moved(make_box({2, 1, 1}, 3), {0.5, 0, 0}));
    EXPECT_EQ(fill_by_spacing(two, 0.125).size(), 24u * 8u * 8u);
}

TEST(FillBySpacing, DoesNotMindASurfaceInsideOut)
{
    const SurfaceMesh sphere = make_sphere(1, 8);
    EXPECT_EQ(keys_of(fill_by_spacing(turned(sphere), 0.1)), keys_of(fill_by_spacing(sphere, 0.1)));
}

TEST(FillBySpacing, DoesNotMindUnsharedVertices)
{
    const SurfaceMesh sphere = make_sphere(1, 8);
    SurfaceMesh soup;
    for (const auto& t : sphere.triangles) {
        const int n = static_cast<int>(soup.vertices.size());
        for (const int v : t) soup.vertices.push_back(sphere.vertices[static_cast<std::size_t>(v)]);
        soup.triangles.push_back({n, n + 1, n + 2});
    }
    EXPECT_EQ(keys_of(fill_by_spacing(soup, 0.1)), keys_of(fill_by_spacing(sphere, 0.1)));
}

TEST(FillBySpacing, FillsASurfaceWithAHoleByTheVote)
{
    SurfaceMesh box = make_box({1, 1, 1}, 4);
    std::erase_if(box.triangles, [&](const auto& t) {
        return std::all_of(t.begin(), t.end(),
                           [&](int v) { return box.vertices[static_cast<std::size_t>(v)].z == 0.5; });
    });
    EXPECT_EQ(open_edges(box), 16);  // without a lid
    EXPECT_EQ(fill_by_spacing(box, 0.125).size(), 512u);

    SurfaceMesh sphere = make_sphere(1, 12);
    const std::set<Key> whole = keys_of(fill_by_spacing(sphere, 0.1));
    sphere.triangles.erase(sphere.triangles.begin(), sphere.triangles.begin() + 40);
    const std::set<Key> filled = keys_of(fill_by_spacing(sphere, 0.1));
    EXPECT_TRUE(std::includes(whole.begin(), whole.end(), filled.begin(), filled.end())) << "leaked";
    EXPECT_GT(filled.size(), 0.99 * static_cast<double>(whole.size()));
}

TEST(FillBySpacing, DoesNotTrustLinesThroughHoles)
{
    // Between four boxes, two of which lack the side turned away, lines along x and z come out of one that they never
    // went into, and then go into the next.
    const auto box_without = [](int axis) {
        SurfaceMesh box = make_box({2, 2, 2}, 1);
        std::erase_if(box.triangles, [&](const auto& t) {
            return std::all_of(t.begin(), t.end(),
                               [&](int v) { return box.vertices[static_cast<std::size_t>(v)][axis] < 0; });
        });
        return box;
    };
    const SurfaceMesh along_x = joined(moved(box_without(0), {-4, 0, 0}), moved(make_box({2, 2, 2}, 1), {4, 0, 0}));
    const SurfaceMesh along_z = joined(moved(box_without(2), {0, 0, -4}), moved(make_box({2, 2, 2}, 1), {0, 0, 4}));
    EXPECT_EQ(fill_by_spacing(joined(along_x, along_z), 0.5).size(), 4u * 64u);
}

TEST(FillBySpacing, IgnoresVerticesWithoutTriangles)
{
    SurfaceMesh box = make_box({1, 1, 1}, 1);
    const std::vector<Vec3d> points = fill_by_spacing(box, 0.25);
    box.vertices.push_back({50.1, 0, 0});
    EXPECT_EQ(fill_by_spacing(box, 0.25), points);
}

TEST(FillByCount, GivesExactlyThatManyInside)
{
    const SurfaceMesh capsule = make_capsule(0.3, 0.8, 24);
    for (const int count : {1, 2, 7, 100, 999, 5000}) {
        double spacing = 0;
        const std::vector<Vec3d> points = fill_by_count(capsule, count, &spacing);
        ASSERT_EQ(points.size(), static_cast<std::size_t>(count));
        EXPECT_EQ(keys_of(points).size(), points.size());
        for (const Vec3d& p : points) EXPECT_LT(convex_side(capsule, p), 0);
        const double filled = count * spacing * spacing * spacing;
        EXPECT_TRUE(count < 999 || std::abs(filled / volume(capsule) - 1) < 0.1) << filled;
    }
}

TEST(FillByCount, FindsTheSpacingThatFitsWithoutSurplus)
{
    double spacing = 0;
    EXPECT_EQ(fill_by_count(make_box({1, 1, 1}, 2), 1000, &spacing).size(), 1000u);
    EXPECT_NEAR(spacing, 0.1, 1e-12);
}

TEST(FillByCount, TakesTheSurplusFromTheSurface)
{
    // a cube holds n^3 points, so 900 are made from 1000
    double spacing = 0;
    const SurfaceMesh box = make_box({1, 1, 1}, 2);
    const std::set<Key> kept = keys_of(fill_by_count(box, 900, &spacing));
    const std::vector<Vec3d> all = fill_by_spacing(box, spacing);
    ASSERT_EQ(all.size(), 1000u);
    for (const Vec3d& p : all) {
        if (kept.contains({p.x + 0.0, p.y + 0.0, p.z + 0.0})) continue;
        EXPECT_GT(std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}), 4 * spacing);
    }
}

TEST(FillByCount, StaysMirroredIfTheNumberAllows)
{
    const SurfaceMesh box = make_box({1, 1, 1}, 2);
    for (const int count : {124, 500, 896, 904, 1728 - 16}) {
        const std::vector<Vec3d> points = fill_by_count(box, count);
        EXPECT_EQ(keys_of(points), keys_of(points, {-1, 1, 1})) << count;
    }
    for (const int count : {123, 512 - 16}) {
        const std::vector<Vec3d> points = fill_by_count(box, count);
        EXPECT_EQ(keys_of(points), keys_of(points, {-1, 1, 1})) << count;
        EXPECT_EQ(keys_of(points), keys_of(points, {1, -1, 1})) << count;
        EXPECT_EQ(keys_of(points), keys_of(points, {1, 1, -1})) << count;
    }
}

TEST(FillByCount, RepeatsItself)
{
    const SurfaceMesh torus = make_torus(1, 0.4, 32);
    EXPECT_EQ(fill_by_count(torus, 777), fill_by_count(torus, 777));
}

TEST(Fill, SaysWhatIsWrongWithTheSurface)
{
    SurfaceMesh box = make_box({1, 1, 1}, 1);
    EXPECT_PRED2(says, message_of([] { fill_by_spacing({}, 0.1); }), "no triangles");
    EXPECT_PRED2(says, message_of([] { fill_by_spacing(make_grid(1, 1, 2, 2), 0.1); }), "no volume");
    EXPECT_PRED2(says, message_of([&] { fill_by_spacing(joined(box, moved(turned(box), {3, 0, 0})), 0.1); }),
                 "no volume");
    EXPECT_PRED2(says, message_of([&] { fill_by_spacing(box, 0); }), "spacing is 0");
    EXPECT_PRED2(says, message_of([&] { fill_by_count(box, 0); }), "count is 0");

    box.triangles[3][1] = 8;
    EXPECT_PRED2(says, message_of([&] { fill_by_spacing(box, 0.1); }), "triangle 3 uses vertex 8");
    box.triangles[3][1] = 0;
    box.vertices[5].y = std::nan("");
    EXPECT_PRED2(says, message_of([&] { fill_by_spacing(box, 0.1); }), "y of vertex 5 is nan");
}

TEST(Fill, NamesASpacingThatWorksIfNothingIsInside)
{
    const SurfaceMesh torus = make_torus(1, 0.1, 64);
    const std::string message = message_of([&] { fill_by_spacing(torus, 2); });
    const std::size_t at = message.find("a spacing of ", message.find(';'));
    ASSERT_NE(at, std::string::npos) << message;
    EXPECT_GT(fill_by_spacing(torus, std::stod(message.substr(at + 13))).size(), 0u);
}

TEST(Fill, RefusesTooManyPointsBeforeMakingThem)
{
    const SurfaceMesh box = make_box({1, 1, 1}, 1);
    const std::string message = message_of([&] { fill_by_spacing(box, 1e-5); });
    EXPECT_PRED2(says, message, "1e+15 points") << message;
    EXPECT_PRED2(says, message, "limit is 50000000") << message;
    const std::size_t at = message.find("use a spacing of ");
    ASSERT_NE(at, std::string::npos);
    const double spacing = std::stod(message.substr(at + 17));
    EXPECT_LT(1 / (spacing * spacing * spacing), 5e7);

    SurfaceMesh open_plate = make_box({1, 1, 1e-9}, 1);
    open_plate.triangles.pop_back();
    EXPECT_PRED2(says, message_of([&] { fill_by_spacing(open_plate, 2e-6); }), "2.5e+11 lines");

    EXPECT_EQ(fill_by_spacing(box, 0.1, 1000).size(), 1000u);
    EXPECT_THROW(fill_by_spacing(box, 0.1, 999), InputError);
    EXPECT_THROW(fill_by_count(box, 1001, nullptr, 1000), InputError);
    EXPECT_THROW(fill_by_spacing(make_torus(1, 0.1, 64), 1e-9, std::numeric_limits<std::int64_t>::max()), InputError);
}

}  // namespace
}  // namespace pliant
