#include "pliant/world/internal.h"

#include <algorithm>

namespace pliant {

namespace {

Anchor anchor_near(const World& world, Range range, const Vec3d& at, const std::string& name,
                   int fewest = kFewestParents)
{
    check_vector(at, "glue");
    std::vector<Vec3d> candidates;
    for (int i = range.first; i < range.end(); ++i) candidates.push_back(world.particles->x[i].cast<double>());
    Parents chosen = choose_parents(at, candidates, fewest, std::max(fewest, kMostParents));
    while (chosen.particles.empty() && fewest > kFewestParents) {  // those of a thin body may all be collinear
        fewest = std::max(fewest / 2, kFewestParents);
        chosen = choose_parents(at, candidates, fewest, std::max(fewest, kMostParents));
    }
    if (chosen.particles.empty())
        throw InputError("glue: the particles of \"" + name +
                         "\" are collinear or in one place and have no orientation; glue one of them by its number");
    for (int& i : chosen.particles) i += range.first;
    return anchor_on_particles(world.particles, chosen.particles, at);
}

/// The number of particles within a mean cluster radius of the particle nearest to the point, within limits.
int parents_of_weld(const World& world, const Solid& solid, const Vec3d& at)
{
    const std::span<const Vec3> x = solid.particles.of(world.particles->x);
    if (x.empty()) return kFewestWeldParents;
    const auto from = [](const Vec3d& p) {
        return [p](const Vec3& q) { return (q.cast<double>() - p).squared_norm(); };
    };
    const Vec3d nearest = std::ranges::min(x, {}, from(at)).cast<double>();
    double radius = 0;
    for (const ClusterRest& cluster : solid.clusters)
        radius += cluster.radius / static_cast<double>(solid.clusters.size());
    const auto near = [&](const Vec3& q) { return from(nearest)(q) <= radius * radius; };
    return std::clamp(static_cast<int>(std::ranges::count_if(x, near)), kFewestWeldParents, kMostWeldParents);
}

double squared_distance(const Vec3d& at, const Vec3d& a, const Vec3d& b)
{
    const Vec3d along = b - a;
    const double s = along.squared_norm() > 0 ? std::clamp((at - a).dot(along) / along.squared_norm(), 0.0, 1.0) : 0;
    return (at - a - s * along).squared_norm();
}

}  // namespace

Anchor anchor_on(const World& world, SolidId id, const Vec3d& at, GlueKind kind)
{
    const Solid& solid = list_of(world, id)[index_of(world, id, "glue")];
    const int fewest = holds_turn(kind) ? parents_of_weld(world, solid, at) : kFewestParents;
    return anchor_near(world, solid.particles, at, solid.name, fewest);
}

Anchor anchor_on(const World& world, ClothId id, const Vec3d& at)
{
    const Cloth& cloth = list_of(world, id)[index_of(world, id, "glue")];
    return anchor_near(world, cloth.particles, at, cloth.name);
}

Anchor anchor_on(const World& world, RigidId id, const Vec3d& at)
{
    const int body = index_of(world, id, "glue");
    check_vector(at, "glue");
    return anchor_on_rigid(world.rigid_bodies, body, at);
}

Anchor anchor_on(const World& world, RodId id, const Vec3d& at, GlueKind kind)
{
    const Rod& rod = list_of(world, id)[index_of(world, id, "glue")];
    check_vector(at, "glue");
    const auto place = [&](int p) { return world.particles->x[rod.particles.first + p].cast<double>(); };
    const Rod::Edge* nearest = &rod.edges.front();
    const auto distance = [&](const Rod::Edge& e) { return squared_distance(at, place(e.p0), place(e.p1)); };
    for (const Rod::Edge& edge : rod.edges)
        if (distance(edge) < distance(*nearest)) nearest = &edge;
    constexpr double kSamePoint = 1e-3;  // of an edge
    for (const int p : {nearest->p0, nearest->p1})
        if (!holds_turn(kind) && (place(p) - at).norm() < kSamePoint * double(nearest->length))
            return anchor_on_particles(world.particles, std::vector{rod.particles.first + p}, at);
    const int first = rod.particles.first;
    return anchor_on_particles(world.particles,
                               std::vector{first + nearest->p0, first + nearest->p1, first + nearest->ghost}, at);
}

}  // namespace pliant
