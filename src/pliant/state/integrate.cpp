#include "pliant/state/integrate.h"

#include "pliant/base/parallel.h"

namespace pliant {

namespace {
constexpr int kParticleGrain = 4096;
}

void predict(Real h, Particles& particles, std::vector<Vec3>& predicted)
{
    predicted.resize(particles.x.size());
    parallel_for(particles.size(), kParticleGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            particles.x_prev[i] = particles.x[i];
            particles.x[i] += h * particles.v[i];
            predicted[i] = particles.x[i];
        }
    });
}

void update_velocities(Real h, std::span<const Vec3> predicted, Particles& particles)
{
    const Real rate = 1 / h;
    parallel_for(particles.size(), kParticleGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            if (particles.inv_mass[i] > 0) particles.v[i] += rate * (particles.x[i] - predicted[i]);
        }
    });
}

}  // namespace pliant
