#include "pliant/world/current_surface.h"

#include "pliant/state/mobility.h"

#include <utility>

namespace pliant {

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

}  // namespace pliant
