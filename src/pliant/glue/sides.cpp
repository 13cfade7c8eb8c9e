#include "pliant/glue/sides.h"

#include "pliant/state/mobility.h"

namespace pliant {

namespace {

BoundFrame<Lanes> fit_side(const Joints& joints, const Point* points, JointSide& side)
{
    Vector3<Lanes> origin{}, offset{};
    Matrix3<Lanes> b{};
    for (int r = side.first_row; r < side.first_row + side.rows; ++r) {
        const ParentRow& row = joints.rows[r];
        const Vector3<Lanes> x = gather(points, row.point.data()).x;
        if (r == side.first_row) origin = x;
        const Vector3<Lanes> u = row.weight * (x - origin);
        offset += u;
        b += Matrix3<Lanes>::outer(u, row.rest);
    }
    const Vector3<Lanes> center = origin + offset + side.place;
    if (!side.fits) return {center, Matrix3<Lanes>::identity(), {}, {}};
    b += side.alone * Matrix3<Lanes>::identity();
    const RotationFit<Lanes> fit = fit_rotation(b, side.rotation);
    side.rotation = fit.rotation;
    const auto cloud = side.alone <= Lanes(0);
    return bound_frame(center, fit, select(cloud, side.point, Vector3<Lanes>{}));
}

}  // namespace

SideState find_side(const Joints& joints, const Point* points, const RigidBodies& bodies, JointSide& side)
{
    SideState state;
    state.frame = fit_side(joints, points, side);
    state.point = state.frame.point();
    if (!side.rigid) return state;
    for (int l = 0; l < kLanes; ++l)
        if (side.body[l] >= 0) set_lane(state.point, l, to_world(bodies.pose[side.body[l]], lane(side.point, l)));
    return state;
}

Arm arm_of_push(const RigidBodies& bodies, int body, const Vec3& local)
{
    const Vec3 now = bodies.pose[body].rotation() * local, start = bodies.pose_prev[body].rotation() * local;
    return now.dot(start) < Real(0.5) * local.squared_norm() ? Arm::now : Arm::start;
}

Matrix3<Lanes> mobility_of(const JointSide& side, const SideState& state, const RigidBodies& bodies, Arm arm)
{
    Matrix3<Lanes> sum = mobility(state.frame, side.inertia);
    if (!side.rigid) return sum;
    for (int l = 0; l < kLanes; ++l) {
        const int body = side.body[l];
        if (body < 0) continue;
        const Vec3 local = lane(side.point, l);
        const bool from_start = arm == Arm::start && arm_of_push(bodies, body, local) == Arm::start;
        const Mat3 k =
            from_start ? mobility_from_start(bodies, body, local) : mobility_at(bodies, body, lane(state.point, l));
        for (int j = 0; j < 3; ++j) set_lane(sum.c[j], l, k.c[j]);
    }
    return sum;
}

void push_parents(const Joints& joints, const JointSide& side, const SideState& state, const Vector3<Lanes>& p,
                  Point* points)
{
    const Vector3<Lanes> eta = turning(state.frame, p);
    for (int r = side.first_row; r < side.first_row + side.rows; ++r) {
        const ParentRow& row = joints.rows[r];
        PointLanes parent = gather(points, row.point.data());
        parent.x += parent.w * passed_on(state.frame, p, eta, row.weight, row.rest);
        scatter(parent, row.point.data(), points);
    }
}

}  // namespace pliant
