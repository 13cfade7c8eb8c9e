#include "pliant/contact/colliders/stop_bodies.h"

#include "pliant/geometry/separation.h"
#include "pliant/geometry/support.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr Real kFastShare = Real(0.25);  // of the body's extent

/// The particles of a body without ghosts, as a collider sees them at the start of a substep and at its end.
struct SeenBody {
    std::vector<Vec3d> start, now;
    double radius = 0;  // the largest [m]
};

SeenBody seen_by(const PlacedCollider& collider, const ColliderFeatures::Body& body, const Particles& p)
{
    const ShapePose before{collider.pose.rotation_prev, collider.pose.position_prev};
    SeenBody seen;
    for (int i = body.first; i <= body.last; ++i) {
        if (p.is_ghost(i)) continue;
        seen.start.push_back(before.to_shape(p.x_prev[i]).cast<double>());
        seen.now.push_back(collider.pose.to_shape(p.x[i]).cast<double>());
        seen.radius = std::max(seen.radius, static_cast<double>(p.radius[i]));
    }
    return seen;
}

double lowest_along(std::span<const Vec3d> points, const Vec3d& n)
{
    double least = std::numeric_limits<double>::infinity();
    for (const Vec3d& x : points) least = std::min(least, n.dot(x));
    return least;
}

bool is_fast(const ColliderFeatures::Body& body, const Particles& p)
{
    const Vec3 moved = p.x[body.first] - p.x_prev[body.first];
    if (moved.squared_norm() == 0) return false;
    Vec3 low = p.x_prev[body.first], high = low;
    for (int i = body.first; i <= body.last; ++i) {
        if (p.inv_mass[i] == 0) return false;
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], p.x_prev[i][k]);
            high[k] = std::max(high[k], p.x_prev[i][k]);
        }
        // most bodies are slow: seen at the first particles
        if ((high - low).squared_norm() * kFastShare * kFastShare > moved.squared_norm()) return false;
    }
    return true;
}

void stop(const PlacedCollider& collider, const ColliderFeatures::Body& body, Particles& p)
{
    const SeenBody seen = seen_by(collider, body, p);
    std::vector<Vec3d> all = seen.start;
    all.insert(all.end(), seen.now.begin(), seen.now.end());
    if (separate_hull(all, collider.shape).clearance >= seen.radius) return;
    const SeparatingPlane start = separate_hull(seen.start, collider.shape);
    if (!start) return;
    const double left = lowest_along(seen.now, start.n) - support_of(collider.shape, start.n);
    const double wanted = std::min(seen.radius, start.clearance);
    if (left >= wanted) return;
    const Vec3 shift = static_cast<Real>(wanted - left) * (collider.pose.rotation * start.n.cast<Real>());
    for (int i = body.first; i <= body.last; ++i) p.x[i] += shift;
}

}  // namespace

void stop_bodies_at_colliders(const ColliderFeatures& features, std::span<const PlacedCollider> colliders,
                              const ContactSurface& surface, Particles& particles)
{
    for (const ColliderFeatures::Body& body : features.bodies) {
        if (surface.is_carried(body.first) || !is_fast(body, particles)) continue;
        for (const PlacedCollider& collider : colliders)
            if (has_support(collider.shape)) stop(collider, body, particles);
    }
}

}  // namespace pliant
