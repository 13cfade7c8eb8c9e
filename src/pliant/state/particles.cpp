#include "pliant/state/particles.h"

#include "pliant/base/check.h"
#include "pliant/base/hash.h"

namespace pliant {

namespace {

template <class T>
void erase_range(std::vector<T>& values, Range range)
{
    values.erase(values.begin() + range.first, values.begin() + range.end());
}

}  // namespace

Range Particles::append(std::span<const Vec3d> positions, std::span<const double> masses, Real contact_radius)
{
    const Range range = append(static_cast<int>(positions.size()));
    for (int k = 0; k < range.count; ++k) {
        const int i = range.first + k;
        put(i, positions[k].cast<Real>());
        mass[i] = static_cast<Real>(masses[k]);
        inv_mass[i] = static_cast<Real>(1 / masses[k]);
        radius[i] = contact_radius;
    }
    return range;
}

Range Particles::append(int count)
{
    const Range range{size(), count};
    const auto n = static_cast<std::size_t>(range.end());
    x.resize(n);
    x_low.resize(n);
    x_prev.resize(n);
    x_prev_low.resize(n);
    v.resize(n);
    mass.resize(n, 1);
    inv_mass.resize(n, 1);
    radius.resize(n, 0);
    return range;
}

void Particles::erase(Range range)
{
    PLIANT_ASSERT(range.first >= 0 && range.count >= 0 && range.end() <= size());
    erase_range(x, range);
    erase_range(x_low, range);
    erase_range(x_prev, range);
    erase_range(x_prev_low, range);
    erase_range(v, range);
    erase_range(mass, range);
    erase_range(inv_mass, range);
    erase_range(radius, range);
}

std::uint64_t hash_state(const Particles& particles)
{
    Hash64 hash;
    hash.add(std::span<const Vec3>(particles.x));
    hash.add(std::span<const Vec3>(particles.x_low));
    hash.add(std::span<const Vec3>(particles.v));
    return hash.value();
}

}  // namespace pliant
