#include "pliant/geometry/geodesics.h"

#include "pi.h"
#include "pliant/base/check.h"
#include "pliant/geometry/mesh_edges.h"
#include "pliant/geometry/shapes.h"
#include "pliant/geometry/sheets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace pliant {
namespace {

using Distance = std::function<double(int, int)>;  // of two vertices

Distance straight_in(const SurfaceMesh& mesh)
{
    return [&mesh](int a, int b) { return (mesh.vertices[a] - mesh.vertices[b]).norm(); };
}

struct Misfit {
    double over = 0, under = 0;  // relative, the largest
};

/// Of all distances to all sources.
Misfit compare(const SurfaceMesh& mesh, const std::vector<int>& sources, const Distance& truth)
{
    const auto near = find_near_sources(mesh, sources, static_cast<int>(sources.size()));
    Misfit misfit;
    for (int v = 0; v < static_cast<int>(near.size()); ++v) {
        EXPECT_EQ(near[v].size(), sources.size());
        for (const auto& [source, distance] : near[v]) {
            const double excess = source == v ? distance : distance / truth(source, v) - 1;
            misfit.over = std::max(misfit.over, excess);
            misfit.under = std::max(misfit.under, -excess);
        }
    }
    return misfit;
}

/// The triangles whose centres lie where `keep` says.
SurfaceMesh cut_out(const SurfaceMesh& mesh, const std::function<bool(const Vec3d&)>& keep)
{
    SurfaceMesh rest{mesh.vertices, {}};
    for (const auto& t : mesh.triangles) {
        if (keep((mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3)) rest.triangles.push_back(t);
    }
    std::vector<std::string> notes;
    return clean_sheet(rest, notes);
}

TEST(NearSources, AreAtTheStraightDistanceOnFlatSheets)
{
    const int nx = 40, nz = 30, inside = 11 * (nx + 1) + 25;
    for (const SurfaceMesh& sheet :
         {make_sheet(2, 1, nx, nz, SheetPattern::uniform), make_sheet(2, 1, nx, nz, SheetPattern::alternating),
          make_irregular_sheet(2, 1, nx, nz, 0.2, 3), make_irregular_sheet(2, 1, nx, nz, 0.45, 4)}) {
        const Misfit misfit = compare(sheet, {0, nx, inside}, straight_in(sheet));
        EXPECT_LT(misfit.over, 1e-9);
        EXPECT_LT(misfit.under, 1e-14);
    }
}

TEST(NearSources, AreAtTheStraightDistanceThroughObtuseTriangles)
{
    const int n = 30;
    SurfaceMesh stretched = make_irregular_sheet(1, 1, n, n, 0.4, 8);
    for (Vec3d& p : stretched.vertices) p.x *= 12;
    SurfaceMesh sheared = make_sheet(1, 1, n, n, SheetPattern::alternating);
    for (Vec3d& p : sheared.vertices) p.x -= 3 * p.z;  // a parallelogram with angles up to 175 degrees
    for (const SurfaceMesh& sheet : {stretched, sheared}) {
        const Misfit misfit = compare(sheet, {0, n, 10 * n}, straight_in(sheet));
        EXPECT_LT(misfit.over, 1e-9);
        EXPECT_LT(misfit.under, 1e-14);
    }
}

/// Flips edges at random wherever that leaves two triangles that face up: a triangulation with nothing to be said for it.
SurfaceMesh spoil(SurfaceMesh mesh, int flips)
{
    std::mt19937_64 random(1);
    const auto is_triangle = [&](int a, int b, int c) {
        const Vec3d u = mesh.vertices[b] - mesh.vertices[a], v = mesh.vertices[c] - mesh.vertices[a];
        return u.cross(v).y > 1e-3 * u.squared_norm();
    };
    for (int k = 0; k < flips; ++k) {
        const MeshEdges found = find_edges(mesh);
        const MeshEdge& edge = found.edges[random() % found.edges.size()];
        if (edge.triangles != 2) continue;
        auto &t = mesh.triangles[edge.triangle[0]], &u = mesh.triangles[edge.triangle[1]];
        while (t[0] == edge.a || t[0] == edge.b) std::ranges::rotate(t, t.begin() + 1);
        while (u[0] == edge.a || u[0] == edge.b) std::ranges::rotate(u, u.begin() + 1);
        if (!is_triangle(u[0], t[0], t[1]) || !is_triangle(t[0], u[0], u[1])) continue;
        const auto [p, a, b] = t;
        const int q = u[0];
        t = {q, p, a};
        u = {p, q, b};
    }
    return mesh;
}

TEST(NearSources, AreAtTheStraightDistanceInAnyTriangulation)
{
    const int n = 16;
    const SurfaceMesh sheet = spoil(make_irregular_sheet(1, 1, n, n, 0.3, 1), 2000);
    const Misfit misfit = compare(sheet, {0, n, 10 * n}, straight_in(sheet));
    EXPECT_LT(misfit.over, 1e-9);
    EXPECT_LT(misfit.under, 1e-14);
}

TEST(NearSources, AreAtTheUnrolledDistanceOnABentSheet)
{
    const int nx = 40, nz = 20;
    const SurfaceMesh flat = make_sheet(2, 1, nx, nz, SheetPattern::uniform);
    SurfaceMesh bent = flat;  // about lines along z, so that its cells stay flat
    for (Vec3d& p : bent.vertices) p.y = p.x * p.x;
    std::vector<double> along{0};  // per column: the length of the bent row up to it
    for (int i = 0; i < nx; ++i) along.push_back(along[i] + (bent.vertices[i + 1] - bent.vertices[i]).norm());
    const Distance unrolled = [&](int a, int b) {
        return std::hypot(along[a % (nx + 1)] - along[b % (nx + 1)], flat.vertices[a].z - flat.vertices[b].z);
    };
    const Misfit misfit = compare(bent, {0, 7 * (nx + 1) + 13}, unrolled);
    EXPECT_LT(misfit.over, 1e-9);
    EXPECT_LT(misfit.under, 1e-9);
}

/// On a tube that is unrolled: `cell` apart around, `band` apart along.
Distance unrolled_tube(int n, double cell, double band)
{
    return [=](int a, int b) {
        const double around = std::abs(a % n + 0.5 * (a / n % 2) - b % n - 0.5 * (b / n % 2));
        return std::hypot(cell * std::min(around, n - around), band * (a / n - b / n));
    };
}

TEST(NearSources, GoAroundATubeOnTheShorterSide)
{
    const int n = 48;
    const double r = 0.5;
    const SurfaceMesh tube = make_tube(r, 2, n);
    const int bands = static_cast<int>(tube.vertices.size()) / n - 1;
    const std::vector<int> sources{0, bands / 2 * n + 5};

    const Misfit smooth = compare(tube, sources, unrolled_tube(n, 2 * kPi * r / n, 2.0 / bands));
    EXPECT_LT(smooth.over, 0.005);
    EXPECT_LT(smooth.under, 0.005);

    // The mesh itself unrolls without stretch: to edges of this length and bands of this width.
    const double edge = 2 * r * std::sin(kPi / n), sagitta = r * (1 - std::cos(kPi / n));
    const Misfit exact = compare(tube, sources, unrolled_tube(n, edge, std::hypot(2.0 / bands, sagitta)));
    EXPECT_LT(exact.over, 1e-9);
    EXPECT_LT(exact.under, 1e-9);
}

/// Around a round hole: tangents to it and an arc between them.
Distance around_hole(const SurfaceMesh& mesh, double radius)
{
    return [&mesh, radius](int a, int b) {
        const Vec3d p = mesh.vertices[a], q = mesh.vertices[b];
        const double to_p = std::max(p.norm(), radius), to_q = std::max(q.norm(), radius);
        const double arc =
            std::atan2(p.cross(q).norm(), p.dot(q)) - std::acos(radius / to_p) - std::acos(radius / to_q);
        if (arc < 0) return (p - q).norm();
        return std::sqrt(to_p * to_p - radius * radius) + std::sqrt(to_q * to_q - radius * radius) + radius * arc;
    };
}

TEST(NearSources, GoAroundTheHoleOfAnAnnulus)
{
    // A tube spread out flat. Odd divisions have an edge opposite to each vertex, where fronts meet from both sides.
    for (const int n : {24, 25, 48, 49}) {
        SurfaceMesh annulus = make_tube(1, 1, n);
        for (Vec3d& p : annulus.vertices) p = (0.7 + 0.6 * p.y) * Vec3d{p.x, 0, p.z};
        const double r = 0.4;
        const std::vector<int> sources{0, n / 3, static_cast<int>(annulus.vertices.size()) - 1};
        // The rim is a polygon: longer than the circle within it, shorter than the one around it.
        EXPECT_LT(compare(annulus, sources, around_hole(annulus, r * std::cos(kPi / n))).under, 1e-12) << n;
        EXPECT_LT(compare(annulus, sources, around_hole(annulus, r)).over, 0.02) << n;
    }
}

TEST(NearSources, DoNotCrossABorder)
{
    // A narrow frame about a hole of seven sides. The triangle opposite to the source stands on an edge of the hole whose
    // ends are reached at the same time, but from both sides: nothing comes through between them.
    SurfaceMesh frame = make_tube(1, 0.5, 7);
    ASSERT_EQ(frame.vertices.size(), 14u);
    for (Vec3d& p : frame.vertices) p = (p.y < 0 ? 0.4 : 0.47) * Vec3d{p.x, 0, p.z};
    const int opposite = 7 + 3;
    const Distance straight = straight_in(frame);
    EXPECT_NEAR(find_near_sources(frame, std::vector{0}, 1)[opposite][0].distance,
                straight(0, 1) + straight(1, 2) + straight(2, 3) + straight(3, opposite), 1e-12);
}

TEST(NearSources, AreNeverTooCloseBehindACorner)
{
    const int n = 40;
    for (const SurfaceMesh& sheet :
         {make_sheet(1, 1, n, n, SheetPattern::uniform), make_irregular_sheet(1, 1, n, n, 0, 1)}) {
        const SurfaceMesh angled = cut_out(sheet, [](const Vec3d& p) { return p.x < 0 || p.z < 0; });
        const Distance about_corner = [&](int a, int b) {
            const Vec3d p = angled.vertices[a], q = angled.vertices[b];
            const bool hidden = p.x > 0 && q.z > 0 && p.z * q.x - p.x * q.z < 0;  // the line passes x, z > 0
            return hidden ? p.norm() + q.norm() : (p - q).norm();
        };
        const Misfit misfit = compare(angled, {n, n / 2}, about_corner);
        EXPECT_LT(misfit.over, 0.03);
        EXPECT_LT(misfit.under, 1e-14);
    }
}

TEST(NearSources, AreCloseToGreatCirclesOnASphere)
{
    const SurfaceMesh sphere = make_sphere(1, 24);
    const Distance great_circle = [&](int a, int b) {
        const Vec3d &p = sphere.vertices[a], &q = sphere.vertices[b];
        return std::atan2(p.cross(q).norm(), p.dot(q));
    };
    const Misfit misfit = compare(sphere, {300}, great_circle);
    EXPECT_LT(misfit.over, 0.001);
    EXPECT_LT(misfit.under, 0.02);
}

/// The nearest by straight distance, nearest first.
std::vector<double> nearest_distances(const SurfaceMesh& mesh, const std::vector<int>& sources, int v,
                                      std::size_t count)
{
    std::vector<double> all;
    for (const int s : sources) all.push_back((mesh.vertices[s] - mesh.vertices[v]).norm());
    std::ranges::sort(all);
    all.resize(count);
    return all;
}

TEST(NearSources, AreTheNearestOfManyAndNearestFirst)
{
    const SurfaceMesh sheet = make_irregular_sheet(1, 1, 50, 50, 0.4, 11);
    std::vector<int> sources;
    for (int k = 0; k < 100; ++k) sources.push_back(k * 7919 % static_cast<int>(sheet.vertices.size()));
    const auto near = find_near_sources(sheet, sources, 4);
    for (int v = 0; v < static_cast<int>(near.size()); ++v) {
        const std::vector<double> expected = nearest_distances(sheet, sources, v, 4);
        ASSERT_EQ(near[v].size(), 4u);
        for (std::size_t k = 0; k < 4; ++k) {
            EXPECT_NEAR(near[v][k].distance, expected[k], 1e-9);
            EXPECT_NEAR((sheet.vertices[near[v][k].source] - sheet.vertices[v]).norm(), expected[k], 1e-9);
        }
    }
}

TEST(NearSources, OfAWholeRowAreStraightUp)
{
    const int n = 60;
    std::vector<int> row;
    for (int i = 0; i <= n; ++i) row.push_back(i);
    const SurfaceMesh grid = make_sheet(1, 1, n, n, SheetPattern::uniform);
    const SurfaceMesh irregular = make_irregular_sheet(1, 1, n, n, 0.4, 2);
    const auto near_on_grid = find_near_sources(grid, row, 1), near = find_near_sources(irregular, row, 1);
    for (int v = 0; v < static_cast<int>(near.size()); ++v) {
        EXPECT_EQ(near_on_grid[v][0].source, v % (n + 1));
        EXPECT_NEAR(near_on_grid[v][0].distance, grid.vertices[v].z + 0.5, 1e-12);
        const double expected = nearest_distances(irregular, row, v, 1)[0];
        EXPECT_GE(near[v][0].distance, expected * (1 - 1e-14));
        EXPECT_LE(near[v][0].distance, expected * 1.001);
    }
}

TEST(NearSources, AreOfTheSameComponentOnly)
{
    SurfaceMesh mesh = make_grid(1, 1, 3, 3);  // vertices 0 to 15
    for (const Vec3d& p : make_grid(1, 1, 3, 3).vertices) mesh.vertices.push_back(p + Vec3d{0, 1, 0});
    for (const auto& [a, b, c] : make_grid(1, 1, 3, 3).triangles) mesh.triangles.push_back({a + 16, b + 16, c + 16});
    const auto near = find_near_sources(mesh, std::vector{2, 17, 30}, 3);
    for (int v = 0; v < 32; ++v) {
        ASSERT_EQ(near[v].size(), v < 16 ? 1u : 2u);
        for (const NearSource& label : near[v]) EXPECT_EQ(label.source < 16, v < 16);
    }
    EXPECT_TRUE(find_near_sources(mesh, std::vector{2}, 1)[20].empty());
    EXPECT_TRUE(find_near_sources(mesh, {}, 2)[0].empty());
}

TEST(NearSources, PassASeamIntoAllItsTriangles)
{
    // Three pages bound at x = z = 0: the way from page to page is that of the two laid flat.
    SurfaceMesh book;
    const int n = 8;
    for (int j = 0; j <= n; ++j) book.vertices.push_back({0, 1.0 * j / n, 0});
    for (const Vec3d& side : {Vec3d{1, 0, 0}, Vec3d{0, 0, 1}, Vec3d{-1, 0, -1}.normalized()}) {
        const int first = static_cast<int>(book.vertices.size());
        for (int j = 0; j <= n; ++j) book.vertices.push_back(book.vertices[j] + side / n);
        for (int j = 0; j < n; ++j) {
            book.triangles.push_back({j, j + 1, first + j});
            book.triangles.push_back({j + 1, first + j + 1, first + j});
        }
    }
    const int page = n + 1, top = page + n;
    const auto near = find_near_sources(book, std::vector{top}, 1);
    for (int j = 0; j <= n; ++j) {
        EXPECT_NEAR(near[2 * page + j][0].distance, std::hypot(2.0 / n, 1.0 - 1.0 * j / n), 1e-12);
        EXPECT_NEAR(near[3 * page + j][0].distance, std::hypot(2.0 / n, 1.0 - 1.0 * j / n), 1e-12);
    }
}

TEST(NearSources, RefuseASourceThatIsNoVertex)
{
    EXPECT_THROW(find_near_sources(make_grid(1, 1, 2, 2), std::vector{9}, 1), InputError);
    EXPECT_THROW(find_near_sources(make_grid(1, 1, 2, 2), std::vector{-1}, 1), InputError);
}

}  // namespace
}  // namespace pliant
