#include "pliant/shape/points.h"

#include "pliant/base/parallel.h"
#include "pliant/math/compensated.h"
#include "pliant/shape/balance.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr int kPointGrain = 4096;
constexpr IndexLanes kInOrder{0, 1, 2, 3, 4, 5, 6, 7};

/// x + low - origin, rounded once: accurate to an ulp of the body's size.
template <class S>
PLIANT_INLINE Vector3<S> relative(const Vector3<S>& x, const Vector3<S>& low, const Vector3<S>& origin)
{
    return (x - origin) + low;
}

void load_from(std::span<const Vec3> x, std::span<const Vec3> low, std::span<const Real> inv_mass, const Vec3& origin,
               std::span<Point> points)
{
    const Vector3<Lanes> o = spread(origin);
    parallel_for(static_cast<int>(x.size()), kPointGrain, [&](int begin, int end) {
        int k = begin;
        for (; k + kLanes <= end; k += kLanes) {
            const Vector3<Lanes> p = relative(load_vectors(&x[k]), load_vectors(&low[k]), o);
            scatter({p, load(&inv_mass[k])}, kInOrder.data(), &points[k]);
        }
        for (; k < end; ++k) {
            const Vec3 p = relative(x[k], low[k], origin);
            points[k] = {p.x, p.y, p.z, inv_mass[k]};
        }
    });
}

}  // namespace

void load_points(Range body, const Vec3& origin, const Particles& p, std::span<Point> points)
{
    load_from(body.of(p.x), body.of(p.x_low), body.of(p.inv_mass), origin, points);
}

void load_points_before(Range body, const Vec3& origin, const Particles& p, std::span<Point> points)
{
    load_from(body.of(p.x_prev), body.of(p.x_prev_low), body.of(p.inv_mass), origin, points);
}

namespace {

/// Up to eight particles with their corrections; padding lanes have mass zero.
struct Corrected {
    Vector3<Lanes> x{}, low{}, r{}, dx{};  // r: position at the start of the substep, from the origin
    Lanes mass = 0, w = 0;
};

PLIANT_INLINE Corrected load_corrected(int first, const Vec3& origin, const Point* points, const Particles& p)
{
    const Vector3<Lanes> o = spread(origin);
    const PointLanes to = gather(points, kInOrder.data());
    Corrected c;
    c.x = load_vectors(&p.x[first]);
    c.low = load_vectors(&p.x_low[first]);
    c.r = load_vectors(&p.x_prev[first]) - o;
    c.dx = to.x - relative(c.x, c.low, o);
    c.mass = load(&p.mass[first]);
    c.w = to.w;
    return c;
}

/// The same for fewer than eight particles.
Corrected load_last(int first, int count, const Vec3& origin, const Point* points, const Particles& p)
{
    Corrected c;
    for (int l = 0; l < count; ++l) {
        const int i = first + l;
        set_lane(c.x, l, p.x[i]);
        set_lane(c.low, l, p.x_low[i]);
        set_lane(c.r, l, p.x_prev[i] - origin);
        set_lane(c.dx, l, points[l].position() - relative(p.x[i], p.x_low[i], origin));
        c.mass.set(l, p.mass[i]);
        c.w.set(l, points[l].w);
    }
    return c;
}

MotionSum sum_corrections(Range part, const Vec3& origin, const Point* points, const Particles& p)
{
    CorrectionSum sum;
    int k = 0;
    for (; k + kLanes <= part.count; k += kLanes) {
        const Corrected c = load_corrected(part.first + k, origin, points + k, p);
        sum.add(c.mass, c.r, c.dx);
    }
    if (k < part.count) {
        const Corrected c = load_last(part.first + k, part.count - k, origin, points + k, p);
        sum.add(c.mass, c.r, c.dx);
    }
    return sum.total();
}

/// Moves particles to their points, less a rigid motion. Pinned ones stay.
void move_particles(Range part, const Vec3& origin, const Point* points, const RigidCorrection& rigid, Particles& p)
{
    const Vector3<Lanes> base = spread(rigid.base), spin = spread(rigid.spin);
    const auto move = [&](Corrected& c) {
        const Vector3<Lanes> change = c.dx - (base + spin.cross(c.r));
        add_compensated(select(c.w > Lanes(0), change, Vector3<Lanes>{}), c.x, c.low);
    };
    int k = 0;
    for (; k + kLanes <= part.count; k += kLanes) {
        Corrected c = load_corrected(part.first + k, origin, points + k, p);
        move(c);
        store_vectors(c.x, &p.x[part.first + k]);
        store_vectors(c.low, &p.x_low[part.first + k]);
    }
    if (k == part.count) return;
    Corrected c = load_last(part.first + k, part.count - k, origin, points + k, p);
    move(c);
    for (int l = 0; k + l < part.count; ++l) {
        p.x[part.first + k + l] = lane(c.x, l);
        p.x_low[part.first + k + l] = lane(c.low, l);
    }
}

Range chunk_of(Range part, int c)
{
    return {part.first + c * kBalanceChunk, std::min(kBalanceChunk, part.count - c * kBalanceChunk)};
}

void move_chunks(Range part, const Vec3& origin, std::span<const Point> points, const RigidCorrection& rigid,
                 Particles& particles)
{
    const int chunks = (part.count + kBalanceChunk - 1) / kBalanceChunk;
    parallel_for(chunks, 1, [&](int begin, int end) {
        for (int c = begin; c < end; ++c)
            move_particles(chunk_of(part, c), origin, &points[c * kBalanceChunk], rigid, particles);
    });
}

}  // namespace

void store_points(Range body, const Vec3& origin, std::span<const Point> points, Particles& particles)
{
    move_chunks(body, origin, points, {}, particles);
}

void store_internal(Range part, const Vec3& origin, std::span<const Point> points, Particles& particles,
                    std::span<MotionSum> motion)
{
    if (any_pinned(part, particles)) return store_points(part, origin, points, particles);
    const int chunks = (part.count + kBalanceChunk - 1) / kBalanceChunk;
    MotionSum one;
    const std::span<MotionSum> parts =
        chunks == 1 ? std::span(&one, 1) : motion.first(static_cast<std::size_t>(chunks));
    parallel_for(chunks, 1, [&](int begin, int end) {
        for (int c = begin; c < end; ++c)
            parts[c] = sum_corrections(chunk_of(part, c), origin, &points[c * kBalanceChunk], particles);
    });
    move_chunks(part, origin, points, rigid_correction(parts), particles);
}

}  // namespace pliant
