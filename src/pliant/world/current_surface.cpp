#include "pliant/world/current_surface.h"

#include "pliant/state/mobility.h"

#include <numeric>

namespace pliant {

namespace {

/// The particle of a body nearest to a point.
int nearest_particle(const Vec3& point, std::span<const Vec3> x)
{
    int nearest = 0;
    for (int i = 1; i < static_cast<int>(x.size()); ++i)
        if ((x[i] - point).squared_norm() < (x[nearest] - point).squared_norm()) nearest = i;
    return nearest;
}

}  // namespace

CurrentSurface current_surface(const Particles& particles, Range range, const RestSurface& rest)
{
    CurrentSurface out;
    for (const Vec3& x : range.of(particles.x)) out.points.push_back(x.cast<double>());
    out.particle_at.resize(static_cast<std::size_t>(range.count));
    std::iota(out.particle_at.begin(), out.particle_at.end(), 0);
    out.triangles = rest.triangles;
    if (!rest.triangles.empty() || rest.points.empty()) return out;
    for (const auto& [a, b] : rest.edges) out.tubes.push_back({a, b});
    out.radius = static_cast<double>(particles.radius[range.first + rest.points.front()]);
    return out;
}

CurrentSurface current_surface(const World& world, const Solid& solid)
{
    const bool follows =
        solid.skin.triangles != nullptr && !solid.skin.triangles->empty() && solid.skin.particle.empty();
    if (!follows) return current_surface(world.particles, solid.particles, rest_surface(solid));
    const std::span<const Vec3> x = solid.particles.of(world.particles->x);
    CurrentSurface out;
    std::vector<Vec3> vertices;
    update_skin(solid, x, vertices);
    out.triangles = *solid.skin.triangles;
    for (const Vec3& v : vertices) {
        out.points.push_back(v.cast<double>());
        out.particle_at.push_back(nearest_particle(v, x));
    }
    return out;
}

CurrentSurface current_surface(const World& world, const Rigid& rigid)
{
    CurrentSurface out;
    const Pose& pose = world.rigid_bodies->pose[&rigid - world.rigids.data()];
    for (const Vec3& p : rigid.points) out.points.push_back(to_world(pose, p).cast<double>());
    out.triangles = *rigid.triangles;
    return out;
}

}  // namespace pliant
