#pragma once
// The particles of a body in the layout for a pass over it: position and inverse mass side by side, so that one load
// fetches a particle, and eight loads and a transposition gather eight from anywhere.

#include "pliant/math/lanes.h"
#include "pliant/state/damping.h"
#include "pliant/state/particles.h"

#include <span>
#include <vector>

namespace pliant {

struct alignas(4 * sizeof(Real)) Point {
    Real x = 0, y = 0, z = 0;
    Real w = 0;  // inverse mass [1/kg]

    Vec3 position() const { return {x, y, z}; }
};

struct PointLanes {
    Vector3<Lanes> x;
    Lanes w;
};

namespace detail {
typedef Real Quad __attribute__((vector_size(4 * sizeof(Real))));

PLIANT_INLINE Quad load_quad(const Point& point)
{
    Quad q;
    std::memcpy(&q, &point, sizeof q);
    return q;
}
PLIANT_INLINE void store_quad(const Quad& q, Point& point) { std::memcpy(static_cast<void*>(&point), &q, sizeof q); }
PLIANT_INLINE Lanes::Vector join(const Quad& low, const Quad& high)
{
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}
}  // namespace detail

/// points[index[0]], ..., points[index[7]].
PLIANT_INLINE PointLanes gather(const Point* points, const int* index)
{
    const auto a = detail::join(detail::load_quad(points[index[0]]), detail::load_quad(points[index[4]]));
    const auto b = detail::join(detail::load_quad(points[index[1]]), detail::load_quad(points[index[5]]));
    const auto c = detail::join(detail::load_quad(points[index[2]]), detail::load_quad(points[index[6]]));
    const auto d = detail::join(detail::load_quad(points[index[3]]), detail::load_quad(points[index[7]]));
    const auto xy_ab = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13);
    const auto zw_ab = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15);
    const auto xy_cd = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13);
    const auto zw_cd = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
    return {{Lanes(__builtin_shufflevector(xy_ab, xy_cd, 0, 1, 8, 9, 4, 5, 12, 13)),
             Lanes(__builtin_shufflevector(xy_ab, xy_cd, 2, 3, 10, 11, 6, 7, 14, 15)),
             Lanes(__builtin_shufflevector(zw_ab, zw_cd, 0, 1, 8, 9, 4, 5, 12, 13))},
            Lanes(__builtin_shufflevector(zw_ab, zw_cd, 2, 3, 10, 11, 6, 7, 14, 15))};
}

/// points[index[l]] = lane l; an index may appear twice only with equal values.
PLIANT_INLINE void scatter(const PointLanes& p, const int* index, Point* points)
{
    const auto xy_ab = __builtin_shufflevector(p.x.x.v, p.x.y.v, 0, 8, 1, 9, 4, 12, 5, 13);
    const auto xy_cd = __builtin_shufflevector(p.x.x.v, p.x.y.v, 2, 10, 3, 11, 6, 14, 7, 15);
    const auto zw_ab = __builtin_shufflevector(p.x.z.v, p.w.v, 0, 8, 1, 9, 4, 12, 5, 13);
    const auto zw_cd = __builtin_shufflevector(p.x.z.v, p.w.v, 2, 10, 3, 11, 6, 14, 7, 15);
    const auto a = __builtin_shufflevector(xy_ab, zw_ab, 0, 1, 8, 9, 4, 5, 12, 13);
    const auto b = __builtin_shufflevector(xy_ab, zw_ab, 2, 3, 10, 11, 6, 7, 14, 15);
    const auto c = __builtin_shufflevector(xy_cd, zw_cd, 0, 1, 8, 9, 4, 5, 12, 13);
    const auto d = __builtin_shufflevector(xy_cd, zw_cd, 2, 3, 10, 11, 6, 7, 14, 15);
    detail::store_quad(__builtin_shufflevector(a, a, 0, 1, 2, 3), points[index[0]]);
    detail::store_quad(__builtin_shufflevector(b, b, 0, 1, 2, 3), points[index[1]]);
    detail::store_quad(__builtin_shufflevector(c, c, 0, 1, 2, 3), points[index[2]]);
    detail::store_quad(__builtin_shufflevector(d, d, 0, 1, 2, 3), points[index[3]]);
    detail::store_quad(__builtin_shufflevector(a, a, 4, 5, 6, 7), points[index[4]]);
    detail::store_quad(__builtin_shufflevector(b, b, 4, 5, 6, 7), points[index[5]]);
    detail::store_quad(__builtin_shufflevector(c, c, 4, 5, 6, 7), points[index[6]]);
    detail::store_quad(__builtin_shufflevector(d, d, 4, 5, 6, 7), points[index[7]]);
}

/// Eight indices of particles of a body. The index of a padding lane is behind the last particle, a different one for
/// each group (see padding_of_group), so that no two threads write to the same point.
using IndexLanes = std::array<int, kLanes>;

/// Index for the padding lanes of a group: a point whose inverse mass is zero.
inline int padding_of_group(int particles, int group) { return particles + group; }

/// The particles of a body, relative to `origin`, which is near them, so that no precision is lost far from the world's
/// origin: their current positions, and those at the start of the substep.
void load_points(Range body, const Vec3& origin, const Particles& particles, std::span<Point> points);
void load_points_before(Range body, const Vec3& origin, const Particles& particles, std::span<Point> points);

/// Moves the particles that are not pinned by as much as their points have moved since they were loaded.
void store_points(Range body, const Vec3& origin, std::span<const Point> points, Particles& particles);

/// The same for corrections by constraints among some particles of a body: restores the momenta of these particles, if
/// none of them is pinned (shape/balance.h). `motion` is scratch, sized by resize_motion, and may be empty for up to
/// kBalanceChunk particles; `points` are those of the particles.
void store_internal(Range part, const Vec3& origin, std::span<const Point> points, Particles& particles,
                    std::span<MotionSum> motion);

}  // namespace pliant
