#include "pliant/state/rigid_bodies.h"

#include "pliant/base/check.h"
#include "pliant/base/hash.h"
#include "pliant/base/parallel.h"
#include "pliant/math/compensated.h"

#include <limits>
#include <span>

namespace pliant {

namespace {

constexpr int kBodyGrain = 64;
/// Largest rotation per substep, w h, of a body that constraints have turned: beyond half a turn the direction is
/// ambiguous, and the angular velocity would only grow.
constexpr Real kMaxTurn = Real(3);  // [rad]

/// value = high + low. Not inlined on purpose: when g++ 12 vectorises it, the low parts come out as zero.
[[gnu::noinline]] void split(double value, Real& high, Real& low)
{
    high = static_cast<Real>(value);
    low = static_cast<Real>(value - static_cast<double>(high));
}

Vec3 times(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

/// Rounding lets the length of q drift; one Newton step restores it.
void normalize(Pose& pose)
{
    const Real excess = pose.q.dot(pose.q) - 1 + 2 * pose.q.dot(pose.q_low);
    if (std::abs(excess) < 4 * std::numeric_limits<Real>::epsilon()) return;
    pose.q = (1 - excess / 2) * pose.q;
}

/// The rotation of a free body in its own frame, which conserves momentum and energy [SW91]:
///   t = h/2 (W + W'),  W = J^-1 P,  W' = J^-1 P',  P' = P rotated back by t.
/// P is the angular momentum in the body's frame. Energy is conserved because P' - P is perpendicular to t, for any t.
Vec3 turn_of_top(Real h, const Vec3& momentum, const Vec3& inv_inertia)
{
    constexpr int kMaxRounds = 20;
    const Vec3 w = times(inv_inertia, momentum);
    Vec3 t = h * w;
    for (int round = 0; round < kMaxRounds; ++round) {
        const Vec3 u = Real(0.5) * t, c = u.cross(momentum);
        const Vec3 turned = momentum - (2 / (1 + u.squared_norm())) * (c - u.cross(c));
        const Vec3 next = (h / 2) * (w + times(inv_inertia, turned));
        const Real change = (next - t).squared_norm();
        t = next;
        const Real small = 4 * std::numeric_limits<Real>::epsilon();
        if (!(change > small * small * t.squared_norm())) break;
    }
    return t;
}

}  // namespace

Pose pose_of(const Vec3d& x, const Mat3d& rotation)
{
    const Quatd q = quaternion_of(rotation);
    Pose pose;
    split(q.w, pose.q.w, pose.q_low.w);
    for (int axis = 0; axis < 3; ++axis) {
        split(x[axis], pose.x[axis], pose.x_low[axis]);
        split(q.v[axis], pose.q.v[axis], pose.q_low.v[axis]);
    }
    return pose;
}

Mat3d exact_rotation(const Pose& pose)
{
    const Quatd q = pose.q.cast<double>() + pose.q_low.cast<double>();
    return (1 / std::sqrt(q.dot(q)) * q).matrix();
}

void move_pose(const Vec3& shift, const Vec3& turn, Pose& pose)
{
    add_compensated(shift, pose.x, pose.x_low);
    if (turn == Vec3{}) return;
    const Quat change = change_by_turn(turn, pose.q);
    add_compensated(change.w, pose.q.w, pose.q_low.w);
    add_compensated(change.v, pose.q.v, pose.q_low.v);
}

Vec3 shift_between(const Pose& from, const Pose& to) { return (to.x - from.x) + (to.x_low - from.x_low); }

Vec3 turn_between(const Pose& from, const Pose& to)
{
    const Real sign = to.q.dot(from.q) < 0 ? Real(-1) : Real(1);  // q and -q are the same orientation
    const Quat change = (sign * to.q - from.q + (sign * to.q_low - from.q_low)) * from.q.conjugate();
    return (2 / (1 + change.w)) * change.v;
}

int RigidBodies::append()
{
    const auto n = pose.size() + 1;
    pose.resize(n);
    pose_prev.resize(n);
    v.resize(n);
    w.resize(n);
    spin.resize(n);
    mass.resize(n, 1);
    inv_mass.resize(n, 1);
    inertia.resize(n, {1, 1, 1});
    inv_inertia.resize(n, {1, 1, 1});
    shape.resize(n);
    friction.resize(n, -1);
    restitution.resize(n, -1);
    rest_pose.resize(n);
    rest_time.resize(n, 0);
    asleep.resize(n, -1);
    return size() - 1;
}

void RigidBodies::erase(int body)
{
    PLIANT_ASSERT(body >= 0 && body < size());
    wake(body);
    const auto erase_from = [&](auto& values) { values.erase(values.begin() + body); };
    erase_from(pose);
    erase_from(pose_prev);
    erase_from(v);
    erase_from(w);
    erase_from(spin);
    erase_from(mass);
    erase_from(inv_mass);
    erase_from(inertia);
    erase_from(inv_inertia);
    erase_from(shape);
    erase_from(friction);
    erase_from(restitution);
    erase_from(rest_pose);
    erase_from(rest_time);
    erase_from(asleep);
    for (int& island : asleep) island -= island > body ? 1 : 0;
}

void RigidBodies::hold(int body)
{
    inv_mass[body] = 0;
    inv_inertia[body] = {};
    v[body] = w[body] = spin[body] = {};
}

void RigidBodies::release(int body)
{
    const Vec3& moment = inertia[body];
    inv_mass[body] = 1 / mass[body];
    inv_inertia[body] = {1 / moment.x, 1 / moment.y, 1 / moment.z};
    set_angular_velocity(body, w[body], *this);
}

void RigidBodies::sleep(int body, int island)
{
    hold(body);
    asleep[body] = island;
}

void RigidBodies::wake(int body)
{
    const int island = asleep[body];
    if (island < 0) return;
    for (int i = 0; i < size(); ++i) {
        if (asleep[i] != island) continue;
        asleep[i] = -1;
        rest_time[i] = 0;
        rest_pose[i] = pose[i];
        release(i);
    }
}

Vec3 times_inertia(const RigidBodies& bodies, int body, const Vec3& a)
{
    const Mat3 r = bodies.pose[body].rotation();
    return r * times(bodies.inertia[body], r.transposed() * a);
}

Vec3 times_inverse_inertia(const RigidBodies& bodies, int body, const Vec3& a)
{
    const Mat3 r = bodies.pose[body].rotation();
    return r * times(bodies.inv_inertia[body], r.transposed() * a);
}

void set_angular_velocity(int body, const Vec3& w, RigidBodies& bodies)
{
    bodies.w[body] = w;
    bodies.spin[body] = bodies.inv_mass[body] > 0 ? times_inertia(bodies, body, w) : Vec3{};
}

void predict(Real h, RigidBodies& bodies, std::vector<Pose>& predicted)
{
    predicted.resize(bodies.pose.size());
    parallel_for(bodies.size(), kBodyGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            Pose& pose = bodies.pose[i];
            normalize(pose);
            bodies.pose_prev[i] = pose;
            Vec3 turn = h * bodies.w[i];
            if (bodies.inv_mass[i] > 0) {
                const Mat3 r = pose.rotation();
                turn = r * turn_of_top(h, r.transposed() * bodies.spin[i], bodies.inv_inertia[i]);
            }
            move_pose(h * bodies.v[i], turn, pose);
            predicted[i] = pose;
            bodies.w[i] = bodies.inv_mass[i] > 0 ? times_inverse_inertia(bodies, i, bodies.spin[i]) : bodies.w[i];
        }
    });
}

void update_velocities(Real h, const std::vector<Pose>& predicted, RigidBodies& bodies)
{
    const Real rate = 1 / h;
    parallel_for(bodies.size(), kBodyGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            if (bodies.inv_mass[i] == 0) continue;
            bodies.v[i] += rate * shift_between(predicted[i], bodies.pose[i]);
            const Vec3 turn = turn_between(predicted[i], bodies.pose[i]);
            bodies.spin[i] += rate * times_inertia(bodies, i, turn);
            bodies.w[i] = times_inverse_inertia(bodies, i, bodies.spin[i]);
            const Real speed = bodies.w[i].norm(), most = kMaxTurn * rate;
            if (turn != Vec3{} && speed > most) {
                bodies.spin[i] = (most / speed) * bodies.spin[i];
                bodies.w[i] = (most / speed) * bodies.w[i];
            }
        }
    });
}

void add_to_hash(const RigidBodies& bodies, Hash64& hash)
{
    hash.add(std::span<const Pose>(bodies.pose));
    hash.add(std::span<const Vec3>(bodies.v));
    hash.add(std::span<const Vec3>(bodies.w));
    hash.add(std::span<const Vec3>(bodies.spin));
}

}  // namespace pliant
