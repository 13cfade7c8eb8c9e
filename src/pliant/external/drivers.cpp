#include "pliant/external/drivers.h"

#include <algorithm>

namespace pliant {

void HeldRigid::set_rest(const Pose& pose)
{
    x = pose.x.cast<double>() + pose.x_low.cast<double>();
    rotation = (pose.q.cast<double>() + pose.q_low.cast<double>()).matrix();
}

namespace {

void release(PinnedSet& set, Particles& particles)
{
    for (const int i : set.particles) particles.inv_mass[i] = 1 / particles.mass[i];
    set.released = true;
}

/// Evenly from where they were to their goals, and there they stay.
void carry_to_goals(const PinnedSet& set, double time, Real h, Particles& particles)
{
    const double end = time + static_cast<double>(h), span = set.arrival - set.departure;
    const double s = end < set.arrival && span > 0 ? (end - set.departure) / span : 1;
    for (std::size_t k = 0; k < set.particles.size(); ++k) {
        const int i = set.particles[k];
        const Vec3d target = s == 1 ? set.goal[k] : set.rest[k] + s * (set.goal[k] - set.rest[k]);
        particles.v[i] = (target - particles.position(i)).cast<Real>() / h;
    }
}

void carry(const PinnedSet& set, double time, Real h, Particles& particles)
{
    if (!set.goal.empty()) return carry_to_goals(set, time, h, particles);
    const RigidMap map = motion_at(set.motion, time + h);
    for (std::size_t k = 0; k < set.particles.size(); ++k) {
        const int i = set.particles[k];
        particles.v[i] = (map(set.rest[k]) - particles.position(i)).cast<Real>() / h;
    }
}

void carry(const HeldRigid& held, double time, Real h, RigidBodies& bodies)
{
    const RigidMap map = motion_at(held.motion, time + h);
    const Pose& now = bodies.pose[held.body];
    const Pose goal = pose_of(map(held.x), map.rotation * held.rotation);
    bodies.v[held.body] = shift_between(now, goal) / h;
    bodies.w[held.body] = turn_between(now, goal) / h;
}

}  // namespace

void drive(double time, Real h, Drivers& drivers, Particles& particles)
{
    for (PinnedSet& set : drivers.pins) {
        if (set.released) continue;
        if (set.release >= 0 && time >= set.release) {
            release(set, particles);
        } else {
            carry(set, time, h, particles);
        }
    }
}

void drive(double time, Real h, Drivers& drivers, RigidBodies& bodies)
{
    for (HeldRigid& held : drivers.held) {
        if (held.released) continue;
        if (held.release >= 0 && time >= held.release) {
            bodies.release(held.body);
            held.released = true;
        } else {
            carry(held, time, h, bodies);
        }
    }
}

namespace {

void pull_particle(const Grab& grab, Real h, Particles& particles)
{
    const Real w = particles.inv_mass[grab.particle];
    if (w == 0) return;
    particles.x[grab.particle] += w / (w + grab.compliance / (h * h)) * (grab.target - particles.x[grab.particle]);
}

/// Along the line from the point to its target, with w = 1/m + (r x n) I^-1 (r x n).
void pull_rigid(const Grab& grab, Real h, RigidBodies& bodies)
{
    constexpr Real kMaxTurn = Real(0.5);  // in a substep [rad]: beyond, a turn is far from linear
    const int b = grab.rigid;
    if (bodies.inv_mass[b] == 0) return;
    const Vec3 r = bodies.pose[b].rotation() * grab.arm;
    const Vec3 gap = grab.target - bodies.pose[b].x - r;
    const Real length = gap.norm();
    if (!(length > 0)) return;
    const Vec3 n = gap / length, rn = r.cross(n);
    const Real w = bodies.inv_mass[b] + rn.dot(times_inverse_inertia(bodies, b, rn));
    const Vec3 push = length / (w + grab.compliance / (h * h)) * n;
    const Vec3 turn = times_inverse_inertia(bodies, b, r.cross(push));
    const Real part = std::min(Real(1), kMaxTurn / std::max(turn.norm(), kMaxTurn));
    move_pose(part * bodies.inv_mass[b] * push, part * turn, bodies.pose[b]);
}

}  // namespace

void project_grabs(std::span<const Grab> grabs, Real h, Particles& particles, RigidBodies& bodies)
{
    for (const Grab& grab : grabs) {
        if (grab.rigid >= 0) pull_rigid(grab, h, bodies);
        else pull_particle(grab, h, particles);
    }
}

}  // namespace pliant
