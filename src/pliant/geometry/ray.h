#pragma once
// Rays against triangles, boxes and whatever tells its distance.

#include "pliant/geometry/mesh.h"

#include <limits>

namespace pliant {

struct Ray {
    Vec3d origin, direction;  // of unit length
    double reach;             // [m]

    Vec3d at(double distance) const { return origin + distance * direction; }
};

/// What is returned for a ray that meets nothing.
inline constexpr double kNoHit = std::numeric_limits<double>::infinity();

/// How close a ray comes to count as a hit, `way` metres from its origin [m].
inline double hit_tolerance(double way) { return 1e-5 * std::max(1e-3, way); }

/// Where a ray passes through a triangle, from either side [m]; kNoHit if it does not [Moeller and Trumbore 1997].
double distance_to_triangle(const Ray& ray, const Vec3d& a, const Vec3d& b, const Vec3d& c);

/// Whether a ray comes within `margin` and the tolerance of a box before its reach. Never false for a ray that meets
/// something inside.
bool may_hit(const Ray& ray, const Box3& box, double margin);

/// The same for a ball.
bool may_hit(const Ray& ray, const Vec3d& center, double radius);

/// Sphere tracing: goes along a ray by the distance to a surface until it is there [m]; kNoHit if it is not met before `reach`.
/// `distance_at(point)` must not exceed the true distance.
template <class DistanceAt>
double march(const Ray& ray, double reach, const DistanceAt& distance_at)
{
    constexpr int kMaxSteps = 256;
    double way = 0;
    for (int step = 0; step < kMaxSteps && way <= reach; ++step) {
        const double distance = distance_at(ray.at(way));
        if (distance < hit_tolerance(way)) return way;
        way += distance;
    }
    return kNoHit;
}

}  // namespace pliant
