#include "pliant/shape/points.h"

#include "pliant/base/parallel.h"

namespace pliant {

void load_points(std::span<const Vec3> x, std::span<const Real> inv_mass, const Vec3& origin, std::span<Point> points)
{
    parallel_for(static_cast<int>(x.size()), 4096, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            const Vec3 p = x[k] - origin;
            points[k] = {p.x, p.y, p.z, inv_mass[k]};
        }
    });
}

void store_points(Range range, const Vec3& origin, std::span<const Point> points, Particles& particles)
{
    parallel_for(range.count, 4096, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            Vec3& x = particles.x[range.first + k];
            if (particles.inv_mass[range.first + k] > 0) x += points[k].position() - (x - origin);  // rounds once
        }
    });
}

}  // namespace pliant
