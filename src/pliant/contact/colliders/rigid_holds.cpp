#include "pliant/contact/colliders/rigid_holds.h"

#include "pliant/contact/colliders/chunk_check.h"
#include "pliant/geometry/separation.h"
#include "pliant/geometry/support.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr Real kAllowedDepth = Real(1e-3);   // of the extent
constexpr double kKeptSkin = 0.1;            // of that depth: what a mesh always keeps
constexpr int kMostStops = 4;                // by triangles of one mesh
constexpr double kDeep = 0.5;                // of the half thickness: bodies deeper than this started inside
constexpr Real kSlowBodyShare = Real(0.25);  // of the half thickness: contact finds slower bodies by itself

/// A body as a collider sees it, at one end of the substep.
SeenPose seen(const Pose& pose, const Mat3& rotation, const Vec3& origin)
{
    const Mat3d back = rotation.cast<double>().transposed();
    return {back * exact_rotation(pose), back * (exact_position(pose) - origin.cast<double>())};
}

double lowest(const Shape& shape, const SeenPose& at, const Vec3d& n)
{
    return n.dot(at.position) - support_of(shape, at.rotation.transposed() * -n);
}

Real motion_of(const RigidBodies& rigids, int body)
{
    return shift_between(rigids.pose_prev[body], rigids.pose[body]).norm() +
           rigids.shape[body].extent * turn_between(rigids.pose_prev[body], rigids.pose[body]).norm();
}

bool may_meet(const RigidBodies& rigids, int body, const PlacedCollider& collider)
{
    if (!has_support(rigids.shape[body])) return false;
    const Real reach = rigids.shape[body].extent + motion_of(rigids, body);
    const ShapePose before{collider.pose.rotation_prev, collider.pose.position_prev};
    const auto distance = [&](const ShapePose& pose) {
        return least_distance(collider.shape, pose.to_shape(rigids.pose_prev[body].x));
    };
    return std::min(distance(before), distance(collider.pose)) <= Real(1.001) * reach;
}

/// What the guard of islands does not see to: bodies that joints hold, and colliders that move regardless.
bool is_left(std::span<const char> jointed, int body, const PlacedCollider& collider)
{
    return jointed[body] != 0 || !is_still(collider.pose) || !has_support(collider.shape);
}

/// The box around all places of a shape without its rounding, in the frame of the collider.
Box box_around(const Shape& shape, const SeenPose at[2])
{
    Vec3 low, high;
    for (int k = 0; k < 3; ++k) {
        Vec3d n{};
        n[k] = 1;
        const auto ends = std::minmax({lowest(shape, at[0], n), lowest(shape, at[1], n)});
        low[k] = static_cast<Real>(ends.first);
        n[k] = -1;
        high[k] = static_cast<Real>(-std::min(lowest(shape, at[0], n), lowest(shape, at[1], n)));
    }
    return {low, high};
}

/// Against the triangles of a mesh, none of which may come into the body without its skin. One that overlaps it at the start is
/// left out, and so are all if the body is inside.
std::optional<RigidHold> check_in_mesh(const Shape& shape, const SeenPose at[2], const PlacedCollider& collider)
{
    const Real skin = allowed_depth(shape);
    const Shape core = shrunk(shape, skin);
    const TriangleTree& triangles = collider.shape.mesh->triangles;
    std::optional<RigidHold> worst;
    triangles.find(box_around(core, at), [&](int number) {
        std::array<Vec3d, 3> x;
        for (std::size_t k = 0; k < 3; ++k) x[k] = triangles.corners(number)[k].cast<double>();
        const std::span<const Vec3d> corners(x);
        if (separate(core, std::span(at, 2), corners)) return;
        const SeparatingPlane s = separate(core, std::span(at, 1), corners);
        if (!s) return;
        const double left = lowest(core, at[1], s.n) - std::max({s.n.dot(x[0]), s.n.dot(x[1]), s.n.dot(x[2])});
        const double least = std::min(kKeptSkin * static_cast<double>(skin), s.clearance);
        if (left >= least || (worst && left >= static_cast<double>(worst->left))) return;
        worst = RigidHold{0,
                          0,
                          (collider.pose.rotation.cast<double>() * s.n).cast<Real>(),
                          static_cast<Real>(s.clearance),
                          static_cast<Real>(left),
                          static_cast<Real>(least)};
    });
    if (worst && triangles.is_inside(at[0].position.cast<Real>())) return {};
    return worst;
}

}  // namespace

Real allowed_depth(const Shape& shape) { return kAllowedDepth * shape.extent; }

Shape shrunk(Shape shape, Real by)
{
    const auto less = [&](Real& a) { a = std::max(a - by, Real(0)); };
    for (int k = 0; k < 3; ++k) less(shape.half[k]);
    less(shape.radius);
    if (shape.kind == Shape::Kind::cylinder) less(shape.half_height);
    return shape;
}

void find_near_rigids(const RigidBodies& rigids, std::span<const char> jointed,
                      std::span<const PlacedCollider> colliders, NearRigids& near)
{
    near.near.clear();
    for (int b = 0; b < rigids.size(); ++b) {
        if (rigids.inv_mass[b] == 0) continue;
        for (std::size_t c = 0; c < colliders.size(); ++c)
            if (is_left(jointed, b, colliders[c]) && may_meet(rigids, b, colliders[c]))
                near.near.emplace_back(b, static_cast<int>(c));
    }
}

std::optional<RigidHold> check_rigid(const RigidBodies& rigids, int body, const PlacedCollider& collider, int which)
{
    const Shape &shape = rigids.shape[body], &other = collider.shape;
    const ColliderPose& pose = collider.pose;
    const SeenPose at[2] = {seen(rigids.pose_prev[body], pose.rotation_prev, pose.position_prev),
                            seen(rigids.pose[body], pose.rotation, pose.position)};
    if (!has_support(other)) {
        std::optional<RigidHold> hold = check_in_mesh(shape, at, collider);
        if (hold) {
            hold->body = body;
            hold->collider = which;
        }
        return hold;
    }
    const double allowed = static_cast<double>(allowed_depth(shape));
    Vec3d n = normal_near(other, at[0].position);
    const auto left = [&](int end) { return lowest(shape, at[end], n) - support_of(other, n); };
    double from = left(0), to = left(1);
    if (from >= -allowed && to >= -allowed) return {};
    if (other.kind != Shape::Kind::plane) {
        if (separate(shape, at, other)) return {};  // the whole sweep is apart
        if (const SeparatingPlane s = separate(shape, std::span(at).first(1), other); s.clearance > from) {
            n = s.n;
            from = s.clearance;
            to = left(1);
        }
    }
    const double least = std::min(-allowed, from);
    if (to >= least || from < -kDeep * static_cast<double>(half_thickness(other))) return {};
    return RigidHold{body,
                     which,
                     (pose.rotation.cast<double>() * n).cast<Real>(),
                     static_cast<Real>(from),
                     static_cast<Real>(to),
                     static_cast<Real>(least)};
}

void stop_rigids_at_colliders(std::span<const char> jointed, std::span<const PlacedCollider> colliders,
                              RigidBodies& rigids)
{
    for (int b = 0; b < rigids.size(); ++b) {
        if (rigids.inv_mass[b] == 0) continue;
        for (std::size_t c = 0; c < colliders.size(); ++c) {
            const PlacedCollider& collider = colliders[c];
            if (!is_left(jointed, b, collider)) continue;
            const Real moved = motion_of(rigids, b) + surface_motion(collider.pose, rigids.pose[b].x).norm();
            if (moved <= kSlowBodyShare * half_thickness(collider.shape) || !may_meet(rigids, b, collider)) continue;
            for (int k = 0; k < (has_support(collider.shape) ? 1 : kMostStops); ++k) {
                const auto hold = check_rigid(rigids, b, collider, static_cast<int>(c));
                if (!hold) break;
                move_pose((Real(0.5) * hold->least - hold->left) * hold->n, {}, rigids.pose[b]);
            }
        }
    }
}

}  // namespace pliant
