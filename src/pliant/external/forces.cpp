#include "pliant/external/forces.h"

#include "pliant/base/parallel.h"
#include "pliant/state/mobility.h"

namespace pliant {

void apply_forces(std::span<const AppliedForce> forces, Real h, Particles& particles, RigidBodies& bodies)
{
    for (const AppliedForce& f : forces) {
        for (int i = f.particles.first; i < f.particles.end(); ++i)
            if (particles.inv_mass[i] > 0) particles.v[i] += h * f.acceleration;
        if (f.rigid >= 0) push_at(f.rigid, to_world(bodies.pose[f.rigid], f.point), h * f.force, bodies);
    }
}

void apply_forces(const Forces& forces, Real h, Particles& particles)
{
    const Real keep = 1 / (1 + h * forces.drag);
    const Vec3 kick = (keep * h * forces.drag) * forces.wind + h * forces.gravity;
    parallel_for(particles.size(), 4096, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            if (particles.inv_mass[i] > 0) particles.v[i] = keep * particles.v[i] + kick;
        }
    });
}

void apply_forces(const Forces& forces, Real h, RigidBodies& bodies)
{
    const Real keep = 1 / (1 + h * forces.drag);
    const Vec3 kick = (keep * h * forces.drag) * forces.wind + h * forces.gravity;
    for (int i = 0; i < bodies.size(); ++i) {
        if (bodies.inv_mass[i] == 0) continue;
        bodies.v[i] = keep * bodies.v[i] + kick;
        bodies.spin[i] *= keep;
    }
}

}  // namespace pliant
