#include "pliant/world/queries.h"

#include "pliant/contact/colliders/colliders.h"
#include "pliant/geometry/nearest_point.h"
#include "pliant/world/current_surface.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

struct Ray {
    Vec3d origin, direction;  // of unit length
    double reach;             // [m]

    Vec3d at(double distance) const { return origin + distance * direction; }
};

/// Where a ray passes through a triangle, from either side; beyond its reach for nowhere [Moeller and Trumbore 1997].
double distance_to_triangle(const Ray& ray, const Vec3d& a, const Vec3d& b, const Vec3d& c)
{
    const double nowhere = std::numeric_limits<double>::infinity();
    const Vec3d e1 = b - a, e2 = c - a, p = ray.direction.cross(e2);
    const double det = e1.dot(p);
    if (det == 0) return nowhere;
    const Vec3d s = ray.origin - a, q = s.cross(e1);
    const double u = s.dot(p) / det, v = ray.direction.dot(q) / det, t = e2.dot(q) / det;
    return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 ? t : nowhere;
}

/// Goes along a ray by the distance to something until it is there: sphere tracing. `distance_at` never says more than
/// there is.
template <class DistanceAt>
double march(const Ray& ray, double reach, const DistanceAt& distance_at)
{
    constexpr int kMostSteps = 256;
    double way = 0;
    for (int step = 0; step < kMostSteps && way <= reach; ++step) {
        const double distance = distance_at(ray.at(way));
        const double near = 1e-5 * std::max(1e-3, way);
        if (distance < near) return way;
        way += distance;
    }
    return std::numeric_limits<double>::infinity();
}

double distance_to_tube(const Vec3d& p, const Vec3d& a, const Vec3d& b, double radius)
{
    const double s = nearest_on_segment(p, a, b);
    return (p - (a + s * (b - a))).norm() - radius;
}

class RayCaster {
  public:
    RayCaster(const World& world, const Ray& ray) : world_(world), ray_(ray), nearest_(ray.reach) {}

    template <class Body>
    void meet(Id<Body> id, const CurrentSurface& surface)
    {
        for (const auto& t : surface.triangles) meet_triangle(id, surface, t);
        for (const CurrentSurface::Tube& tube : surface.tubes) meet_tube(id, surface, tube);
    }

    void meet(ColliderId id)
    {
        const Collider& collider = get(world_, id);
        const PlacedCollider placed = place_collider(collider, world_.time, world_.time);
        const auto at = [&](const Vec3d& p) { return nearest_surface(placed.shape, placed.pose, p.cast<Real>()); };
        const double t = march(ray_, nearest_, [&](const Vec3d& p) { return static_cast<double>(at(p).distance); });
        if (t < nearest_) take(id, t, at(ray_.at(t)).normal.cast<double>(), -1);
    }

    std::optional<RayHit> hit() const { return hit_; }

  private:
    void meet_triangle(const BodyRef& body, const CurrentSurface& surface, const std::array<int, 3>& t)
    {
        const Vec3d &a = surface.points[t[0]], &b = surface.points[t[1]], &c = surface.points[t[2]];
        const double distance = distance_to_triangle(ray_, a, b, c);
        if (!(distance < nearest_)) return;
        int corner = t[0];
        for (const int i : t)
            if ((surface.points[i] - ray_.at(distance)).norm() < (surface.points[corner] - ray_.at(distance)).norm())
                corner = i;
        take(body, distance, (b - a).cross(c - a), surface.particle_at.empty() ? -1 : surface.particle_at[corner]);
    }
    void meet_tube(const BodyRef& body, const CurrentSurface& surface, const CurrentSurface::Tube& tube)
    {
        const Vec3d &a = surface.points[tube.a], &b = surface.points[tube.b];
        const double distance =
            march(ray_, nearest_, [&](const Vec3d& p) { return distance_to_tube(p, a, b, surface.radius); });
        if (!(distance < nearest_)) return;
        const Vec3d p = ray_.at(distance);
        const double s = nearest_on_segment(p, a, b);
        take(body, distance, p - (a + s * (b - a)), surface.particle_at[s < 0.5 ? tube.a : tube.b]);
    }
    void take(const BodyRef& body, double distance, const Vec3d& across, int particle)
    {
        nearest_ = distance;
        const Vec3d n = across.norm() > 0 ? across.normalized() : -ray_.direction;
        hit_ = RayHit{body, ray_.at(distance).cast<Real>(), (n.dot(ray_.direction) > 0 ? -n : n).cast<Real>(),
                      static_cast<Real>(distance), particle};
    }

    const World& world_;
    Ray ray_;
    double nearest_;
    std::optional<RayHit> hit_;
};

bool comes_near(const CurrentSurface& surface, const Vec3d& center, double radius)
{
    const auto near = [&](const Vec3d& p) { return (p - center).norm() <= radius; };
    for (const auto& t : surface.triangles) {
        const std::array corners{surface.points[t[0]], surface.points[t[1]], surface.points[t[2]]};
        if (near(blend(nearest_on_triangle(center, corners), corners))) return true;
    }
    return std::ranges::any_of(surface.tubes, [&](const CurrentSurface::Tube& tube) {
        return distance_to_tube(center, surface.points[tube.a], surface.points[tube.b], surface.radius) <= radius;
    });
}

/// Calls visit(id, body) for all bodies.
template <class Visit>
void for_each_id(const World& world, const Visit& visit)
{
    const auto visit_all = [&](const auto& list) {
        for (int i = 0; i < static_cast<int>(list.size()); ++i) visit(list.id_at(i), list[i]);
    };
    std::apply([&](auto... kind) { (visit_all(world.*kind), ...); }, kBodyKinds);
}

}  // namespace

std::optional<RayHit> raycast(const World& world, const Vec3& origin, const Vec3& direction, Real reach)
{
    const Vec3d along = direction.cast<double>();
    if (!(along.norm() > 0) || !std::isfinite(along.norm()))
        throw InputError("raycast: the direction has no length; give for example {0, -1, 0}");
    RayCaster caster(world, {origin.cast<double>(), along.normalized(), static_cast<double>(reach)});
    for_each_id(world, [&](auto id, const auto& body) { caster.meet(id, current_surface(world, body)); });
    for (int i = 0; i < static_cast<int>(world.colliders.size()); ++i) caster.meet(world.colliders.id_at(i));
    return caster.hit();
}

std::vector<BodyRef> overlap(const World& world, const Vec3& center, Real radius)
{
    std::vector<BodyRef> found;
    const auto at = center.cast<double>();
    for_each_id(world, [&](auto id, const auto& body) {
        if (comes_near(current_surface(world, body), at, static_cast<double>(radius))) found.emplace_back(id);
    });
    for (int i = 0; i < static_cast<int>(world.colliders.size()); ++i) {
        const PlacedCollider placed = place_collider(world.colliders[i], world.time, world.time);
        if (nearest_surface(placed.shape, placed.pose, center).distance <= radius)
            found.emplace_back(world.colliders.id_at(i));
    }
    return found;
}

std::string name_of(const World& world, const BodyRef& body)
{
    return std::visit(
        [&](auto id) {
            const auto* found = list_of(world, id).find(id);
            return found == nullptr ? std::string() : found->name;
        },
        body);
}

}  // namespace pliant
