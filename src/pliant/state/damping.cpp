#include "pliant/state/damping.h"

#include "pliant/base/parallel.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr int kChunk = 4096;  // particles per partial sum: fixed, so that sums do not depend on threads

/// Mass, moments and momenta relative to a point of the body.
void sum_chunk(const Particles& p, Range chunk, const Vec3d& origin, MotionSum& sum)
{
    sum = {};
    for (int i = chunk.first; i < chunk.end(); ++i) {
        const auto m = static_cast<double>(p.mass[i]);
        add_motion(m, p.x[i].cast<double>() - origin, p.v[i].cast<double>(), sum);
    }
}

}  // namespace

void add(const MotionSum& part, MotionSum& sum)
{
    sum.mass += part.mass;
    sum.moment += part.moment;
    sum.momentum += part.momentum;
    sum.angular += part.angular;
    sum.second += part.second;
}

void add_motion(double m, const Vec3d& x, const Vec3d& v, MotionSum& sum)
{
    sum.mass += m;
    sum.moment += m * x;
    sum.momentum += m * v;
    sum.angular += m * x.cross(v);
    sum.second += Mat3d::outer(m * x, x);
}

RigidVelocity rigid_motion(const MotionSum& sum)
{
    const Vec3d center = sum.moment / sum.mass, velocity = sum.momentum / sum.mass;
    const Mat3d second = sum.second - sum.mass * Mat3d::outer(center, center);
    const Mat3d inertia = second.trace() * Mat3d::identity() - second;
    const Vec3d angular = sum.angular - center.cross(sum.momentum);
    const double mean = inertia.trace() / 3;
    const bool line = !(inertia.determinant() > 1e-12 * mean * mean * mean);  // no inertia about its own axis
    const Vec3d spin = line ? Vec3d{} : inertia.inverse() * angular;
    return {velocity - spin.cross(center), spin};
}

void resize_motion(Range body, std::vector<MotionSum>& motion)
{
    motion.resize(static_cast<std::size_t>((body.count + kChunk - 1) / kChunk));
}

void damp_deformation(Real h, Real rate, Range range, Particles& particles, std::vector<MotionSum>& motion)
{
    if (rate == 0 || range.count == 0) return;
    const int chunks = (range.count + kChunk - 1) / kChunk;
    const Vec3 origin = particles.x[range.first];
    const auto chunk_of = [&](int c) {
        return Range{range.first + c * kChunk, std::min(kChunk, range.count - c * kChunk)};
    };
    parallel_for(chunks, 1, [&](int begin, int end) {
        for (int c = begin; c < end; ++c) sum_chunk(particles, chunk_of(c), origin.cast<double>(), motion[c]);
    });
    MotionSum total;
    for (int c = 0; c < chunks; ++c) add(motion[c], total);
    const RigidVelocity rigid = rigid_motion(total);
    const Vec3 base = rigid.base.cast<Real>(), spin = rigid.spin.cast<Real>();

    const Real share = h * rate / (1 + h * rate);
    parallel_for(chunks, 1, [&](int begin, int end) {
        const Range all{chunk_of(begin).first, chunk_of(end - 1).end() - chunk_of(begin).first};
        for (int i = all.first; i < all.end(); ++i) {
            if (particles.inv_mass[i] == 0) continue;
            const Vec3 target = base + spin.cross(particles.x[i] - origin);
            particles.v[i] += share * (target - particles.v[i]);
        }
    });
}

}  // namespace pliant
