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

/// The nearest point of the axis of a tube.
Vec3d nearest_on_axis(const Vec3d& p, const Vec3d& a, const Vec3d& b)
{
    return a + nearest_on_segment(p, a, b) * (b - a);
}

class RayCaster {
  public:
    explicit RayCaster(const Ray& ray) : ray_(ray), nearest_(ray.reach) {}

    void meet(const BodyRef& body, const CurrentSurface& surface)
    {
        const auto at = [&](int i) { return surface.points[i].cast<double>(); };
        for (const auto& [a, b, c] : surface.triangles) {
            const double distance = distance_to_triangle(ray_, at(a), at(b), at(c));
            if (distance < nearest_) take(body, distance, (at(b) - at(a)).cross(at(c) - at(a)));
        }
        for (const auto& [a, b] : surface.tubes) {
            const auto from_axis = [&](const Vec3d& p) { return p - nearest_on_axis(p, at(a), at(b)); };
            const double distance = march(ray_, nearest_, [&](const Vec3d& p) {
                return from_axis(p).norm() - static_cast<double>(surface.radius);
            });
            if (distance < nearest_) take(body, distance, from_axis(ray_.at(distance)));
        }
    }

    void meet(const BodyRef& body, const PlacedCollider& collider)
    {
        const auto at = [&](const Vec3d& p) { return nearest_surface(collider.shape, collider.pose, p.cast<Real>()); };
        const double distance =
            march(ray_, nearest_, [&](const Vec3d& p) { return static_cast<double>(at(p).distance); });
        if (distance < nearest_) take(body, distance, at(ray_.at(distance)).normal.cast<double>());
    }

    std::optional<RayHit> hit() const { return hit_; }

  private:
    void take(const BodyRef& body, double distance, const Vec3d& across)
    {
        nearest_ = distance;
        const Vec3d n = across.norm() > 0 ? across.normalized() : -ray_.direction;
        hit_ = RayHit{body, ray_.at(distance).cast<Real>(), (n.dot(ray_.direction) > 0 ? -n : n).cast<Real>(),
                      static_cast<Real>(distance), -1};
    }

    Ray ray_;
    double nearest_;
    std::optional<RayHit> hit_;
};

/// The particle of a body nearest to a point; -1 for what has none.
int nearest_particle(const World& world, const BodyRef& body, const Vec3& point)
{
    const auto find = [&](auto id) {
        int nearest = -1;
        if constexpr (requires { get(world, id).particles; }) {
            const Range range = get(world, id).particles;
            const Particles& p = *world.particles;
            for (int i = 0; i < range.count; ++i) {
                const auto square = [&](int k) { return (p.x[range.first + k] - point).squared_norm(); };
                if (!p.is_ghost(range.first + i) && (nearest < 0 || square(i) < square(nearest))) nearest = i;
            }
        }
        return nearest;
    };
    return std::visit(find, body);
}

bool comes_near(const CurrentSurface& surface, const Vec3d& center, double radius)
{
    const auto at = [&](int i) { return surface.points[i].cast<double>(); };
    const auto near = [&](const Vec3d& p, double reach) { return (p - center).norm() <= reach; };
    for (const auto& [a, b, c] : surface.triangles) {
        const std::array corners{at(a), at(b), at(c)};
        if (near(blend(nearest_on_triangle(center, corners), corners), radius)) return true;
    }
    return std::ranges::any_of(surface.tubes, [&](const std::array<int, 2>& tube) {
        const Vec3d axis = nearest_on_axis(center, at(tube[0]), at(tube[1]));
        return near(axis, radius + static_cast<double>(surface.radius));
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
    RayCaster caster({origin.cast<double>(), along.normalized(), static_cast<double>(reach)});
    for_each_id(world, [&](auto id, const auto& body) { caster.meet(id, current_surface(world, body)); });
    for (int i = 0; i < static_cast<int>(world.colliders.size()); ++i)
        caster.meet(world.colliders.id_at(i), place_collider(world.colliders[i], world.time, world.time));
    std::optional<RayHit> hit = caster.hit();
    if (hit) hit->particle = nearest_particle(world, hit->body, hit->point);
    return hit;
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
