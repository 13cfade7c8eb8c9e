#include "cloth/sheets.h"
#include "pliant/math/procrustes.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_cloth;

/// One cluster with its goals, in double.
struct OneCluster {
    Vec3d rest[3], x[3], goal[3];
    double mu[3];
};
OneCluster random_cluster(std::mt19937_64& generator)
{
    OneCluster one;
    const auto point = [&] { return Vec3d{random_share(generator), random_share(generator), random_share(generator)}; };
    for (int i = 0; i < 3; ++i) {
        one.rest[i] = point();
        one.x[i] = point();
        one.mu[i] = 1.5 + random_share(generator);
    }
    const Layout<double> at = lay_flat(one.rest[1] - one.rest[0], one.rest[2] - one.rest[0]);
    FlatTriangle<double> q{.x = {0, at.length, at.foot}, .y = {0, 0, at.height}, .weight = {}};
    const double total = one.mu[0] + one.mu[1] + one.mu[2];
    double cx = 0, cy = 0;
    for (int i = 0; i < 3; ++i) {
        q.weight[i] = one.mu[i] / total;
        cx += q.weight[i] * q.x[i];
        cy += q.weight[i] * q.y[i];
    }
    for (int i = 0; i < 3; ++i) {
        q.x[i] -= cx;
        q.y[i] -= cy;
    }
    const TriangleMatch<double> match = match_triangle(q, lay_flat(one.x[1] - one.x[0], one.x[2] - one.x[0]));
    for (int i = 0; i < 3; ++i) one.goal[i] = one.x[i] + match.change[i];
    return one;
}

TEST(TriangleMatch, KeepsMomentaAndIsCongruentToTheRestTriangle)
{
    std::mt19937_64 generator(3);
    for (int trial = 0; trial < 100; ++trial) {
        const OneCluster c = random_cluster(generator);
        Vec3d linear, angular;
        for (int i = 0; i < 3; ++i) {
            linear += c.mu[i] * (c.goal[i] - c.x[i]);
            angular += c.mu[i] * c.x[i].cross(c.goal[i] - c.x[i]);
            const int k = (i + 1) % 3;
            EXPECT_NEAR((c.goal[k] - c.goal[i]).norm(), (c.rest[k] - c.rest[i]).norm(), 1e-13);
        }
        EXPECT_LT(linear.norm(), 5e-14);
        EXPECT_LT(angular.norm(), 1e-13);
    }
}

TEST(TriangleMatch, EqualsTheRigidFitInSpace)
{
    std::mt19937_64 generator(4);
    for (int trial = 0; trial < 100; ++trial) {
        const OneCluster c = random_cluster(generator);
        const double total = c.mu[0] + c.mu[1] + c.mu[2];
        Vec3d t0, t;
        for (int i = 0; i < 3; ++i) {
            t0 += c.mu[i] / total * c.rest[i];
            t += c.mu[i] / total * c.x[i];
        }
        Mat3d b{};
        for (int i = 0; i < 3; ++i) b += Mat3d::outer(c.mu[i] / total * (c.x[i] - t), c.rest[i] - t0);
        const Mat3d r = fit_rotation(b, Mat3d::identity()).rotation;
        for (int i = 0; i < 3; ++i) EXPECT_LT((t + r * (c.rest[i] - t0) - c.goal[i]).norm(), 1e-11);
    }
}

/// Meshes of every kind that the clusters have to cope with.
std::vector<std::pair<std::string, SurfaceMesh>> all_meshes()
{
    const SurfaceMesh tetrahedron{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                  {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
    SurfaceMesh hole = make_sheet(1, 1, 6, 6, SheetPattern::alternating);
    hole.triangles.erase(hole.triangles.begin() + 28, hole.triangles.begin() + 32);
    SurfaceMesh two = make_disc(1, 2);
    const SurfaceMesh other = make_tube(0.3, 0.5, 6);
    const int shift = static_cast<int>(two.vertices.size());
    for (const Vec3d& v : other.vertices) two.vertices.push_back(v + Vec3d{3, 0, 0});
    for (const auto& t : other.triangles) two.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
    return {{"one triangle", {{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, {{0, 2, 1}}}},
            {"one cell", make_sheet(1, 1, 1, 1, SheetPattern::uniform)},
            {"ribbon", make_sheet(2, 1, 2, 1, SheetPattern::uniform)},
            {"uniform", make_sheet(1, 1, 6, 5, SheetPattern::uniform)},
            {"alternating", make_sheet(1, 1, 6, 5, SheetPattern::alternating)},
            {"irregular", make_irregular_sheet(1, 1, 9, 9, 0.3, 7)},
            {"disc", make_disc(1, 4)},
            {"tube", make_tube(0.5, 1, 8)},
            {"sphere", make_sphere(1, 4)},
            {"tetrahedron", tetrahedron},
            {"hole", hole},
            {"two components", two}};
}

/// How many pieces the vertices fall into when those of a cluster or fibre hang together.
int count_pieces(int vertices, const std::vector<std::vector<int>>& together)
{
    std::vector<int> root(vertices);
    for (int i = 0; i < vertices; ++i) root[i] = i;
    const auto find = [&](int i) {
        while (root[i] != i) i = root[i] = root[root[i]];
        return i;
    };
    for (const std::vector<int>& group : together)
        for (const int v : group) root[find(v)] = find(group.front());
    int pieces = 0;
    for (int i = 0; i < vertices; ++i) pieces += find(i) == i ? 1 : 0;
    return pieces;
}

TEST(TriangleClusters, CoverEveryVertexAndHangTogetherWithTheFibres)
{
    for (const auto& [name, mesh] : all_meshes()) {
        SCOPED_TRACE(name);
        const MeshEdges edges = find_edges(mesh);
        std::vector<std::vector<int>> together;
        std::vector<bool> covered(mesh.vertices.size(), false);
        for (const auto& c : find_triangle_clusters(mesh, edges)) {
            together.emplace_back(c.begin(), c.end());
            for (const int v : c) covered[v] = true;
        }
        EXPECT_EQ(std::count(covered.begin(), covered.end(), false), 0);
        std::vector<int> uses(edges.edges.size(), 0);
        for (const std::vector<int>& chain : open_chains(find_fibres(mesh, edges))) {
            together.push_back(chain);
            for (std::size_t k = 0; k + 1 < chain.size(); ++k)
                for (std::size_t e = 0; e < uses.size(); ++e)
                    uses[e] += edges.edges[e].a == std::min(chain[k], chain[k + 1]) &&
                                       edges.edges[e].b == std::max(chain[k], chain[k + 1])
                                   ? 1
                                   : 0;
        }
        EXPECT_TRUE(std::all_of(uses.begin(), uses.end(), [](int n) { return n == 1; })) << "each edge in one fibre";
        EXPECT_EQ(count_pieces(static_cast<int>(mesh.vertices.size()), together), find_components(mesh).count);
    }
}

TEST(TriangleClusters, KeepBothMomentaOfAnyMesh)
{
    for (const auto& [name, mesh] : all_meshes()) {
        SCOPED_TRACE(name);
        ClothParams params;
        params.fibres = FibreMode::none;
        World world = make_world(mesh, params);
        shake(0.2, writable(world.particles));
        const Momenta change = momenta_of(world, mean_displacements(world));
        EXPECT_LT(change.linear.norm(), 50 * kEps * change.scale);
        EXPECT_LT(change.angular.norm(), 200 * kEps * change.scale);
        EXPECT_GT(change.scale, 0);
    }
}

TEST(TriangleClusters, KeepBothMomentaWithFactorsForWarpWeftAndShear)
{
    ClothParams params;
    params.fibres = FibreMode::none;
    params.warp_gain = Real(0.2);
    params.shear_gain = Real(0.6);
    World world = make_world(make_irregular_sheet(1, 1, 9, 9, 0.3, 7), params);
    shake(0.03, writable(world.particles));
    const Momenta change = momenta_of(world, mean_displacements(world));
    EXPECT_LT(change.linear.norm(), 50 * kEps * change.scale);
    EXPECT_LT(change.angular.norm(), 200 * kEps * change.scale);
}

TEST(TriangleClusters, FactorsActInTheirOwnDirectionOnly)
{
    // A sheet stretched along its warp by 5 %: without warp gain nothing draws it together.
    const auto pull = [](Real warp, Real weft) {
        ClothParams params;
        params.fibres = FibreMode::none;
        params.warp_gain = warp;
        params.weft_gain = weft;
        World world = make_world(make_sheet(1, 1, 8, 8, SheetPattern::uniform), params);
        for (Vec3& x : writable(world.particles).x) x.x *= Real(1.05);
        double largest = 0;
        for (const Vec3d& d : mean_displacements(world)) largest = std::max(largest, d.norm());
        return largest;
    };
    EXPECT_NEAR(pull(1, 0), pull(1, 1), 1e-5);
    EXPECT_LT(pull(0, 1), 0.02 * pull(1, 1));
    EXPECT_NEAR(pull(Real(0.5), 1), 0.5 * pull(1, 1), 0.02 * pull(1, 1));
}

TEST(TriangleClusters, ARigidlyMovedClothStays)
{
    for (const auto& [name, mesh] : all_meshes()) {
        SCOPED_TRACE(name);
        World world = make_world(mesh, {.fibres = FibreMode::sweep});
        place_cloth(world, world.cloths.id_at(0), {.linear = rotation_of({20, 50, 70}), .position = {1, 2, 3}});
        for (const Vec3d& d : mean_displacements(world)) EXPECT_LT(d.norm(), 300 * kEps);
    }
}

TEST(TriangleClusters, LinesAndPointsComeApartInThePlaneTheyHad)
{
    // A disc crushed to a line, and to a point: it remembers its plane from the start of the substep.
    for (const double width : {0.5, 0.0}) {
        World world = make_world(make_disc(1, 4), {.fibres = FibreMode::none});
        for (int i = 0; i < world.particles->size(); ++i) {
            writable(world.particles).x_prev[i] = world.particles->x[i];
            writable(world.particles).x[i] = {static_cast<Real>(width) * world.particles->x[i].x, 0, 0};
        }
        double across = 0, out_of_plane = 0;
        for (const Vec3d& d : mean_displacements(world)) {
            ASSERT_TRUE(std::isfinite(d.squared_norm()));
            across = std::max(across, std::abs(d.z));
            out_of_plane = std::max(out_of_plane, std::abs(d.y));
        }
        EXPECT_GT(across, 0.01);
        EXPECT_LT(out_of_plane, 1e-5);
    }
}

}  // namespace
}  // namespace pliant
