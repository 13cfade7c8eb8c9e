#include "pliant/world/queries.h"

#include "pliant/contact/colliders/colliders.h"
#include "pliant/geometry/nearest_point.h"
#include "pliant/geometry/ray.h"
#include "pliant/world/current_surface.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace pliant {

namespace {

/// The nearest point of the axis of a tube.
Vec3d nearest_on_axis(const Vec3d& p, const Vec3d& a, const Vec3d& b)
{
    return a + nearest_on_segment(p, a, b) * (b - a);
}

/// Finds the first surface that a ray hits.
class RayCaster {
  public:
    explicit RayCaster(const Ray& ray) : ray_(ray) {}

    template <class Id, class Body>
    void meet(const World& world, Id id, const Body& body)
    {
        if (!may_hit(ray_, current_bounds(world, body), 0)) return;
        const CurrentSurface surface = current_surface(world, body);
        for (const auto& triangle : surface.triangles) meet_triangle(id, surface.corners(triangle));
        for (const auto& [a, b] : surface.tubes)
            meet_tube(id, surface.at(a), surface.at(b), static_cast<double>(surface.radius));
    }

    void meet(ColliderId id, const PlacedCollider& collider)
    {
        if (collider.shape.kind == Shape::Kind::mesh) {
            meet_mesh(id, collider.shape.mesh->surface, collider.pose);
            return;
        }
        const auto at = [&](const Vec3d& p) { return nearest_surface(collider.shape, collider.pose, p.cast<Real>()); };
        const double distance =
            march(ray_, ray_.reach, [&](const Vec3d& p) { return static_cast<double>(at(p).distance); });
        if (distance < ray_.reach) take(id, distance, at(ray_.at(distance)).normal.cast<double>());
    }

    std::optional<RayHit> hit() const { return hit_; }

  private:
    void meet_triangle(const BodyRef& body, const std::array<Vec3d, 3>& corner)
    {
        const auto& [a, b, c] = corner;
        const double distance = distance_to_triangle(ray_, a, b, c);
        if (distance < ray_.reach) take(body, distance, (b - a).cross(c - a));
    }
    void meet_tube(const BodyRef& body, const Vec3d& a, const Vec3d& b, double radius)
    {
        if (!may_hit(ray_, 0.5 * (a + b), 0.5 * (b - a).norm() + radius)) return;
        const auto from_axis = [&](const Vec3d& p) { return p - nearest_on_axis(p, a, b); };
        const double distance = march(ray_, ray_.reach, [&](const Vec3d& p) { return from_axis(p).norm() - radius; });
        if (distance < ray_.reach) take(body, distance, from_axis(ray_.at(distance)));
    }
    /// Tests the triangles: the distance field is too coarse for sphere tracing past thin parts.
    void meet_mesh(const BodyRef& body, const SurfaceMesh& mesh, const ShapePose& pose)
    {
        const Mat3d rotation = pose.rotation.cast<double>();
        const Vec3d position = pose.position.cast<double>();
        const Ray local{rotation.transposed() * (ray_.origin - position), rotation.transposed() * ray_.direction,
                        ray_.reach};
        if (!may_hit(local, bounding_box(mesh.vertices), 0)) return;
        for (const auto& [a, b, c] : mesh.triangles) {
            const Vec3d &p = mesh.vertices[a], &q = mesh.vertices[b], &r = mesh.vertices[c];
            const double distance = distance_to_triangle(local, p, q, r);
            if (distance < ray_.reach) take(body, distance, rotation * (q - p).cross(r - p));
        }
    }

    /// Records a hit that is nearer than all before.
    void take(const BodyRef& body, double distance, const Vec3d& across)
    {
        ray_.reach = distance;
        const Vec3d n = across.norm() > 0 ? across.normalized() : -ray_.direction;
        hit_ = RayHit{body, ray_.at(distance).cast<Real>(), (n.dot(ray_.direction) > 0 ? -n : n).cast<Real>(),
                      static_cast<Real>(distance), -1};
    }

    Ray ray_;  // its reach is the distance of the first hit so far
    std::optional<RayHit> hit_;
};

/// The particle of a body nearest to a point; -1 if it has no particles.
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

double distance_to_box(const Box3& box, const Vec3d& p)
{
    Vec3d outside;
    for (int axis = 0; axis < 3; ++axis)
        outside[axis] = std::max({box.low[axis] - p[axis], p[axis] - box.high[axis], 0.0});
    return outside.norm();
}

/// Winding number of a closed surface around a point, from the solid angles of its triangles [van Oosterom and Strackee
/// 1983].
double winding_number(const CurrentSurface& surface, const Vec3d& p)
{
    double angle = 0;
    for (const auto& triangle : surface.triangles) {
        const auto corner = surface.corners(triangle);
        const Vec3d a = corner[0] - p, b = corner[1] - p, c = corner[2] - p;
        const double la = a.norm(), lb = b.norm(), lc = c.norm();
        angle += std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return angle / (2 * std::acos(-1.0));
}

bool comes_near(const CurrentSurface& surface, const Vec3d& center, double radius)
{
    const auto near = [&](const Vec3d& p, double reach) { return (p - center).norm() <= reach; };
    for (const auto& triangle : surface.triangles) {
        const auto corners = surface.corners(triangle);
        if (near(blend(nearest_on_triangle(center, corners), corners), radius)) return true;
    }
    return std::ranges::any_of(surface.tubes, [&](const std::array<int, 2>& tube) {
        const Vec3d axis = nearest_on_axis(center, surface.at(tube[0]), surface.at(tube[1]));
        return near(axis, radius + static_cast<double>(surface.radius));
    });
}

template <class Body>
bool overlaps(const World& world, const Body& body, const Vec3d& center, double radius)
{
    if (distance_to_box(current_bounds(world, body), center) > radius) return false;
    const CurrentSurface surface = current_surface(world, body);
    if (comes_near(surface, center, radius)) return true;
    constexpr bool kHasInside = std::is_same_v<Body, Solid> || std::is_same_v<Body, Rigid>;
    return kHasInside && std::abs(winding_number(surface, center)) > 0.5;
}

/// The triangles of a mesh in the world.
CurrentSurface current_surface(const SurfaceMesh& mesh, const ShapePose& pose)
{
    CurrentSurface out;
    for (const Vec3d& vertex : mesh.vertices) out.points.push_back(pose.to_world(vertex.cast<Real>()));
    out.triangles = mesh.triangles;
    return out;
}

bool overlaps(const PlacedCollider& collider, const Vec3& center, Real radius)
{
    const Real distance = nearest_surface(collider.shape, collider.pose, center).distance;
    if (collider.shape.kind != Shape::Kind::mesh) return distance <= radius;
    return distance < 0 || comes_near(current_surface(collider.shape.mesh->surface, collider.pose),
                                      center.cast<double>(), static_cast<double>(radius));
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
    const Vec3d along = direction.cast<double>(), from = origin.cast<double>();
    if (!(along.norm() > 0) || !std::isfinite(along.norm()))
        throw InputError("raycast: the direction is zero; give for example {0, -1, 0}");
    if (!std::isfinite(from.norm())) throw InputError("raycast: the origin is not finite");
    if (!(reach >= 0)) throw InputError("raycast: the reach must be 0 or more");
    RayCaster caster({from, along.normalized(), static_cast<double>(reach)});
    for_each_id(world, [&](auto id, const auto& body) { caster.meet(world, id, body); });
    for (int i = 0; i < static_cast<int>(world.colliders.size()); ++i)
        caster.meet(world.colliders.id_at(i), place_collider(world.colliders[i], world.time, world.time));
    std::optional<RayHit> hit = caster.hit();
    if (hit) hit->particle = nearest_particle(world, hit->body, hit->point);
    return hit;
}

std::vector<BodyRef> overlap(const World& world, const Vec3& center, Real radius)
{
    const Vec3d at = center.cast<double>();
    if (!std::isfinite(at.norm())) throw InputError("overlap: the centre is not finite");
    if (!(radius >= 0)) throw InputError("overlap: the radius must be 0 or more");
    std::vector<BodyRef> found;
    for_each_id(world, [&](auto id, const auto& body) {
        if (overlaps(world, body, at, static_cast<double>(radius))) found.emplace_back(id);
    });
    for (int i = 0; i < static_cast<int>(world.colliders.size()); ++i)
        if (overlaps(place_collider(world.colliders[i], world.time, world.time), center, radius))
            found.emplace_back(world.colliders.id_at(i));
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
