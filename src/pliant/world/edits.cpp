#include "pliant/world/edits.h"

#include "pliant/base/check.h"
#include "pliant/geometry/hash_grid.h"
#include "pliant/geometry/sample.h"
#include "pliant/math/portable.h"
#include "pliant/rods/make_nets.h"
#include "pliant/solids/clustering.h"
#include "pliant/world/glue_edits.h"
#include "pliant/world/measure.h"
#include "pliant/world/near_points.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace pliant {

namespace {

/// Distance of neighbours: the mean over some points of the distance to the nearest other one.
double typical_spacing(const std::vector<Vec3d>& points)
{
    if (points.size() < 2) return 0;
    const Box3 box = bounding_box(points);
    double cell =
        std::max({box.extent().x, box.extent().y, box.extent().z}) / portable::cbrt(static_cast<double>(points.size()));
    if (!(cell > 0)) return 0;
    const HashGrid grid(points, 2 * cell);
    constexpr std::size_t kProbes = 100;
    const std::size_t stride = std::max<std::size_t>(1, points.size() / kProbes);
    double sum = 0;
    int found = 0;
    for (std::size_t i = 0; i < points.size(); i += stride) {
        double nearest = std::numeric_limits<double>::max();
        grid.for_each_within(points[i], 2 * cell, [&](int j) {
            const double d = (points[j] - points[i]).norm();
            if (d > 0) nearest = std::min(nearest, d);
        });
        if (nearest == std::numeric_limits<double>::max()) continue;
        sum += nearest;
        ++found;
    }
    return found > 0 ? sum / found : cell;
}

std::vector<double> masses_of(const SolidShape& shape, const SolidParams& params)
{
    if (!shape.mass.empty()) return shape.mass;
    const double each = double(params.density) * shape.volume / static_cast<double>(shape.points.size());
    return std::vector<double>(shape.points.size(), each);
}

/// How far other bodies stay away from its particles [m].
Real radius_of(const SolidShape& shape, const SolidParams& params)
{
    constexpr double kOfSpacing = 0.5, kOfSpacingOnSkin = 0.125;
    if (params.thickness > 0) return params.thickness / 2;
    return static_cast<Real>(shape.spacing * (shape.surface_points.empty() ? kOfSpacing : kOfSpacingOnSkin));
}

void check_shape(const SolidShape& shape, const std::vector<double>& mass)
{
    if (shape.points.empty()) throw InputError("solid: no particles; give a larger shape or a smaller spacing");
    if (mass.size() != shape.points.size()) throw InputError("solid: as many masses as points are needed");
    for (std::size_t i = 0; i < shape.points.size(); ++i) {
        const Vec3d& p = shape.points[i];
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
            throw InputError("solid: point " + std::to_string(i) + " is not finite");
        }
        if (!(mass[i] > 0) || !std::isfinite(mass[i])) {
            throw InputError("solid: the mass of point " + std::to_string(i) + " is " + std::to_string(mass[i]) +
                             "; masses are positive (hold a particle still by pinning it)");
        }
    }
}

Memberships choose_clusters(const SolidShape& shape, const SolidParams& params)
{
    const int n = static_cast<int>(shape.points.size());
    if (params.clustering == Clustering::lists) return cluster_by_lists(n, shape.clusters);
    const double chosen = 4 * (shape.spacing > 0 ? shape.spacing : typical_spacing(shape.points));
    const double radius = params.cluster_radius > 0 ? double(params.cluster_radius) : std::max(chosen, 1e-12);
    Memberships m = params.clustering == Clustering::random
                        ? cluster_randomly(shape.points, radius, static_cast<std::uint64_t>(params.seed))
                        : cluster_evenly(shape.points, radius);
    if (n > 1 && m.count() == m.clusters()) {
        throw InputError("cluster_radius: " + std::to_string(radius) +
                         " m holds no two particles together; the typical spacing is " +
                         std::to_string(typical_spacing(shape.points)) + " m, give about four times that");
    }
    return m;
}

/// k = 3 E / (rho <r^2>) per cluster: corotational elasticity with no lateral contraction.
std::vector<Real> stiffness_of(const Clusters& clusters, const SolidParams& params)
{
    if (params.youngs_modulus == 0) return {};
    std::vector<Real> k;
    for (const Real r2 : clusters.mean_square_radius)
        k.push_back(r2 > 0 ? 3 * params.youngs_modulus / (params.density * r2) : 0);
    return k;
}

template <class Remap>
void remap_drivers(Drivers& drivers, const Remap& remap)
{
    for (PinnedSet& set : drivers.pins) {
        std::size_t kept = 0;
        for (std::size_t k = 0; k < set.particles.size(); ++k) {
            const int i = remap(set.particles[k]);
            if (i < 0) continue;
            set.particles[kept] = i;
            set.rest[kept++] = set.rest[k];
        }
        set.particles.resize(kept);
        set.rest.resize(kept);
    }
    std::erase_if(drivers.pins, [](const PinnedSet& set) { return set.particles.empty(); });
    std::erase_if(drivers.grabs, [&](Grab& grab) { return (grab.particle = remap(grab.particle)) < 0; });
}

}  // namespace

SolidShape fill_with_spacing(const SurfaceMesh& surface, double spacing)
{
    SolidShape shape;
    shape.points = fill_by_spacing(surface, spacing);
    shape.volume = std::abs(volume(surface));
    shape.spacing = spacing;
    shape.surface = surface;
    return shape;
}

SolidShape fill_with_count(const SurfaceMesh& surface, int count)
{
    SolidShape shape;
    shape.points = fill_by_count(surface, count, &shape.spacing);
    shape.volume = std::abs(volume(surface));
    shape.surface = surface;
    return shape;
}

void add_skin(SolidShape& shape, double density)
{
    constexpr double kOuter = 0.75;  // spacings: points so near to the skin are of the layer that it takes the place of
    constexpr double kOfOuter = 0.65;  // of their mass is its; the rest goes inwards, so that inertia stays
    constexpr double kOfInner = 0.5;   // of that of others is its, where they are nearest to it
    std::vector<Vec3d> skin, inner;
    std::map<std::array<double, 3>, int> vertex_at;  // several in one place are one
    for (const Vec3d& p : shape.surface.vertices) {
        const int v = vertex_at.try_emplace({p.x, p.y, p.z}, static_cast<int>(skin.size())).first->second;
        if (v == static_cast<int>(skin.size())) skin.push_back(p);
        shape.surface_points.push_back(v);
    }
    const NearPoints near(shape.points, shape.spacing), near_skin(skin, shape.spacing);
    for (const Vec3d& p : shape.points)
        if (near_skin.distance(p) >= kOuter * shape.spacing) inner.push_back(p);
    const NearPoints near_inner(inner, shape.spacing);
    std::vector<std::vector<int>> vertices_of(shape.points.size());
    for (std::size_t v = 0; v < skin.size(); ++v) vertices_of[near.nearest(skin[v])].push_back(static_cast<int>(v));

    const double each = density * shape.volume / static_cast<double>(shape.points.size());
    std::vector<double> mass(skin.size() + inner.size(), 0);
    for (std::size_t i = 0; i < shape.points.size(); ++i) {
        const Vec3d& p = shape.points[i];
        std::vector<int>& vertices = vertices_of[i];
        const bool outer = near_skin.distance(p) < kOuter * shape.spacing;
        if (outer && vertices.empty()) vertices.push_back(near_skin.nearest(p));
        const double given = inner.empty() ? each : vertices.empty() ? 0 : each * (outer ? kOfOuter : kOfInner);
        for (const int v : vertices) mass[v] += given / static_cast<double>(vertices.size());
        if (given < each) mass[skin.size() + near_inner.nearest(p)] += each - given;
    }
    shape.points = std::move(skin);
    shape.points.insert(shape.points.end(), inner.begin(), inner.end());
    shape.mass = std::move(mass);
}

SolidShape shape_of_tetrahedra(const TetMesh& tets, double density)
{
    SolidShape shape;
    shape.points = tets.vertices;
    shape.mass.assign(tets.vertices.size(), 0);
    for (const auto& t : tets.tetrahedra) {
        const Vec3d a = tets.vertices[t[0]];
        const double v = (tets.vertices[t[1]] - a).cross(tets.vertices[t[2]] - a).dot(tets.vertices[t[3]] - a) / 6;
        shape.volume += v;
        for (const int i : t) shape.mass[i] += density * v / 4;
    }
    shape.surface = boundary(tets);
    shape.surface_points.resize(shape.points.size());
    std::iota(shape.surface_points.begin(), shape.surface_points.end(), 0);
    shape.tetrahedra = tets.tetrahedra;
    shape.spacing = typical_spacing(shape.points);
    return shape;
}

SolidShape shape_of_points(std::vector<Vec3d> points)
{
    SolidShape shape;
    shape.spacing = typical_spacing(points);
    shape.volume = static_cast<double>(points.size()) * shape.spacing * shape.spacing * shape.spacing;
    shape.points = std::move(points);
    if (!shape.points.empty() && !(shape.volume > 0)) {
        throw InputError("points: all points are in one place; a solid needs points that are apart, or masses");
    }
    return shape;
}

SolidId add_solid(World& world, const SolidShape& shape, const SolidParams& params, std::string name)
{
    const std::vector<double> mass = masses_of(shape, params);
    check_shape(shape, mass);
    // Rest coordinates count from the middle of the body, so that none are large.
    const Vec3d middle = bounding_box(shape.points).center();
    std::vector<Vec3d> rest = shape.points;
    for (Vec3d& p : rest) p -= middle;
    SurfaceMesh surface = shape.surface;
    for (Vec3d& p : surface.vertices) p -= middle;

    Solid solid;
    solid.name = std::move(name);
    solid.params = params;
    solid.clusters = make_clusters(choose_clusters(shape, params), rest, mass);
    solid.stiffness = stiffness_of(solid.clusters, params);
    if (!shape.surface_points.empty())
        solid.skin.triangles = std::make_shared<const std::vector<std::array<int, 3>>>(surface.triangles);
    else if (!surface.triangles.empty()) solid.skin = make_skin(surface, solid.clusters);
    const Real radius = radius_of(shape, params);

    world.surface.stale = true;
    solid.particles = world.particles.append(static_cast<int>(shape.points.size()));
    solid.particle_of_point.resize(shape.points.size());
    for (int p = 0; p < solid.particles.count; ++p) {
        const int i = solid.particles.first + p, k = solid.clusters.point_of_particle[p];
        solid.particle_of_point[k] = p;
        world.particles.x[i] = world.particles.x_prev[i] = shape.points[k].cast<Real>();
        world.particles.mass[i] = static_cast<Real>(mass[k]);
        world.particles.inv_mass[i] = static_cast<Real>(1 / mass[k]);
        world.particles.radius[i] = radius;
    }
    for (const int k : shape.surface_points) solid.skin.particle.push_back(solid.particle_of_point[k]);
    solid.tetrahedra = shape.tetrahedra;
    for (std::array<int, 4>& t : solid.tetrahedra)
        for (int& i : t) i = solid.particle_of_point[i];
    world.solids.push_back(std::move(solid));
    return world.solid_ids.add();
}

ClothId add_cloth(World& world, const SurfaceMesh& mesh, const ClothParams& params, std::string name)
{
    std::vector<std::string> notes;
    Cloth cloth = make_cloth(clean_sheet(mesh, notes), params);
    cloth.name = std::move(name);
    cloth.notes = std::move(notes);
    world.surface.stale = true;
    cloth.particles = world.particles.append(static_cast<int>(cloth.rest.vertices.size()));
    for (int k = 0; k < cloth.particles.count; ++k) {
        const int i = cloth.particles.first + k;
        world.particles.x[i] = world.particles.x_prev[i] = cloth.rest.vertices[k].cast<Real>();
        world.particles.mass[i] = static_cast<Real>(cloth.mass[k]);
        world.particles.inv_mass[i] = static_cast<Real>(1 / cloth.mass[k]);
        world.particles.radius[i] = params.thickness / 2;
    }
    world.cloths.push_back(std::move(cloth));
    return world.cloth_ids.add();
}

RodId add_rod(World& world, const std::vector<Strand>& strands, const RodParams& params, std::string name)
{
    std::vector<Vec3d> start;
    Rod rod = make_rod(strands, params, start);
    rod.name = std::move(name);
    world.surface.stale = true;
    rod.particles = world.particles.append(static_cast<int>(start.size()));
    const int first = rod.particles.first;
    for (int k = 0; k < rod.particles.count; ++k) {
        const int i = first + k;
        world.particles.x[i] = world.particles.x_prev[i] = start[k].cast<Real>();
        world.particles.mass[i] = static_cast<Real>(rod.mass[k]);
        world.particles.inv_mass[i] = static_cast<Real>(1 / rod.mass[k]);
        world.particles.radius[i] = params.radius;
    }
    for (const Rod::Edge& edge : rod.edges) world.particles.radius[first + edge.ghost] = Particles::kGhost;
    world.rods.push_back(std::move(rod));
    return world.rod_ids.add();
}

void clamp_rod(World& world, RodId id, int strand, RodEnd end, const Motion& motion)
{
    const int index = world.rod_ids.index(id);
    if (index < 0) throw InputError("clamp_rod: this rod has been removed");
    Rod& rod = world.rods[index];
    if (strand < 0 || strand >= rod.strands())
        throw InputError("clamp_rod: there is no strand " + std::to_string(strand) + "; the rod has " +
                         std::to_string(rod.strands()));
    if (rod.closed[strand] != 0)
        throw InputError("clamp_rod: strand " + std::to_string(strand) + " is a ring without ends");
    const int e = end == RodEnd::start ? rod.first_edge[strand] : rod.first_edge[strand + 1] - 1;
    const Rod::Edge& edge = rod.edges[e];
    const auto at = [&](int p) { return world.particles.x[rod.particles.first + p].cast<double>(); };
    RodTip tip;
    tip.edge = e;
    tip.end = end;
    tip.frame = frame_of(at(edge.p0), at(edge.p1), at(edge.ghost)).d;
    tip.motion = motion;
    rod.tips.push_back(tip);
    if (rod.direct) rod.nets = make_direct_nets(rod);
    pin_particles(world, std::vector{rod.particles.first + (end == RodEnd::start ? edge.p0 : edge.p1)}, motion);
}

namespace {

void place(Range range, const Placement& placement, Particles& p)
{
    for (int i = range.first; i < range.end(); ++i) {
        p.x[i] = p.x_prev[i] = (placement.linear * p.x[i].cast<double>() + placement.position).cast<Real>();
    }
    const Vec3d center = center_of_mass(p, range);
    for (int i = range.first; i < range.end(); ++i) {
        p.v[i] = (placement.velocity + placement.angular_velocity.cross(p.x[i].cast<double>() - center)).cast<Real>();
    }
}

/// Takes particles out of the world; what comes after them moves up.
void erase_particles(World& world, Range gone)
{
    remap_drivers(world.drivers, [&](int i) { return gone.contains(i) ? -1 : (i >= gone.end() ? i - gone.count : i); });
    release_from_particles(world, gone);
    world.surface.stale = true;
    world.particles.erase(gone);
    const auto move_up = [&](auto& bodies) {
        for (auto& body : bodies)
            if (body.particles.first >= gone.end()) body.particles.first -= gone.count;
    };
    move_up(world.solids);
    move_up(world.cloths);
    move_up(world.rods);
}

/// Removes the body of an id from its array, and its particles; nothing for an id whose body is gone.
template <class Body>
void remove_body(Id<Body> id, std::vector<Body>& bodies, IdTable<Body>& ids, World& world)
{
    const int index = ids.index(id);
    if (index < 0) return;
    const Range gone = bodies[index].particles;
    bodies.erase(bodies.begin() + index);
    ids.remove(id);
    erase_particles(world, gone);
}

}  // namespace

void place_solid(World& world, SolidId id, const Placement& placement)
{
    const int index = world.solid_ids.index(id);
    if (index < 0) throw InputError("place_solid: this solid has been removed");
    place(world.solids[index].particles, placement, world.particles);
}

void place_cloth(World& world, ClothId id, const Placement& placement)
{
    const int index = world.cloth_ids.index(id);
    if (index < 0) throw InputError("place_cloth: this cloth has been removed");
    place(world.cloths[index].particles, placement, world.particles);
}

void place_rod(World& world, RodId id, const Placement& placement)
{
    const int index = world.rod_ids.index(id);
    if (index < 0) throw InputError("place_rod: this rod has been removed");
    place(world.rods[index].particles, placement, world.particles);
}

void remove_solid(World& world, SolidId id) { remove_body(id, world.solids, world.solid_ids, world); }
void remove_cloth(World& world, ClothId id) { remove_body(id, world.cloths, world.cloth_ids, world); }
void remove_rod(World& world, RodId id) { remove_body(id, world.rods, world.rod_ids, world); }

int add_collider(World& world, const Collider& collider)
{
    check_motion(collider.motion, ("collider \"" + collider.name + "\"").c_str());
    if (collider.shape == ColliderShape::mesh && collider.mesh == nullptr)
        throw InputError("collider \"" + collider.name + "\" has no mesh; give it one by make_collider_mesh");
    world.colliders.push_back(collider);
    return static_cast<int>(world.colliders.size()) - 1;
}

void pin_particles(World& world, std::span<const int> particles, const Motion& motion, double release)
{
    check_motion(motion, "pin");
    PinnedSet set{.particles = {}, .rest = {}, .motion = motion, .release = release, .released = false};
    for (const int i : particles) {
        if (i < 0 || i >= world.particles.size()) {
            throw InputError("pin: there is no particle " + std::to_string(i) + "; the world has " +
                             std::to_string(world.particles.size()));
        }
        set.particles.push_back(i);
        set.rest.push_back(world.particles.x[i].cast<double>());
        world.particles.inv_mass[i] = 0;
        world.particles.v[i] = Vec3{};
    }
    world.drivers.pins.push_back(std::move(set));
}

std::vector<int> find_particles(const World& world, Range range, const Vec3d& low, const Vec3d& high)
{
    std::vector<int> found;
    for (int i = range.first; i < range.end(); ++i) {
        const Vec3d p = world.particles.x[i].cast<double>();
        if (p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y && p.z <= high.z)
            found.push_back(i);
    }
    return found;
}

int add_grab(World& world, const Vec3& at, Real compliance)
{
    int nearest = -1;
    Real best = std::numeric_limits<Real>::max();
    for (int i = 0; i < world.particles.size(); ++i) {
        const Real d = (world.particles.x[i] - at).squared_norm();
        if (world.particles.inv_mass[i] == 0 || world.particles.is_ghost(i) || d >= best) continue;
        best = d;
        nearest = i;
    }
    if (nearest < 0) return -1;
    world.drivers.grabs.push_back({nearest, at, compliance});
    return static_cast<int>(world.drivers.grabs.size()) - 1;
}

void remove_grab(World& world, int grab)
{
    if (grab < 0 || grab >= static_cast<int>(world.drivers.grabs.size()))
        throw InputError("remove_grab: there is no grab " + std::to_string(grab));
    world.drivers.grabs.erase(world.drivers.grabs.begin() + grab);
}

}  // namespace pliant
