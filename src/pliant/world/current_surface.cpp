#include "pliant/world/current_surface.h"

#include "pliant/state/mobility.h"

#include <algorithm>
#include <span>
#include <utility>

namespace pliant {

namespace {

/// Whether the skin is not made of particles: it follows clusters then, and may leave the bounding box of the
/// particles.
bool follows_clusters(const Solid& solid)
{
    return solid.skin.triangles != nullptr && !solid.skin.triangles->empty() && solid.skin.particle.empty();
}

Box3 grow(const Box3& box, double by) { return {box.low - Vec3d{by, by, by}, box.high + Vec3d{by, by, by}}; }

Box3 bounds_of(std::span<const Vec3> points)
{
    if (points.empty()) return {};
    Vec3 low = points[0], high = points[0];
    for (const Vec3& p : points) {
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
    }
    return {low.cast<double>(), high.cast<double>()};
}

}  // namespace

CurrentSurface current_surface(const Particles& particles, Range range, RestSurface rest)
{
    CurrentSurface out;
    const std::span<const Vec3> x = range.of(particles.x);
    out.points.assign(x.begin(), x.end());
    out.triangles = std::move(rest.triangles);
    if (!out.triangles.empty() || rest.points.empty()) return out;
    out.tubes = std::move(rest.edges);
    out.radius = particles.radius[range.first + rest.points.front()];
    return out;
}

CurrentSurface current_surface(const World& world, const Solid& solid)
{
    if (solid.skin.triangles == nullptr || solid.skin.triangles->empty())
        return current_surface(world.particles, solid.particles, rest_surface(solid));
    CurrentSurface out;
    update_skin(solid, solid.particles.of(world.particles->x), out.points);
    out.triangles = *solid.skin.triangles;
    return out;
}

CurrentSurface current_surface(const World& world, const Cloth& cloth)
{
    const std::span<const Vec3> x = cloth.particles.of(world.particles->x);
    return {{x.begin(), x.end()}, cloth.rest.triangles, {}, 0};
}

CurrentSurface current_surface(const World& world, const Rigid& rigid)
{
    CurrentSurface out;
    const Pose& pose = world.rigid_bodies->pose[&rigid - world.rigids.data()];
    for (const Vec3& p : rigid.points) out.points.push_back(to_world(pose, p));
    out.triangles = *rigid.triangles;
    return out;
}

Box3 current_bounds(const Particles& particles, Range range)
{
    Real thickest = 0;
    for (const Real radius : range.of(particles.radius)) thickest = std::max(thickest, radius);
    return grow(bounds_of(range.of(particles.x)), static_cast<double>(thickest));
}

Box3 current_bounds(const World& world, const Solid& solid)
{
    if (!follows_clusters(solid)) return current_bounds(world.particles, solid.particles);
    std::vector<Vec3> points;
    update_skin(solid, solid.particles.of(world.particles->x), points);
    return bounds_of(points);
}

Box3 current_bounds(const World& world, const Rigid& rigid)
{
    const auto body = static_cast<std::size_t>(&rigid - world.rigids.data());
    const Vec3d center = world.rigid_bodies->pose[body].x.cast<double>();
    return grow({center, center}, static_cast<double>(world.rigid_bodies->shape[body].extent));
}

}  // namespace pliant
