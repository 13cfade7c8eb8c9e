#include "pliant/state/integrate.h"

#include "pliant/base/parallel.h"
#include "pliant/math/compensated.h"

namespace pliant {

namespace {
constexpr int kParticleGrain = 4096;
}

void predict(Real h, Particles& p, Predicted& predicted)
{
    predicted.x.resize(p.x.size());
    predicted.x_low.resize(p.x.size());
    parallel_for(p.size(), kParticleGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            Vec3 x = p.x[i], low = p.x_low[i];
            p.x_prev[i] = x;
            p.x_prev_low[i] = low;
            add_compensated(h * p.v[i], x, low);
            p.x[i] = predicted.x[i] = x;
            p.x_low[i] = predicted.x_low[i] = low;
        }
    });
}

void update_velocities(Real h, const Predicted& predicted, Particles& p)
{
    const Real rate = 1 / h;
    parallel_for(p.size(), kParticleGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            const Vec3 moved = (p.x[i] - predicted.x[i]) + (p.x_low[i] - predicted.x_low[i]);
            if (p.inv_mass[i] > 0) p.v[i] += rate * moved;
        }
    });
}

}  // namespace pliant
