#include "pliant/geometry/nearest_point.h"

#include <algorithm>
#include <limits>

namespace pliant {

double nearest_on_segment(const Vec3d& p, const Vec3d& a, const Vec3d& b)
{
    const Vec3d along = b - a;
    const double length2 = along.squared_norm();
    return length2 > 0 ? std::clamp((p - a).dot(along) / length2, 0.0, 1.0) : 0;
}

Vec3d blend(const std::array<double, 3>& weights, const std::array<Vec3d, 3>& corners)
{
    return weights[0] * corners[0] + weights[1] * corners[1] + weights[2] * corners[2];
}

std::array<double, 3> nearest_on_triangle(const Vec3d& p, const std::array<Vec3d, 3>& corners)
{
    const Vec3d u = corners[1] - corners[0], v = corners[2] - corners[0], d = p - corners[0];
    const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), du = d.dot(u), dv = d.dot(v);
    const double area = uu * vv - uv * uv;
    if (area > 1e-12 * uu * vv) {
        const double s = (vv * du - uv * dv) / area, t = (uu * dv - uv * du) / area;
        if (s >= 0 && t >= 0 && s + t <= 1) return {1 - s - t, s, t};
    }
    std::array<double, 3> nearest{1, 0, 0};
    double least = std::numeric_limits<double>::max();
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t l = (k + 1) % 3;
        std::array<double, 3> weights{};
        weights[l] = nearest_on_segment(p, corners[k], corners[l]);
        weights[k] = 1 - weights[l];
        const double distance = (blend(weights, corners) - p).squared_norm();
        if (distance >= least) continue;
        least = distance;
        nearest = weights;
    }
    return nearest;
}

}  // namespace pliant
