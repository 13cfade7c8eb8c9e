#include "pliant/geometry/ray.h"

#include <algorithm>
#include <cmath>

namespace pliant {

double distance_to_triangle(const Ray& ray, const Vec3d& a, const Vec3d& b, const Vec3d& c)
{
    const Vec3d e1 = b - a, e2 = c - a, p = ray.direction.cross(e2);
    const double det = e1.dot(p);
    if (det == 0) return kNoHit;
    const Vec3d s = ray.origin - a, q = s.cross(e1);
    const double u = s.dot(p) / det, v = ray.direction.dot(q) / det, t = e2.dot(q) / det;
    return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 ? t : kNoHit;
}

bool may_hit(const Ray& ray, const Box3& box, double margin)
{
    const double grown = margin + hit_tolerance((box.center() - ray.origin).norm() + box.extent().norm());
    double enters = 0, leaves = ray.reach;
    for (int axis = 0; axis < 3; ++axis) {
        const double low = box.low[axis] - grown - ray.origin[axis], high = box.high[axis] + grown - ray.origin[axis];
        const double slope = ray.direction[axis];
        if (slope == 0) {
            if (low > 0 || high < 0) return false;
            continue;
        }
        enters = std::max(enters, std::min(low / slope, high / slope));
        leaves = std::min(leaves, std::max(low / slope, high / slope));
    }
    return enters <= leaves;
}

bool may_hit(const Ray& ray, const Vec3d& center, double radius)
{
    const Vec3d offset = center - ray.origin;
    const double along = std::clamp(offset.dot(ray.direction), 0.0, ray.reach);
    return (offset - along * ray.direction).norm() <= radius + hit_tolerance(offset.norm() + radius);
}

}  // namespace pliant
