#include "pliant/external/forces.h"

#include "pliant/base/parallel.h"
#include "pliant/state/mobility.h"

#include <algorithm>

namespace pliant {

void apply_forces(std::span<const AppliedForce> forces, Real h, Particles& particles, RigidBodies& bodies)
{
    for (const AppliedForce& f : forces) {
        for (int i = f.particles.first; i < f.particles.end(); ++i)
            if (particles.inv_mass[i] > 0) particles.v[i] += h * f.acceleration;
        if (f.rigid >= 0) push_at(f.rigid, to_world(bodies.pose[f.rigid], f.point), h * f.force, bodies);
    }
}

AirFlow air_flow(const Forces& forces, const Vec3d& travel, double time)
{
    AirFlow air{.wind = forces.wind};
    const auto seed = static_cast<std::uint64_t>(forces.wind_seed);
    if (forces.gusts > 0) {
        const double swell = noise(time / static_cast<double>(forces.gust_time), seed);
        air.wind = std::max(Real(0), 1 + forces.gusts * static_cast<Real>(swell)) * forces.wind;
    }
    if (forces.turbulence == 0) return air;
    air.eddies = forces.turbulence * air.wind.norm();
    air.length = static_cast<double>(forces.turbulence_length);
    air.travel = travel;
    air.seed = ~seed;  // not that of the gusts
    return air;
}

namespace {

/// By how much gravity and drag change the velocity of what is at x, beyond what drag leaves of it.
struct Kick {
    const AirFlow& air;
    Real drag;  // share of the wind that is taken on in the substep
    Vec3 fall;  // [m/s]

    Vec3 at(const Vec3& x) const { return drag * air.at(x) + fall; }
    Vec3 everywhere() const { return drag * air.wind + fall; }
    bool varies() const { return air.eddies != 0 && drag != 0; }
};

}  // namespace

void apply_forces(const Forces& forces, const AirFlow& air, Real h, Particles& particles)
{
    const Real keep = 1 / (1 + h * forces.drag);
    const Kick kick{air, keep * h * forces.drag, h * forces.gravity};
    const Vec3 same = kick.everywhere();
    parallel_for(particles.size(), 4096, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            if (particles.inv_mass[i] > 0)
                particles.v[i] = keep * particles.v[i] + (kick.varies() ? kick.at(particles.x[i]) : same);
        }
    });
}

void apply_forces(const Forces& forces, const AirFlow& air, Real h, RigidBodies& bodies)
{
    const Real keep = 1 / (1 + h * forces.drag);
    const Kick kick{air, keep * h * forces.drag, h * forces.gravity};
    for (int i = 0; i < bodies.size(); ++i) {
        if (bodies.inv_mass[i] == 0) continue;
        bodies.v[i] = keep * bodies.v[i] + kick.at(bodies.pose[i].x);
        bodies.spin[i] *= keep;
    }
}

}  // namespace pliant
