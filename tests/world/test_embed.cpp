// A mesh carried by a body that does not contain it.

#include "messages.h"
#include "pliant/geometry/shapes.h"
#include "pliant/geometry/sheets.h"
#include "pliant/world/edits.h"
#include "pliant/world/embed.h"
#include "world/tet_cube.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pliant {
namespace {

enum class Cage { cloud, tetrahedra, cloth };
constexpr Cage kCages[] = {Cage::cloud, Cage::tetrahedra, Cage::cloth};

/// A body about a metre wide with a mesh in it.
World embedded(Cage cage, const SurfaceMesh& mesh)
{
    World world;
    if (cage == Cage::cloth) {
        embed(world, add_cloth(world, make_sheet(1, 1, 10, 10, SheetPattern::alternating), {}), mesh);
    } else {
        const SolidShape shape = cage == Cage::cloud ? fill_with_spacing(make_box({1, 1, 1}, 4), 0.2)
                                                     : shape_of_tetrahedra(tet_cube(), 1000);
        embed(world, add_solid(world, shape, {}), mesh);
    }
    return world;
}

const Embedding& embedding_of(const World& world)
{
    return world.solids.empty() ? world.cloths[0].render : world.solids[0].render;
}

template <class Map>
void move(const Map& map, World& world)
{
    for (Vec3& x : writable(world.particles).x) x = map(x.cast<double>()).template cast<Real>();
}

/// How far the mesh is at most from where a map carries it.
template <class Map>
double error_of(const World& world, const SurfaceMesh& mesh, const Map& map)
{
    std::vector<Vec3> x;
    update_embedding(embedding_of(world), world.particles->x, x);
    double worst = 0;
    for (std::size_t v = 0; v < x.size(); ++v)
        worst = std::max(worst, (x[v].cast<double>() - map(mesh.vertices[v])).norm());
    return worst;
}

TEST(Embedding, FollowsRigidMotionExactlyInsideAndOut)
{
    const SurfaceMesh mesh = make_sphere(0.9, 10);  // half inside, half outside
    const Mat3d turn = rotation_of({70, 110, -50});
    const auto map = [&](const Vec3d& p) { return turn * p + Vec3d{3, -2, 5}; };
    for (const Cage cage : kCages) {
        World world = embedded(cage, mesh);
        EXPECT_LT(error_of(world, mesh, [](const Vec3d& p) { return p; }), 1e-6) << static_cast<int>(cage);
        move(map, world);
        EXPECT_LT(error_of(world, mesh, map), 4e-6) << static_cast<int>(cage);
    }
}

TEST(Embedding, FollowsAnAffineMapInside)
{
    const auto map = [](const Vec3d& p) {
        return Vec3d{1.5 * p.x + 0.3 * p.y, 0.7 * p.y - 0.2 * p.z, 1.1 * p.z + 0.4 * p.x};
    };
    for (const Cage cage : kCages) {
        SurfaceMesh mesh = make_sphere(0.4, 8);
        if (cage == Cage::cloth) mesh = make_disc(0.45, 7);
        World world = embedded(cage, mesh);
        move(map, world);
        EXPECT_LT(error_of(world, mesh, map), 2e-6) << static_cast<int>(cage);
    }
}

/// A line of points, as the vertices of a mesh.
SurfaceMesh line_of_points(const Vec3d& from, const Vec3d& to, int count)
{
    SurfaceMesh mesh;
    for (int i = 0; i < count; ++i) mesh.vertices.push_back(from + (1.0 * i / (count - 1)) * (to - from));
    for (int i = 0; i + 2 < count; ++i) mesh.triangles.push_back({i, i + 1, i + 2});
    return mesh;
}

TEST(Embedding, DoesNotJumpAtTheBorder)
{
    const SurfaceMesh line = line_of_points({0.03, 0.02, 0.05}, {1.33, 0.92, 0.55}, 1301);  // a millimetre or so apart
    const auto bend = [](const Vec3d& p) {
        const double angle = 0.5 * p.x;
        return Vec3d{1.3 * std::sin(angle) * (2 + p.y), (2 + 0.8 * p.y) * std::cos(angle), p.z};
    };
    for (const Cage cage : kCages) {
        World world = embedded(cage, line);
        move(bend, world);
        std::vector<Vec3> x;
        update_embedding(embedding_of(world), world.particles->x, x);
        double widest = 0;
        for (std::size_t v = 1; v < x.size(); ++v) widest = std::max(widest, double((x[v] - x[v - 1]).norm()));
        EXPECT_LT(widest, 0.01) << static_cast<int>(cage) << ": points that were 1.3 mm apart";
    }
}

TEST(Embedding, CarriesWhatSticksOutWithoutStretchingIt)
{
    const SurfaceMesh ear = line_of_points({0, 1.1, 0}, {0, 1.5, 0}, 21);  // well above the cage
    World world = embedded(Cage::cloud, ear);
    move([](const Vec3d& p) { return Vec3d{p.x, 2 * p.y, p.z}; }, world);
    std::vector<Vec3> x;
    update_embedding(embedding_of(world), world.particles->x, x);
    EXPECT_NEAR(double((x.back() - x.front()).norm()), 0.4, 0.01) << "an ear keeps its length on a stretched head";
}

TEST(Embedding, StandsDegenerateCages)
{
    const SurfaceMesh mesh = make_sphere(0.3, 4);
    const auto shift = [](const Vec3d& p) { return p + Vec3d{1, 2, 3}; };
    const std::vector<std::vector<Vec3d>> cages{
        {{0, 0, 0}, {0.1, 0, 0}},
        {{0, 0, 0}, {0.1, 0, 0}, {0.2, 0, 0}, {0.3, 0, 0}},
        {{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {0.1, 0.1, 0}},
    };
    for (const std::vector<Vec3d>& points : cages) {
        World world;
        embed(world, add_solid(world, shape_of_points(points), {}), mesh);
        move(shift, world);
        EXPECT_LT(error_of(world, mesh, shift), 1e-6) << points.size();
        move([](const Vec3d&) { return Vec3d{}; }, world);  // fallen into one place
        EXPECT_LT(error_of(world, mesh, [](const Vec3d&) { return Vec3d{}; }), 1) << points.size();
    }
}

TEST(Embedding, RefusesWhatIsNoMeshAndGoesAwayAgain)
{
    World world;
    const SolidId id = add_solid(world, fill_with_spacing(make_box({1, 1, 1}, 4), 0.2), {}, "jelly");
    SurfaceMesh mesh = make_sphere(0.3, 4);
    embed(world, id, mesh);
    EXPECT_FALSE(world.solids[0].render.empty());
    embed(world, id, {});
    EXPECT_TRUE(world.solids[0].render.empty());
    mesh.triangles[0][1] = 9999;
    EXPECT_PRED2(says, message_of([&] { embed(world, id, mesh); }), "render of \"jelly\": there is no vertex 9999");
    remove_solid(world, id);
    EXPECT_PRED2(says, message_of([&] { embed(world, id, mesh); }), "has been removed");
}

}  // namespace
}  // namespace pliant
