#include "pliant/shape/points.h"

#include "pliant/base/parallel.h"
#include "pliant/math/compensated.h"

namespace pliant {

namespace {

constexpr int kPointGrain = 4096;

/// x + low - origin: exact but for the last rounding, to an ulp of the body's size.
Vec3 relative(const Vec3& x, const Vec3& low, const Vec3& origin) { return (x - origin) + low; }

void load_from(std::span<const Vec3> x, std::span<const Vec3> low, std::span<const Real> inv_mass, const Vec3& origin,
               std::span<Point> points)
{
    parallel_for(static_cast<int>(x.size()), kPointGrain, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
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

void store_points(Range body, const Vec3& origin, std::span<const Point> points, Particles& particles)
{
    parallel_for(body.count, kPointGrain, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            const int i = body.first + k;
            if (particles.inv_mass[i] == 0) continue;
            Vec3 &x = particles.x[i], &low = particles.x_low[i];
            add_compensated(points[k].position() - relative(x, low, origin), x, low);
        }
    });
}

}  // namespace pliant
