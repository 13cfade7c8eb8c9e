// Touches of rigid shapes with colliders, against the distance of many points.

#include "contact/collider_kinds.h"
#include "pliant/geometry/shapes.h"
#include "pliant/geometry/touch.h"
#include "rigid/bodies.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_rigids;

struct TouchingBody {
    const char* name;
    RigidForm form;
    SurfaceMesh points;  // many, on its surface
};

std::vector<TouchingBody> touching_bodies()
{
    return {{"ball", ball(0.4), make_sphere(0.4, 24)},
            {"box", box({0.6, 0.4, 1}), make_box({0.6, 0.4, 1}, 40)},
            {"capsule", capsule(0.2, 0.7), make_capsule(0.2, 0.7, 96)},
            {"cylinder", cylinder(0.3, 0.7), make_cylinder(0.3, 0.7, 96)}};
}

double least_distance(const TouchingBody& s, const Pose& pose, const Collider& c)
{
    double least = 1e9;
    for (const Vec3d& p : s.points.vertices)
        least = std::min(least, double(nearest_surface(c, pose_at(c, 0, 0), to_world(pose, p.cast<Real>())).distance));
    return least;
}

double deepest(const Touches& touches, Touch& which)
{
    double most = -1e9;
    for (const Touch& touch : touches) {
        if (double(touch.depth) <= most) continue;
        most = double(touch.depth);
        which = touch;
    }
    return most;
}

TEST(Touch, TheDeepestIsTheDistanceOfTheBodies)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> u(-1, 1);
    constexpr double kMargin = 0.3, kFine = 0.004;  // points are up to 0.025 m apart
    for (const TouchingBody& s : touching_bodies()) {
        const Rigid rigid = make_rigid(s.form, {});
        const Shape shape = make_rigid_shape(s.form, rigid);
        for (const ColliderShape kind : {ColliderShape::plane, ColliderShape::sphere, ColliderShape::capsule,
                                         ColliderShape::box, ColliderShape::cylinder}) {
            const Collider c = collider_of(kind);
            // Lines and rims of a cylinder are looked at in a few places only; for boxes that are apart the distance is
            // that along the best axis.
            const bool rims = (shape.kind == RigidKind::cylinder && kind == ColliderShape::box) ||
                              (shape.kind != RigidKind::sphere && kind == ColliderShape::cylinder);
            const bool coarse = rims || (shape.kind == RigidKind::box && kind == ColliderShape::box);
            int apart = 0, inside = 0;
            for (int k = 0; k < 200; ++k) {
                const Vec3d at = c.position + 1.1 * Vec3d{u(random), u(random), u(random)};
                const Pose pose = rigid.pose_of(rotation_of(180 * Vec3d{u(random), u(random), u(random)}), at);
                const double distance = least_distance(s, pose, c);
                Touches touches;
                find_touches(shape, pose, c, Real(kMargin), touches);
                Touch touch{};
                const double depth = deepest(touches, touch);
                if (distance > 0.01 && distance < kMargin - 0.01) {
                    ++apart;
                    ASSERT_GT(touches.end() - touches.begin(), 0) << s.name << " " << name_of(kind);
                    EXPECT_NEAR(-depth, distance, coarse ? 0.06 : kFine) << s.name << " " << name_of(kind);
                } else if (distance < -0.01 && distance > -0.1) {
                    ++inside;
                    ASSERT_GT(touches.end() - touches.begin(), 0) << s.name << " " << name_of(kind);
                    Pose moved = pose;
                    for (int push = 0; push < (rims ? 20 : 1); ++push) {  // a rim across an edge takes more than one
                        touches.clear();
                        find_touches(shape, moved, c, 0, touches);
                        if (deepest(touches, touch) > 0) move_pose(touch.depth * touch.normal, {}, moved);
                    }
                    EXPECT_GT(least_distance(s, moved, c), rims ? -0.02 : -kFine) << s.name << " " << name_of(kind);
                }
                for (const Touch& t : touches) {
                    EXPECT_NEAR(double(t.normal.norm()), 1, 1e-5);
                    // The touch is on the body: not outside it, and not deep in it.
                    EXPECT_LT(double((t.point - pose.x).norm()), double(shape.extent) + 1e-4);
                }
            }
            EXPECT_GT(apart, 10) << s.name << " " << name_of(kind);
            EXPECT_GT(inside, 3) << s.name << " " << name_of(kind);
        }
    }
}

/// A box on a box that stands still at the origin, its size 2 x 1 x 2.
Touches on_box(const RigidForm& form, const Pose& pose, Real margin)
{
    Collider c;
    c.shape = ColliderShape::box;
    c.size = {2, 1, 2};
    const Rigid rigid = make_rigid(form, {});
    Touches touches;
    find_touches(make_rigid_shape(form, rigid), pose, c, margin, touches);
    return touches;
}

TEST(Touch, ABoxStandsOnABoxWithTheCornersOfTheirCommonFace)
{
    // A plank across: longer than the box below, narrower than it.
    const Touches across = on_box(box({4, 0.2, 0.5}), pose_of({0, 0.59, 0}, Mat3d::identity()), Real(0.05));
    ASSERT_EQ(across.end() - across.begin(), 4);
    for (const Touch& t : across) {
        EXPECT_LT((t.normal - Vec3{0, 1, 0}).norm(), 1e-5);
        EXPECT_NEAR(double(t.depth), 0.01, 1e-5);
        EXPECT_NEAR(std::abs(double(t.point.x)), 1, 1e-5) << "where the box below ends";
        EXPECT_NEAR(std::abs(double(t.point.z)), 0.25, 1e-5) << "where the plank ends";
    }
    // A larger one that covers all of it: the corners of the box below, on the body's face.
    const Touches covered = on_box(box({4, 0.2, 4}), pose_of({0, 0.59, 0}, Mat3d::identity()), Real(0.05));
    ASSERT_EQ(covered.end() - covered.begin(), 4);
    for (const Touch& t : covered) EXPECT_NEAR(std::abs(double(t.point.z)), 1, 1e-5);
}

TEST(Touch, EdgesOfBoxesMeetInOnePoint)
{
    // A bar on edge, turned by 45 degrees, lies outside the upper edge x = 1, y = 0.5 of the box.
    const Mat3d turned = rotation_about({0, 1, 0}, 45) * rotation_about({1, 0, 0}, 45);
    const Touches touches = on_box(box({0.5, 0.5, 3}), pose_of({1.2, 0.7, 0}, turned), Real(0.05));
    ASSERT_EQ(touches.end() - touches.begin(), 1);
    const Touch& t = *touches.begin();
    EXPECT_GT(t.normal.x, Real(0.1));
    EXPECT_GT(t.normal.y, Real(0.1));
}

TEST(Touch, AMeshTouchesWithVerticesAllAround)
{
    const RigidForm can = mesh(make_cylinder(0.5, 1, 64));
    const Touches touches = on_box(can, pose_of({0, 0.999, 0}, Mat3d::identity()), Real(0.01));
    double low[2] = {0, 0}, high[2] = {0, 0};
    for (const Touch& t : touches) {
        EXPECT_NEAR(double(t.depth), 0.001, 1e-4);
        for (const int axis : {0, 1}) {
            low[axis] = std::min(low[axis], double(t.point[2 * axis]));
            high[axis] = std::max(high[axis], double(t.point[2 * axis]));
        }
    }
    for (const int axis : {0, 1}) {
        EXPECT_LT(low[axis], -0.3);
        EXPECT_GT(high[axis], 0.3);
    }
}

}  // namespace
}  // namespace pliant
