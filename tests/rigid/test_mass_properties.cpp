#include "pliant/rigid/mass_properties.h"

#include "messages.h"
#include "pi.h"
#include "pliant/geometry/mascot.h"
#include "pliant/geometry/shapes.h"
#include "pliant/math/rotation.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

SurfaceMesh moved(SurfaceMesh mesh, const Mat3d& rotation, const Vec3d& shift)
{
    for (Vec3d& p : mesh.vertices) p = rotation * p + shift;
    return mesh;
}

double distance(const Mat3d& a, const Mat3d& b)
{
    const Mat3d d = a - b;
    return d.c[0].norm() + d.c[1].norm() + d.c[2].norm();
}

TEST(MassProperties, OfSimpleBodiesAreTheTextbooks)
{
    const MassProperties box = box_mass({1, 2, 3}, 10);
    EXPECT_DOUBLE_EQ(box.mass, 60);
    EXPECT_LT((box.moments - Vec3d{65, 50, 25}).norm(), 1e-12);
    const MassProperties ball = sphere_mass(2, 3);
    EXPECT_NEAR(ball.mass, 32 * kPi, 1e-12);
    EXPECT_NEAR(ball.moments.y, 0.4 * 32 * kPi * 4, 1e-11);
    const MassProperties can = cylinder_mass(0.5, 2, 4);
    EXPECT_NEAR(can.mass, 2 * kPi, 1e-12);
    EXPECT_LT((can.moments - 2 * kPi * Vec3d{0.0625 + 4.0 / 12, 0.125, 0.0625 + 4.0 / 12}).norm(), 1e-12);
}

TEST(MassProperties, OfACapsuleLieBetweenThoseOfItsMeshes)
{
    // Inscribed meshes converge to the capsule at second order.
    const MassProperties exact = capsule_mass(0.3, 0.8, 1000);
    double before = 0;
    for (const int divisions : {32, 64}) {
        const MassProperties mesh = mesh_mass(make_capsule(0.3, 0.8, divisions), 1000);
        const double error =
            (Vec3d{mesh.inertia()(0, 0), mesh.inertia()(1, 1), mesh.inertia()(2, 2)} - exact.moments).norm();
        EXPECT_LT(mesh.mass, exact.mass);
        if (before > 0) { EXPECT_NEAR(before / error, 4, 0.4); }
        before = error;
    }
    EXPECT_LT((capsule_mass(0.3, 0, 1000).moments - sphere_mass(0.3, 1000).moments).norm(), 1e-10);
}

TEST(MassProperties, OfAMeshAreExactWhereverItStands)
{
    const Mat3d rotation = rotation_of({20, -50, 70});
    const Vec3d shift{100, -20, 3};
    const MassProperties box = box_mass({1, 2, 3}, 10);
    const MassProperties mesh = mesh_mass(moved(make_box({1, 2, 3}, 3), rotation, shift), 10);
    EXPECT_NEAR(mesh.mass, box.mass, 1e-9);
    EXPECT_LT((mesh.center - shift).norm(), 1e-9);
    EXPECT_LT(distance(mesh.inertia(), rotation * box.inertia() * rotation.transposed()), 1e-7);
    EXPECT_NEAR(mesh.axes.determinant(), 1, 1e-12);
    EXPECT_LT(distance(mesh.axes * mesh.axes.transposed(), Mat3d::identity()), 1e-12);
}

TEST(MassProperties, OfTwoBodiesFollowFromTheirParts)
{
    // Steiner: two boxes as one mesh against the sum of both about the common centre.
    const Vec3d at{3, 1, 0};
    SurfaceMesh both = make_box({1, 1, 1}, 1);
    const SurfaceMesh other = moved(make_box({1, 2, 2}, 1), Mat3d::identity(), at);
    const int first = static_cast<int>(both.vertices.size());
    both.vertices.insert(both.vertices.end(), other.vertices.begin(), other.vertices.end());
    for (const auto& [a, b, c] : other.triangles) both.triangles.push_back({a + first, b + first, c + first});

    const MassProperties a = box_mass({1, 1, 1}, 1), b = box_mass({1, 2, 2}, 1), whole = mesh_mass(both, 1);
    const Vec3d center = (b.mass / (a.mass + b.mass)) * at;
    const auto steiner = [&](const MassProperties& p, const Vec3d& x) {
        const Vec3d r = x - center;
        return p.inertia() + p.mass * (r.squared_norm() * Mat3d::identity() - Mat3d::outer(r, r));
    };
    EXPECT_LT((whole.center - center).norm(), 1e-12);
    EXPECT_LT(distance(whole.inertia(), steiner(a, {}) + steiner(b, at)), 1e-11);
}

TEST(MassProperties, OfTheMascotKeepItsMirror)
{
    const MassProperties p = mesh_mass(make_mascot(1, 32), 1000);
    EXPECT_NEAR(p.center.x, 0, 1e-12);
    EXPECT_NEAR(p.inertia()(0, 1), 0, 1e-9);
    EXPECT_NEAR(p.inertia()(0, 2), 0, 1e-9);
}

TEST(MassProperties, RefuseWhatHasNone)
{
    SurfaceMesh open = make_box({1, 1, 1}, 1);
    open.triangles.pop_back();
    EXPECT_PRED2(says, message_of([&] { mesh_mass(open, 1); }), "not closed: 3 edges");
    SurfaceMesh inside_out = make_box({1, 1, 1}, 1);
    for (auto& t : inside_out.triangles) std::swap(t[0], t[1]);
    EXPECT_PRED2(says, message_of([&] { mesh_mass(inside_out, 1); }), "inside out");
    SurfaceMesh flat = make_box({1, 1, 1}, 1);
    for (Vec3d& p : flat.vertices) p.y = 0;
    EXPECT_PRED2(says, message_of([&] { mesh_mass(flat, 1); }), "no volume");
    EXPECT_PRED2(says, message_of([] { mesh_mass({}, 1); }), "no triangles");
    SurfaceMesh wild = make_box({1, 1, 1}, 1);
    wild.triangles[0][0] = 99;
    EXPECT_PRED2(says, message_of([&] { mesh_mass(wild, 1); }), "vertex 99");
    EXPECT_PRED2(says, message_of([] { given_mass(1, {}, Mat3d::diagonal({1, 1, 3})); }), "none is larger than");
    EXPECT_PRED2(says, message_of([] { given_mass(1, {}, Mat3d::diagonal({1, 1, 0})); }), "all are positive");
    EXPECT_PRED2(says, message_of([] { given_mass(-1, {}, Mat3d::identity()); }), "mass is -1");
    EXPECT_PRED2(says, message_of([] { sphere_mass(0, 1); }), "radius");
    EXPECT_EQ(given_mass(1, {}, Mat3d::diagonal({1, 2, 3})).moments, (Vec3d{1, 2, 3})) << "a flat body may have it";
}

TEST(MassProperties, ScaleWithTheMass)
{
    const MassProperties p = with_mass(box_mass({1, 2, 3}, 10), 6);
    EXPECT_DOUBLE_EQ(p.mass, 6);
    EXPECT_LT((p.moments - Vec3d{6.5, 5, 2.5}).norm(), 1e-12);
}

}  // namespace
}  // namespace pliant
