#pragma once
// The response of a rigid body to a push at a point, after [MMCJ20]. These few functions are all that glue, joints and
// contact need to know about it: pushed at a point, a body is like a particle whose inverse mass is a matrix.
//
//   K = 1/m - [r]x I^-1 [r]x      mobility_at     r = point - x
//   n . K n                       inverse_mass_at
//   x += p / m,  turn I^-1 (r x p)  move_at       p [kg m]: a correction of positions
//   v += p / m,  L += r x p         push_at       p [kg m/s]: an impulse
//
// Equal and opposite p at one point change neither the linear nor the angular momentum of a pair. Corrections of
// positions become velocities in update_velocities.

#include "pliant/state/rigid_bodies.h"

namespace pliant {

/// The response of a body together with everything that is joined to it: shift and turn by a push and by a torque.
struct JointMobility {
    Mat3 shift_by_push, shift_by_torque, turn_by_push, turn_by_torque;
    Mat3 turn_alone;  // by a torque, without the joints
};

inline Mat3 inverse_inertia_of(const RigidBodies& bodies, int body)
{
    const Mat3 r = bodies.pose[body].rotation();
    const Vec3& j = bodies.inv_inertia[body];
    return Mat3{{j.x * r.c[0], j.y * r.c[1], j.z * r.c[2]}} * r.transposed();
}

/// The displacement at a point by a unit push there, as a matrix [1/kg].
inline Mat3 mobility_at(const RigidBodies& bodies, int body, const Vec3& point)
{
    const Mat3 r = Mat3::skew(point - bodies.pose[body].x);
    return bodies.inv_mass[body] * Mat3::identity() - r * (inverse_inertia_of(bodies, body) * r);
}

/// The same along a unit direction.
inline Real inverse_mass_at(const RigidBodies& bodies, int body, const Vec3& point, const Vec3& direction)
{
    const Vec3 torque = (point - bodies.pose[body].x).cross(direction);
    return bodies.inv_mass[body] + torque.dot(times_inverse_inertia(bodies, body, torque));
}

inline void move_at(int body, const Vec3& point, const Vec3& push, RigidBodies& bodies)
{
    const Vec3 torque = (point - bodies.pose[body].x).cross(push);
    move_pose(bodies.inv_mass[body] * push, times_inverse_inertia(bodies, body, torque), bodies.pose[body]);
}

/// The same for a point in the body's frame, but the push acts at the lever arm that the point had at the start of the
/// substep, as in SHAKE [RCB77]: a constraint solved this way conserves the energy of a swing, and the angular momentum
/// of a pair. With the current lever arm, joints lose energy at first order in h.
///
///   K = 1/m - [r]x I^-1 [r_start]x     dx = K p,  not symmetric
inline Mat3 mobility_from_start(const RigidBodies& bodies, int body, const Vec3& local)
{
    const Mat3 now = Mat3::skew(bodies.pose[body].rotation() * local);
    const Mat3 start = Mat3::skew(bodies.pose_prev[body].rotation() * local);
    return bodies.inv_mass[body] * Mat3::identity() - now * (inverse_inertia_of(bodies, body) * start);
}

inline void move_from_start(int body, const Vec3& local, const Vec3& push, RigidBodies& bodies)
{
    const Vec3 torque = (bodies.pose_prev[body].rotation() * local).cross(push);
    move_pose(bodies.inv_mass[body] * push, times_inverse_inertia(bodies, body, torque), bodies.pose[body]);
}

/// A correction of the orientation alone; `torque` [kg m^2].
inline void turn(int body, const Vec3& torque, RigidBodies& bodies)
{
    move_pose({}, times_inverse_inertia(bodies, body, torque), bodies.pose[body]);
}

inline Vec3 velocity_at(const RigidBodies& bodies, int body, const Vec3& point)
{
    return bodies.v[body] + bodies.w[body].cross(point - bodies.pose[body].x);
}

inline void push_at(int body, const Vec3& point, const Vec3& impulse, RigidBodies& bodies)
{
    if (bodies.inv_mass[body] == 0) return;
    bodies.v[body] += bodies.inv_mass[body] * impulse;
    bodies.spin[body] += (point - bodies.pose[body].x).cross(impulse);
    bodies.w[body] = times_inverse_inertia(bodies, body, bodies.spin[body]);
}

/// From the world's frame to the body's, and back.
inline Vec3 to_body(const Pose& pose, const Vec3& point) { return pose.rotation().transposed() * (point - pose.x); }
inline Vec3 to_world(const Pose& pose, const Vec3& point) { return pose.rotation() * point + pose.x; }
/// The same in double, with the low parts of the pose.
inline Vec3d to_world_exactly(const Pose& pose, const Vec3& point)
{
    return exact_rotation(pose) * point.cast<double>() + exact_position(pose);
}

}  // namespace pliant
