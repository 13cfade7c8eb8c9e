#include "pliant/shape/balance.h"

#include <algorithm>

namespace pliant {

namespace {

double total_of(const Lanes& a)
{
    double sum = 0;
    for (int l = 0; l < kLanes; ++l) sum += static_cast<double>(a[l]);
    return sum;
}
Vec3d total_of(const Vector3<Lanes>& a) { return {total_of(a.x), total_of(a.y), total_of(a.z)}; }

/// Positions relative to the first particle, and masses, of a block; padding lanes have mass zero.
struct Arms {
    Vector3<Lanes> r{};
    Lanes mass = 0;

    PLIANT_INLINE Arms(const Clusters& clusters, int block, std::span<const Vec3> x, std::span<const Real> masses)
    {
        const int first = block * kLanes, count = lanes_of_block(clusters, block);
        if (count == kLanes) {
            r = load_vectors(&x[first]) - spread(x.front());
            mass = load(&masses[first]);
            return;
        }
        for (int l = 0; l < count; ++l) {
            set_lane(r, l, x[first + l] - x.front());
            mass.set(l, masses[first + l]);
        }
    }
};

}  // namespace

MotionSum CorrectionSum::total() const
{
    const Vec3d d = total_of(diagonal), m = total_of(mixed);
    return {total_of(mass), total_of(moment), total_of(momentum), total_of(angular),
            Mat3d{{{d.x, m.z, m.y}, {m.z, d.y, m.x}, {m.y, m.x, d.z}}}};
}

bool any_pinned(Range part, const Particles& particles)
{
    const std::span<const Real> inv_mass = part.of(particles.inv_mass);
    Lanes least = 1;
    int k = 0;
    for (; k + kLanes <= part.count; k += kLanes) least = min(least, load(&inv_mass[k]));
    bool pinned = any(least <= Lanes(0));
    for (; k < part.count; ++k) pinned = pinned || inv_mass[k] == 0;
    return pinned;
}

RigidCorrection rigid_correction(std::span<const MotionSum> parts)
{
    MotionSum sum;
    for (const MotionSum& part : parts) add(part, sum);
    if (!(sum.mass > 0)) return {};
    const Vec3d center = sum.moment / sum.mass, velocity = sum.momentum / sum.mass;
    const Mat3d second = sum.second - sum.mass * Mat3d::outer(center, center);
    // The sums have seven digits. An inertia below that, such as of a thin rod about its own axis, is noise. Adding a
    // small multiple of the identity suppresses the spin about such an axis, at a relative error as small about the
    // others.
    constexpr double kInertiaRegularisation = 1e-5;
    const Mat3d inertia = (1 + kInertiaRegularisation) * second.trace() * Mat3d::identity() - second;
    const Vec3d angular = sum.angular - center.cross(sum.momentum);
    Vec3d spin = second.trace() > 0 ? inertia.inverse() * angular : Vec3d{};
    // An angular velocity w leaves a rotation of about (w h)^3 rad. A much larger one comes from an impact that has
    // deformed the body within one substep; it is too large to be removed as a linearised rotation.
    constexpr double kMaxSpin = 0.1;  // [rad]
    if (spin.squared_norm() > kMaxSpin * kMaxSpin) spin = kMaxSpin / spin.norm() * spin;
    return {(velocity - spin.cross(center)).cast<Real>(), spin.cast<Real>()};
}

void balance_blocks(const Clusters& clusters, std::span<const Vec3> x, std::span<const Real> mass,
                    std::span<MotionSum> motion, Blocks& changes)
{
    constexpr int kChunk = kBalanceChunk / kLanes;  // blocks
    const int blocks = clusters.blocks(), chunks = (blocks + kChunk - 1) / kChunk;
    parallel_for(chunks, 1, [&](int begin, int end) {
        for (int c = begin; c < end; ++c) {
            CorrectionSum sum;
            for (int b = c * kChunk; b < std::min((c + 1) * kChunk, blocks); ++b) {
                const Arms arms(clusters, b, x, mass);
                sum.add(arms.mass, arms.r, changes[b]);
            }
            motion[c] = sum.total();
        }
    });
    const RigidCorrection rigid = rigid_correction(motion.first(static_cast<std::size_t>(chunks)));
    const Vector3<Lanes> base = spread(rigid.base), spin = spread(rigid.spin);
    parallel_for(blocks, kBlockGrain, [&](int begin, int end) {
        for (int b = begin; b < end; ++b) changes[b] -= base + spin.cross(Arms(clusters, b, x, mass).r);
    });
}

}  // namespace pliant
