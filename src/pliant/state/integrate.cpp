#include "pliant/state/integrate.h"

#include "pliant/base/parallel.h"
#include "pliant/math/compensated.h"
#include "pliant/math/lanes.h"

#include <cstring>

namespace pliant {

namespace {

constexpr int kParticleGrain = 4096;

void predict_one(Real h, int i, Particles& p, Predicted& predicted)
{
    p.x_prev[i] = p.x[i];
    p.x_prev_low[i] = p.x_low[i];
    add_compensated(h * p.v[i], p.x[i], p.x_low[i]);
    predicted.x[i] = p.x[i];
    predicted.x_low[i] = p.x_low[i];
}

/// Eight vectors are 24 scalars, which are processed as three packs of eight.
PLIANT_INLINE Lanes load_pack(const std::vector<Vec3>& values, int first, int pack)
{
    Lanes::Vector v;
    std::memcpy(&v, reinterpret_cast<const char*>(&values[first]) + pack * static_cast<int>(sizeof v), sizeof v);
    return v;
}
PLIANT_INLINE void store_pack(const Lanes& a, int first, int pack, std::vector<Vec3>& values)
{
    std::memcpy(reinterpret_cast<char*>(&values[first]) + pack * static_cast<int>(sizeof a.v), &a.v, sizeof a.v);
}

PLIANT_INLINE void predict_eight(const Lanes& h, int i, Particles& p, Predicted& predicted)
{
    for (int pack = 0; pack < 3; ++pack) {
        Lanes x = load_pack(p.x, i, pack), low = load_pack(p.x_low, i, pack);
        store_pack(x, i, pack, p.x_prev);
        store_pack(low, i, pack, p.x_prev_low);
        add_compensated(h * load_pack(p.v, i, pack), x, low);
        store_pack(x, i, pack, p.x);
        store_pack(x, i, pack, predicted.x);
        store_pack(low, i, pack, p.x_low);
        store_pack(low, i, pack, predicted.x_low);
    }
}

}  // namespace

void predict(Real h, Particles& p, Predicted& predicted)
{
    predicted.x.resize(p.x.size());
    predicted.x_low.resize(p.x.size());
    parallel_for(p.size(), kParticleGrain, [&](int begin, int end) {
        int i = begin;
        for (; i + kLanes <= end; i += kLanes) predict_eight(h, i, p, predicted);
        for (; i < end; ++i) predict_one(h, i, p, predicted);
    });
}

void update_velocities(Real h, const Predicted& predicted, Particles& p)
{
    const Real rate = 1 / h;
    parallel_for(p.size(), kParticleGrain, [&](int begin, int end) {
        int i = begin;
        for (; i + kLanes <= end; i += kLanes) {
            const Vector3<Lanes> moved = (load_vectors(&p.x[i]) - load_vectors(&predicted.x[i])) +
                                         (load_vectors(&p.x_low[i]) - load_vectors(&predicted.x_low[i]));
            const Vector3<Lanes> v = load_vectors(&p.v[i]);
            store_vectors(select(load(&p.inv_mass[i]) > Lanes(0), v + Lanes(rate) * moved, v), &p.v[i]);
        }
        for (; i < end; ++i) {
            const Vec3 moved = (p.x[i] - predicted.x[i]) + (p.x_low[i] - predicted.x_low[i]);
            if (p.inv_mass[i] > 0) p.v[i] += rate * moved;
        }
    });
}

}  // namespace pliant
