#include "pliant/base/check.h"
#include "pliant/contact/colliders/colliders.h"
#include "pliant/geometry/touch.h"
#include "pliant/glue/bindings.h"
#include "pliant/scene/scene.h"
#include "pliant/solids/material.h"
#include "pliant/solids/solid_system.h"
#include "pliant/world/bonds.h"
#include "pliant/world/contact_surface.h"

#include <fmt/format.h>

namespace pliant {

namespace {

constexpr int kManySubsteps = 100;

int count_points(Range range, const Particles& particles)
{
    int points = 0;
    for (int i = range.first; i < range.end(); ++i) points += particles.is_ghost(i) ? 0 : 1;
    return points;
}

int count_inside(Range range, const Collider& collider, const World& world)
{
    constexpr Real kTouching = Real(1e-4);  // [m]
    const PlacedCollider placed = place_collider(collider, world.time, world.time);
    int inside = 0;
    for (int i = range.first; i < range.end(); ++i)
        if (!world.particles->is_ghost(i) &&
            nearest_surface(placed.shape, placed.pose, world.particles->x[i]).distance < -kTouching)
            ++inside;
    return inside;
}

template <class Warn>
void warn_about_colliders(Range range, const World& world, Warn&& warn)
{
    for (const Collider& collider : world.colliders) {
        if (const int inside = count_inside(range, collider, world); inside > 0)
            warn(fmt::format("starts with {} of {} particles inside {}, which will push them out", inside,
                             count_points(range, world.particles), collider.name));
    }
}

void warn_about(const Solid& solid, const World& world, std::vector<std::string>& warnings)
{
    const SolidParams& p = solid.params;
    const Settings& settings = world.settings;
    const auto warn = [&](const std::string& text) { warnings.push_back(fmt::format("{}: {}", solid.name, text)); };

    if (solid.particles.count < 4)
        warn(fmt::format("has {} particles, too few to have a shape", solid.particles.count));
    warn_about_colliders(solid.particles, world, warn);
    const bool published = is_published(p);
    const int iterations = iterations_of(settings);
    const int needed = published ? 1 : stable_substeps(make_system(solid), settings.dt);
    if (needed > kManySubsteps)
        warn(fmt::format("youngs_modulus {} needs {} substeps a frame to be stable; lower it or enlarge the clusters",
                         youngs_modulus_of(solid), needed));
    if (iterations > 0 && gamma_of(p) == 0 && alpha_of(p) > 0 && published)
        warn("gamma 0 allows no deformation, which leaves nothing for alpha to do");
    if (iterations > 0 && p.omega == 0) warn("omega 0 switches the strain limit off");
    if (iterations == 0 && alpha_of(p) == 0 && published)
        warn("alpha 0 without iterations holds the particles together by nothing");
}

void warn_about(const Cloth& cloth, const World& world, std::vector<std::string>& warnings)
{
    const ClothParams& p = cloth.params;
    const auto warn = [&](const std::string& text) { warnings.push_back(fmt::format("{}: {}", cloth.name, text)); };

    for (const std::string& note : cloth.notes) warn(note);
    warn_about_colliders(cloth.particles, world, warn);
    const bool stretches = p.warp_stiffness > 0 || p.weft_stiffness > 0 || p.shear_stiffness > 0;
    if (stretches && p.fibres != FibreMode::solve)
        warn(fmt::format("warp_stiffness, weft_stiffness and shear_stiffness do nothing with fibres \"{}\"",
                         name_of(p.fibres)));
    if (iterations_of(world.settings) == 0 || (p.gain == 0 && p.fibres != FibreMode::solve))
        warn(iterations_of(world.settings) == 0
                 ? "iterations 0 leaves nothing that holds the vertices together"
                 : "gain 0 without solved fibres holds the vertices together by nothing");
    const bool feels_air = p.air_drag > 0 || p.air_lift > 0;
    if (feels_air && world.forces->air_density == 0) warn("air_drag and air_lift do nothing with air_density 0");
    if (!feels_air && world.forces->drag == 0 && world.forces->wind.squared_norm() > 0)
        warn("the wind does nothing without air_drag, air_lift or the drag of the forces");
}

void warn_about(const Rod& rod, const World& world, std::vector<std::string>& warnings)
{
    const RodParams& p = rod.params;
    const auto warn = [&](const std::string& text) { warnings.push_back(fmt::format("{}: {}", rod.name, text)); };

    warn_about_colliders(rod.particles, world, warn);
    if (iterations_of(world.settings) == 0) warn("iterations 0 leaves nothing that holds the points together");
    if (p.shear_modulus > 0 && youngs_modulus_of(rod) == 0)
        warn(fmt::format("shear_modulus {} does nothing with youngs_modulus 0", p.shear_modulus));
    if (world.forces->drag == 0 && world.forces->wind.squared_norm() > 0)
        warn("the wind does nothing to rods without the drag of the forces");
}

void warn_about(const Rigid& rigid, int body, const World& world, std::vector<std::string>& warnings)
{
    const auto warn = [&](const std::string& text) { warnings.push_back(fmt::format("{}: {}", rigid.name, text)); };
    const RigidBodies& bodies = world.rigid_bodies;
    const Shape& shape = bodies.shape[body];
    const ShapePose pose{bodies.pose[body].rotation(), bodies.pose[body].x};
    for (const Collider& collider : world.colliders) {
        Touches touches;
        const PlacedCollider placed = place_collider(collider, world.time, world.time);
        if (bodies.inv_mass[body] > 0) find_touches(shape, pose, placed.shape, placed.pose, 0, touches);
        Real deepest = 0;
        for (const Touch& touch : touches) deepest = std::max(deepest, touch.depth);
        if (deepest > Real(1e-4) * shape.extent)
            warn(fmt::format("starts {:.3g} m inside {}, which will push it out", deepest, collider.name));
    }
    if (world.forces->drag == 0 && world.forces->wind.squared_norm() > 0)
        warn("the wind does nothing to rigid bodies without the drag of the forces");
}

/// With the numbers of its vertices in its body.
std::string face_name(const ContactSurface& surface, int triangle)
{
    const auto& [point, body] = surface.triangles[triangle];
    int first = surface.ranges[body].first;
    if (surface.is_carried(point[0])) {
        const auto all =
            std::ranges::find(surface.carried, surface.carrier(point[0]).body, &ContactSurface::Carried::body);
        first = surface.particles + static_cast<int>(all - surface.carried.begin());
    }
    return fmt::format("{} (face {} {} {})", surface.names[body], point[0] - first, point[1] - first, point[2] - first);
}

/// How many edges pass through triangles, and the first few places; empty for none.
std::string describe_crossings(const World& world)
{
    constexpr std::size_t kMaxListed = 5;
    if (!may_touch(world)) return {};
    World bonded = world;  // what overlaps at glue does not touch
    update_bonds(bonded);
    const ContactSurface surface = make_contact_surface(bonded);
    if (!surface.touching) return {};
    const std::vector<Vec3> x = places_of_points(surface, world.particles, world.rigid_bodies);
    const std::vector<Crossing> crossings = find_deep_crossings(surface, x);
    if (crossings.empty()) return {};
    std::string where;
    for (std::size_t i = 0; i < std::min(kMaxListed, crossings.size()); ++i) {
        const ContactSurface::Edge& edge = surface.edges[crossings[i].edge];
        const Vec3 at = Real(0.5) * (x[edge.a] + x[edge.b]);
        where += fmt::format("{}{} through {} near [{:.3g}, {:.3g}, {:.3g}]", i == 0 ? "" : "; ",
                             surface.names[edge.body], face_name(surface, crossings[i].triangle), at.x, at.y, at.z);
    }
    return fmt::format("{} edges pass through triangles at the start: {}{}", crossings.size(), where,
                       crossings.size() > kMaxListed ? "; ..." : "");
}

/// Glues that bind one particle hard are solved together: it comes to rest between them.
void warn_about_conflicts(const World& world, std::vector<std::string>& warnings)
{
    const Bindings bindings(world.glues);
    for (std::size_t g = 0; g < world.glues.size(); ++g) {
        const std::span<const int> rivals = bindings.of(bound_particle(world.glues[g]));
        if (rivals.size() < 2 || rivals.front() != static_cast<int>(g)) continue;
        std::string names;
        for (const int r : rivals) names += fmt::format("{}{}", names.empty() ? "" : ", ", world.glues[r].name);
        warnings.push_back(
            fmt::format("glue {}: they bind the same particle, which will be held between them; give "
                        "them a stiffness to say by how much, or keep one",
                        names));
    }
}

}  // namespace

std::vector<std::string> find_warnings(const Scene& scene)
{
    std::vector<std::string> warnings = scene.warnings;
    if (scene.world.particles->size() == 0 && scene.world.rigids.empty())
        warnings.emplace_back("the scene has no solids, cloths, rods or rigid bodies: nothing will move");
    for (const Solid& solid : scene.world.solids) warn_about(solid, scene.world, warnings);
    for (const Cloth& cloth : scene.world.cloths) warn_about(cloth, scene.world, warnings);
    for (const Rod& rod : scene.world.rods) warn_about(rod, scene.world, warnings);
    for (std::size_t i = 0; i < scene.world.rigids.size(); ++i)
        warn_about(scene.world.rigids[i], static_cast<int>(i), scene.world, warnings);
    warn_about_conflicts(scene.world, warnings);
    if (!scene.world.glues.empty() && iterations_of(scene.world.settings) == 0)
        warnings.emplace_back("iterations 0 leaves the glue without effect");
    if (const std::string crossings = describe_crossings(scene.world); !crossings.empty())
        warnings.push_back(crossings +
                           ". They are parted over some frames, and do not touch each other there until then");
    return warnings;
}

void refuse_crossings(const Scene& scene)
{
    if (const std::string crossings = describe_crossings(scene.world); !crossings.empty())
        throw InputError(fmt::format("{}: {}. Move the bodies apart, or run without --strict", scene.name, crossings));
}

}  // namespace pliant
