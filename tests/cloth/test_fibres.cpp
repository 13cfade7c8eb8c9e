#include "cloth/sheets.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_cloth;

/// Runs one pass of the tridiagonal fibres over the first cloth.
std::vector<Point> solved(const World& world, ClothSystem& system)
{
    std::vector<Point> points = points_of(world);
    project_fibres(system.systems, Real(0.001), system.scratch.fibres, points);
    return points;
}
std::vector<Point> solved(const World& world)
{
    ClothSystem system = make_system(world.cloths[0]);
    return solved(world, system);
}

Momenta change_by_fibres(const World& world, ClothSystem& system)
{
    const std::vector<Point> before = points_of(world), after = solved(world, system);
    std::vector<Vec3d> moved;
    for (int i = 0; i < world.particles->size(); ++i)
        moved.push_back(after[i].position().cast<double>() - before[i].position().cast<double>());
    return momenta_of(world, moved);
}

double worst_strain(const World& world, const std::vector<Point>& points)
{
    std::vector<Vec3> x;
    for (int i = 0; i < world.particles->size(); ++i) x.push_back(points[i].position());
    const std::vector<double> strains = edge_strains(world.cloths[0], x);
    return *std::max_element(strains.begin(), strains.end());
}

TEST(Fibres, RingsStartAtTheirSmallestVertexTowardsTheSmallerNeighbour)
{
    const SurfaceMesh tube = make_tube(0.5, 1, 10);
    int rings = 0;
    for (const Fibre& fibre : find_fibres(tube, find_edges(tube))) {
        if (!fibre.closed) {
            EXPECT_LE(fibre.vertices.front(), fibre.vertices.back());
            continue;
        }
        ++rings;
        EXPECT_EQ(fibre.vertices.front(), *std::min_element(fibre.vertices.begin(), fibre.vertices.end()));
        EXPECT_LT(fibre.vertices[1], fibre.vertices.back());
    }
    EXPECT_GT(rings, 2);
}

TEST(Fibres, SweptClustersFollowTheirPins)
{
    World world = make_world(make_sheet(1, 1, 4, 4, SheetPattern::uniform), {.fibres = FibreMode::sweep});
    writable(world.particles).inv_mass[12] = 0;
    const ClothSystem system = system_of(world);
    int found = 0;
    for (const TriangleClusters::Group& group : system.clusters.groups)
        for (int i = 0; i < 3; ++i)
            for (int l = 0; l < kLanes; ++l)
                if (group.corner[i][l] == 12) {
                    EXPECT_GT(group.rest.weight[i][l], 0.99);
                    ++found;
                }
    EXPECT_GT(found, 3);
}

TEST(Fibres, ASweepKeepsTheCentreOfMass)
{
    World world = make_world(make_irregular_sheet(1, 1, 9, 9, 0.3, 7), {.fibres = FibreMode::sweep});
    shake(0.05, writable(world.particles));
    const Momenta change = momenta_of(world, mean_displacements(world));
    EXPECT_LT(change.linear.norm(), 50 * kEps * change.scale);
}

TEST(Fibres, ASweepGoesOutwardFromPins)
{
    // Five nodes on a line, a tenth too far apart; the second is held. The others come to rest length from it.
    const std::vector<Vec3> rest{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {4, 0, 0}};
    std::vector<Vec3> x = rest, goals(5);
    for (Vec3& p : x) p.x *= Real(1.1);
    const std::vector<Real> length(5, 1);
    const char pinned[] = {0, 1, 0, 0, 0};
    sweep_from_pins({x, rest, length}, pinned, goals);
    for (int k = 0; k < 5; ++k) EXPECT_NEAR(goals[k].x, 1.1 + k - 1, 1e-6);
    // Two pins: each vertex hangs on the nearer one.
    const char both[] = {1, 0, 0, 0, 1};
    sweep_from_pins({x, rest, length}, both, goals);
    const double expected[] = {0, 1, 2, 3.4, 4.4};
    for (int k = 0; k < 5; ++k) EXPECT_NEAR(goals[k].x, expected[k], 1e-6) << k;
}

TEST(Fibres, SystemsKeepBothMomenta)
{
    for (const SurfaceMesh& mesh :
         {make_irregular_sheet(1, 1, 9, 9, 0.3, 7), make_tube(0.5, 1, 9), make_sphere(1, 4)}) {
        World world = make_world(mesh, {});
        shake(0.02, writable(world.particles));
        ClothSystem system = make_system(world.cloths[0]);
        const Momenta change = change_by_fibres(world, system);
        EXPECT_LT(change.linear.norm(), 100 * kEps * change.scale);
        // colours come one after the other, so that angular momentum counts at each one's own positions: nearly
        EXPECT_LT(change.angular.norm(), 2e-2 * change.scale);
    }
}

TEST(Fibres, OneColourKeepsAngularMomentumExactly)
{
    World world = make_world(make_sheet(1, 1, 8, 8, SheetPattern::uniform), {});
    ClothSystem system = make_system(world.cloths[0]);
    system.systems.first_group.resize(2);  // the first colour alone
    shake(0.02, writable(world.particles));
    const Momenta change = change_by_fibres(world, system);
    EXPECT_GT(change.scale, 0);
    EXPECT_LT(change.linear.norm(), 100 * kEps * change.scale);
    EXPECT_LT(change.angular.norm(), 100 * kEps * change.scale);
}

TEST(Fibres, ASolveReachesFurtherThanSingleEdges)
{
    // A ribbon stretched by 5 % and held at one end: how much of it is left after a few passes of either kind.
    World world = make_world(make_sheet(2, 0.1, 20, 1, SheetPattern::uniform), {});
    for (Vec3& x : writable(world.particles).x) x.x *= Real(1.05);
    for (const int i : {0, 21}) writable(world.particles).inv_mass[i] = 0;
    ClothSystem system = make_system(world.cloths[0]);
    std::vector<Point> fibres = points_of(world), edges = fibres;
    for (int pass = 0; pass < 8; ++pass) {
        project_fibres(system.systems, Real(0.001), system.scratch.fibres, fibres);
        project_edges(system.edges, edges);
    }
    const auto end = [&](const std::vector<Point>& points) { return double(points[20].x) - double(points[0].x) - 2; };
    EXPECT_GT(end(edges), 0);
    EXPECT_LT(std::abs(end(fibres)), 0.7 * end(edges));
}

TEST(Fibres, EdgesBetweenPinsAreLeftAlone)
{
    World world = make_world(make_sheet(1, 1, 4, 4, SheetPattern::uniform), {});
    for (Vec3& x : writable(world.particles).x) x *= Real(1.2);
    for (Real& w : writable(world.particles).inv_mass) w = 0;
    const std::vector<Point> before = points_of(world), after = solved(world);
    for (int i = 0; i < world.particles->size(); ++i) EXPECT_EQ(after[i].position(), before[i].position());
}

TEST(Fibres, VerticesInOnePlaceDoNoHarm)
{
    World world = make_world(make_sheet(1, 1, 4, 4, SheetPattern::uniform), {});
    for (Vec3& x : writable(world.particles).x) x = {};
    for (const Point& p : solved(world)) EXPECT_TRUE(std::isfinite(p.x + p.y + p.z));
}

TEST(EdgeLengths, ShortenWhatIsTooLongAndLeaveWhatIsShort)
{
    World world = make_world(make_sheet(1, 1, 6, 6, SheetPattern::alternating), {});
    const ClothSystem system = make_system(world.cloths[0]);
    const auto project = [&](Real scale) {
        std::vector<Point> points = points_of(world);
        for (Point& p : points) {
            p.x *= scale;
            p.z *= scale;
        }
        const std::vector<Point> before = points;
        for (int pass = 0; pass < 60; ++pass) project_edges(system.edges, points);
        double moved = 0;
        for (int i = 0; i < world.particles->size(); ++i)
            moved = std::max(moved, double((points[i].position() - before[i].position()).norm()));
        return std::pair{worst_strain(world, points), moved};
    };
    EXPECT_LT(project(Real(1.1)).first, 2e-3);
    EXPECT_EQ(project(Real(0.9)).second, 0);
}

TEST(Attachments, NoVertexIsFurtherFromAPinThanTheSurfaceAllows)
{
    World world = make_world(make_irregular_sheet(1, 1, 12, 12, 0.25, 3), {});
    writable(world.particles).inv_mass[0] = writable(world.particles).inv_mass[12] = 0;
    const Cloth& cloth = world.cloths[0];
    const ClothSystem system = system_of(world);
    ASSERT_FALSE(system.attachments.groups.empty());
    std::vector<Point> points = points_of(world);
    for (int i = 0; i < world.particles->size(); ++i)
        if (points[i].w > 0) points[i].z += Real(0.3);
    for (int pass = 0; pass < 200; ++pass) project_attachments(system.attachments, points);
    for (int i = 0; i < world.particles->size(); ++i)
        for (const int pin : {0, 12}) {
            const double rest = (cloth.rest.vertices[i] - cloth.rest.vertices[pin]).norm();
            const double now = double((points[i].position() - points[pin].position()).norm());
            EXPECT_LT(now, rest * 1.005 + 1e-4) << i;
        }
    // neither pin comes first: what lay midway between them still does
    const World square = [] {
        World w = make_world(make_sheet(1, 1, 12, 12, SheetPattern::uniform), {});
        writable(w.particles).inv_mass[0] = writable(w.particles).inv_mass[12] = 0;
        return w;
    }();
    std::vector<Point> even = points_of(square);
    for (Point& p : even)
        if (p.w > 0) p.z += Real(0.3);
    project_attachments(system_of(square).attachments, even);
    for (int j = 1; j <= 12; ++j) EXPECT_NEAR(even[13 * j + 6].x, 0, 1e-6) << j;

    // let go of the pins: nothing holds any more
    for (Point& p : points) p.w = 1;
    for (Point& p : points) p.z *= 3;
    const std::vector<Point> far = points;
    project_attachments(system.attachments, points);
    for (std::size_t i = 0; i < points.size(); ++i) EXPECT_EQ(points[i].position(), far[i].position());
}

}  // namespace
}  // namespace pliant
