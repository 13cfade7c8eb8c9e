#include "pliant/world/internal.h"

#include <algorithm>
#include <numeric>

namespace pliant {

namespace {

std::vector<int> all_of(Range range)
{
    std::vector<int> all(static_cast<std::size_t>(range.count));
    std::iota(all.begin(), all.end(), range.first);
    return all;
}

/// Those that fill a solid. The vertices of its skin may be much finer and lighter: a load on a few of them would tear out a
/// small patch. All of them where the skin is all there is, or nearly.
std::vector<int> filling_of(const Solid& solid)
{
    std::vector<char> in_skin(static_cast<std::size_t>(solid.particles.count), 0);
    for (const int i : solid.skin.particle) in_skin[i] = 1;
    std::vector<int> filling = all_of(solid.particles);
    std::erase_if(filling, [&](int i) { return in_skin[i - solid.particles.first] != 0; });
    return static_cast<int>(filling.size()) < kFewestWeldParents ? all_of(solid.particles) : filling;
}

Anchor anchor_near(const World& world, const std::vector<int>& of, const Vec3d& at, const std::string& name,
                   int fewest = kFewestParents)
{
    check_vector(at, "glue");
    std::vector<Vec3d> candidates;
    for (const int i : of) candidates.push_back(world.particles->x[i].cast<double>());
    Parents chosen = choose_parents(at, candidates, fewest, std::max(fewest, kMostParents));
    while (chosen.particles.empty() && fewest > kFewestParents) {  // those of a thin body may all be collinear
        fewest = std::max(fewest / 2, kFewestParents);
        chosen = choose_parents(at, candidates, fewest, std::max(fewest, kMostParents));
    }
    if (chosen.particles.empty())
        throw InputError("glue: the particles of \"" + name +
                         "\" are collinear or in one place and have no orientation; glue one of them by its number");
    for (int& i : chosen.particles) i = of[i];
    return anchor_on_particles(world.particles, chosen.particles, at);
}

/// The number of particles within a mean cluster radius of the particle nearest to the point, within limits.
int parents_of_weld(const World& world, const Solid& solid, const std::vector<int>& of, const Vec3d& at)
{
    if (of.empty()) return kFewestWeldParents;
    const auto place = [&](int i) { return world.particles->x[i].cast<double>(); };
    const Vec3d nearest = place(std::ranges::min(of, {}, [&](int i) { return (place(i) - at).squared_norm(); }));
    double radius = 0;
    for (const ClusterRest& cluster : solid.clusters)
        radius += cluster.radius / static_cast<double>(solid.clusters.size());
    const auto near = [&](int i) { return (place(i) - nearest).squared_norm() <= radius * radius; };
    return std::clamp(static_cast<int>(std::ranges::count_if(of, near)), kFewestWeldParents, kMostWeldParents);
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
    const std::vector<int> filling = filling_of(solid);
    const int fewest = holds_turn(kind) ? parents_of_weld(world, solid, filling, at) : kFewestParents;
    return anchor_near(world, filling, at, solid.name, fewest);
}

Anchor anchor_on(const World& world, ClothId id, const Vec3d& at)
{
    const Cloth& cloth = list_of(world, id)[index_of(world, id, "glue")];
    return anchor_near(world, all_of(cloth.particles), at, cloth.name);
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
