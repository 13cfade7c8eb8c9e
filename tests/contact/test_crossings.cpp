#include "contact/sheets.h"
#include "pliant/contact/pairs/crossings.h"
#include "pliant/geometry/crossing.h"
#include "pliant/geometry/mesh_edges.h"
#include "pliant/geometry/shapes.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

TEST(Crossings, SegmentsAndTriangles)
{
    const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
    const auto through = [&](Real x, Real y) { return crosses({x, y, -1}, {x, y, 1}, a, b, c); };
    EXPECT_TRUE(through(Real(0.2), Real(0.2)));
    EXPECT_FALSE(through(Real(0.5), Real(0.5)));  // on the border
    EXPECT_FALSE(through(0, 0));                  // on a corner
    EXPECT_FALSE(through(Real(0.6), Real(0.6)));
    EXPECT_FALSE(through(Real(-0.1), Real(0.2)));
    EXPECT_FALSE(crosses({Real(0.2), Real(0.2), 1}, {Real(0.2), Real(0.2), 2}, a, b, c));  // ends before it
    EXPECT_FALSE(crosses({Real(0.2), Real(0.2), 0}, {Real(0.2), Real(0.2), 2}, a, b, c));  // ends on it
    EXPECT_FALSE(crosses({-1, Real(0.2), 0}, {2, Real(0.2), 0}, a, b, c));                 // lies in its plane
    // one unit of the last digit decides
    const Real above = std::nextafter(Real(0), Real(1)), below = -above;
    EXPECT_TRUE(crosses({Real(0.2), Real(0.2), below}, {Real(0.3), Real(0.2), above}, a, b, c));
    EXPECT_FALSE(crosses({Real(0.2), Real(0.2), above}, {Real(0.3), Real(0.2), above}, a, b, c));
    // an edge and a triangle of one plane, which no number says exactly
    const auto turned_about = [](double x, double z) {
        const Vec3d at{x, 0.4266, z};
        return (at + Vec3d{1e-4, 5e-4, -2e-4}.cross(at)).cast<Real>();
    };
    for (int i = 0; i < 200; ++i) {
        const double x = -0.4 + 0.04 * (i % 20), z = -0.4 + 0.04 * (i / 20);
        EXPECT_FALSE(crosses(turned_about(x, z), turned_about(x + 0.04, z + 0.04), turned_about(x, z + 0.04),
                             turned_about(x, z + 0.08), turned_about(x + 0.04, z + 0.08)));
    }
}

/// Two bodies.
ContactSurface surface_of(const SurfaceMesh& a, const SurfaceMesh& b)
{
    ContactSurface surface;
    surface.bodies = 2;
    surface.pairings.assign(4, {.on = true});
    for (const SurfaceMesh* mesh : {&a, &b}) {
        const int first = surface.particles, body = mesh == &a ? 0 : 1;
        for (const MeshEdge& e : find_edges(*mesh).edges) surface.edges.push_back({first + e.a, first + e.b, body});
        for (const auto& [i, j, k] : mesh->triangles)
            surface.triangles.push_back({{first + i, first + j, first + k}, body});
        surface.particles += static_cast<int>(mesh->vertices.size());
    }
    surface.glued.assign(static_cast<std::size_t>(surface.particles), 0);
    return surface;
}

std::vector<Vec3> places_of(const SurfaceMesh& a, const SurfaceMesh& b)
{
    std::vector<Vec3> x;
    for (const Vec3d& v : a.vertices) x.push_back(v.cast<Real>());
    for (const Vec3d& v : b.vertices) x.push_back(v.cast<Real>());
    return x;
}

/// Boxes and tetrahedra with corners of small whole numbers: most pairs have features that lie exactly on each other.
class WholeNumbers {
  public:
    explicit WholeNumbers(unsigned seed) : random_(seed) {}

    SurfaceMesh mesh() { return random_() % 2 == 0 ? box() : tetrahedron(); }

  private:
    double number(int most) { return static_cast<double>(random_() % static_cast<unsigned>(most + 1)); }
    SurfaceMesh box()
    {
        SurfaceMesh mesh = make_box({2, 2, 2}, 1 + static_cast<int>(random_() % 2));
        const Vec3d low{number(4), number(4), number(4)}, half{1 + number(1), 1 + number(1), 1 + number(1)};
        for (Vec3d& v : mesh.vertices) v = low + Vec3d{half.x * (v.x + 1), half.y * (v.y + 1), half.z * (v.z + 1)};
        return mesh;
    }
    SurfaceMesh tetrahedron()
    {
        SurfaceMesh mesh;
        for (int k = 0; k < 4; ++k) mesh.vertices.emplace_back(number(5), number(5), number(5));
        const auto& v = mesh.vertices;
        const double volume = (v[1] - v[0]).cross(v[2] - v[0]).dot(v[3] - v[0]);
        if (volume == 0) return tetrahedron();
        mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
        if (volume < 0)
            for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
        return mesh;
    }
    std::mt19937 random_;
};

/// Whether all corners of a convex mesh are on the same side of an axis's offset as those of the other are not. All numbers
/// are whole, and so exact.
bool separates(const Vec3d& n, const SurfaceMesh& a, const SurfaceMesh& b)
{
    const auto along = [&](const Vec3d& v) { return n.dot(v); };
    const auto [low_a, high_a] = std::ranges::minmax(a.vertices, {}, along);
    const auto [low_b, high_b] = std::ranges::minmax(b.vertices, {}, along);
    return n.squared_norm() > 0 && (along(high_a) <= along(low_b) || along(high_b) <= along(low_a));
}

Vec3d normal_of(const SurfaceMesh& mesh, const std::array<int, 3>& t)
{
    return (mesh.vertices[t[1]] - mesh.vertices[t[0]]).cross(mesh.vertices[t[2]] - mesh.vertices[t[0]]);
}

/// Whether two convex meshes have a part of their volumes in common.
bool overlap(const SurfaceMesh& a, const SurfaceMesh& b)
{
    for (const SurfaceMesh* mesh : {&a, &b})
        for (const auto& t : mesh->triangles)
            if (separates(normal_of(*mesh, t), a, b)) return false;
    for (const MeshEdge& e : find_edges(a).edges)
        for (const MeshEdge& f : find_edges(b).edges)
            if (separates((a.vertices[e.b] - a.vertices[e.a]).cross(b.vertices[f.b] - b.vertices[f.a]), a, b))
                return false;
    return true;
}

/// Whether a convex mesh has all of another inside. Whether they touch then is another question.
bool contains(const SurfaceMesh& a, const SurfaceMesh& b)
{
    return std::ranges::all_of(a.triangles, [&](const auto& t) {
        return std::ranges::all_of(b.vertices,
                                   [&](const Vec3d& v) { return normal_of(a, t).dot(v - a.vertices[t[0]]) <= 0; });
    });
}

TEST(Crossings, OfConvexBodiesAreWhereTheirVolumesOverlap)
{
    WholeNumbers numbers(3);
    int touching = 0, through = 0, degenerate = 0;
    for (int i = 0; i < 3000; ++i) {
        const SurfaceMesh a = numbers.mesh(), b = numbers.mesh();
        const ContactSurface surface = surface_of(a, b);
        const std::vector<Vec3> x = places_of(a, b);
        if (contains(a, b) || contains(b, a)) continue;
        const bool expected = overlap(a, b);
        const bool found = !find_crossings(surface, x).empty();
        EXPECT_EQ(found, expected) << "pair " << i;
        EXPECT_EQ(!find_deep_crossings(surface, x).empty(), expected) << "pair " << i;
        ++(expected ? through : touching);
        const bool strict = std::ranges::any_of(surface.edges, [&](const auto& e) {
            return std::ranges::any_of(surface.triangles, [&](const auto& t) {
                return e.body != t.body && crosses(x[e.a], x[e.b], x[t.point[0]], x[t.point[1]], x[t.point[2]]);
            });
        });
        degenerate += found && !strict ? 1 : 0;
    }
    EXPECT_GT(through, 800);
    EXPECT_GT(touching, 800);
    EXPECT_GT(degenerate, 10) << "that strict signs would miss";
}

TEST(Crossings, OfWhatIsGluedDoNotCount)
{
    World world = contact_world();
    const ClothId flat = add_sheet(world, 0.2, 1, {}, kThin, "flat");
    const ClothId upright = add_sheet(world, 0.1, 1, {.linear = turned({1, 0, 0}, 80)}, kThin, "upright");
    EXPECT_GT(find_crossings(world).size(), 0U);
    add_glue(world, anchor_on(world, flat, {}), anchor_on(world, upright, {}));
    EXPECT_EQ(find_crossings(world).size(), 0U);
}

}  // namespace
}  // namespace pliant
