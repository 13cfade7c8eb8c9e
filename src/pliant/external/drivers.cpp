#include "pliant/external/drivers.h"

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

void carry(const PinnedSet& set, double time, Real h, Particles& particles)
{
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

void project_grabs(std::span<const Grab> grabs, Real h, Particles& particles)
{
    for (const Grab& grab : grabs) {
        const Real w = particles.inv_mass[grab.particle];
        if (w == 0) continue;
        particles.x[grab.particle] += w / (w + grab.compliance / (h * h)) * (grab.target - particles.x[grab.particle]);
    }
}

}  // namespace pliant
