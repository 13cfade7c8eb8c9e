#include "commands.h"

#include "pliant/cloth/triangles.h"
#include "pliant/report/stats.h"
#include "pliant/scene/scene.h"
#include "pliant/solids/material.h"
#include "pliant/solver/solver.h"
#include "pliant/world/edits.h"
#include "pliant/world/queries.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <limits>

namespace pliant::cli {

namespace {

struct CheckOptions {
    std::string scene;
    std::vector<std::string> sets;
    bool strict = false;
};

std::string text_of(const Vec3d& v) { return fmt::format("[{:.3g}, {:.3g}, {:.3g}]", v.x, v.y, v.z); }

double mass_of(const Particles& particles, Range range)
{
    double mass = 0;
    for (int i = range.first; i < range.end(); ++i) mass += static_cast<double>(particles.mass[i]);
    return mass;
}

std::string extent_of(const Particles& particles, Range range)
{
    constexpr double kFar = std::numeric_limits<double>::max();
    Box3 box{{kFar, kFar, kFar}, {-kFar, -kFar, -kFar}};
    for (int i = range.first; i < range.end(); ++i) {
        if (particles.is_ghost(i)) continue;
        for (int axis = 0; axis < 3; ++axis) {
            box.low[axis] = std::min(box.low[axis], static_cast<double>(particles.x[i][axis]));
            box.high[axis] = std::max(box.high[axis], static_cast<double>(particles.x[i][axis]));
        }
    }
    return text_of(box.low) + " to " + text_of(box.high);
}

constexpr std::size_t kMostLines = 20;

template <class Body>
std::size_t name_width(const BodyList<Body>& bodies)
{
    std::size_t width = 5;
    for (const Body& body : bodies) width = std::max(width, body.name.size());
    return width;
}

void print_rest(std::size_t bodies)
{
    if (bodies > kMostLines) fmt::print("... and {} more\n", bodies - kMostLines);
}

/// A modulus of 0 stands for the published stiffness.
std::string modulus_text(double modulus, const char* published)
{
    return modulus > 0 ? fmt::format("{:.3g}", modulus) : std::string(published);
}

void print_solids(const World& world)
{
    const std::size_t width = name_width(world.solids);
    fmt::print("{:<{}} {:>10} {:>9} {:>12} {:>10} {:>10} {:>14}  {}\n", "solid", width, "particles", "clusters",
               "memberships", "mass [kg]", "E [Pa]", "damping [1/s]", "extent [m]");
    for (std::size_t i = 0; i < std::min(kMostLines, world.solids.size()); ++i) {
        const Solid& solid = world.solids[i];
        fmt::print("{:<{}} {:>10} {:>9} {:>12} {:>10.4g} {:>10} {:>14.4g}  {}\n", solid.name, width,
                   solid.particles.count, solid.memberships.clusters(), solid.memberships.count(),
                   mass_of(world.particles, solid.particles), modulus_text(youngs_modulus_of(solid), "alpha"),
                   damping_of(solid), extent_of(world.particles, solid.particles));
    }
    print_rest(world.solids.size());
}

void print_cloths(const World& world)
{
    const std::size_t width = name_width(world.cloths);
    fmt::print("{:<{}} {:>10} {:>10} {:>9} {:>8} {:>10}  {}\n", "cloth", width, "vertices", "triangles", "clusters",
               "fibres", "mass [kg]", "extent [m]");
    for (std::size_t i = 0; i < std::min(kMostLines, world.cloths.size()); ++i) {
        const Cloth& cloth = world.cloths[i];
        fmt::print("{:<{}} {:>10} {:>10} {:>9} {:>8} {:>10.4g}  {}\n", cloth.name, width, cloth.particles.count,
                   cloth.rest.triangles.size(), find_triangle_clusters(cloth.rest, cloth.mesh_edges).size(),
                   count_fibres(cloth), mass_of(world.particles, cloth.particles),
                   extent_of(world.particles, cloth.particles));
    }
    print_rest(world.cloths.size());
}

void print_rods(const World& world)
{
    const std::size_t width = name_width(world.rods);
    fmt::print("{:<{}} {:>10} {:>10} {:>10} {:>7} {:>10} {:>11}  {}\n", "rod", width, "strands", "points", "edges",
               "clamps", "mass [kg]", "E [Pa]", "extent [m]");
    for (std::size_t i = 0; i < std::min(kMostLines, world.rods.size()); ++i) {
        const Rod& rod = world.rods[i];
        const std::size_t ghosts = rod.edges.size();
        fmt::print("{:<{}} {:>10} {:>10} {:>10} {:>7} {:>10.4g} {:>11}  {}\n", rod.name, width, rod.strands(),
                   static_cast<std::size_t>(rod.particles.count) - ghosts, rod.edges.size(), rod.tips.size(),
                   mass_of(world.particles, rod.particles), modulus_text(youngs_modulus_of(rod), "bend, twist"),
                   extent_of(world.particles, rod.particles));
    }
    print_rest(world.rods.size());
}

std::string extent_of(const Rigid& rigid, const Pose& pose)
{
    std::vector<Vec3d> points;
    for (const Vec3& p : rigid.points) points.push_back((pose.rotation() * p + pose.x).cast<double>());
    const Box3 box = bounding_box(points);
    return text_of(box.low) + " to " + text_of(box.high);
}

void print_rigids(const World& world)
{
    const std::size_t width = name_width(world.rigids);
    fmt::print("{:<{}} {:>10} {:>10} {:>28} {:>6}  {}\n", "rigid", width, "touches as", "mass [kg]",
               "principal inertia [kg m^2]", "held", "extent [m]");
    for (std::size_t i = 0; i < std::min(kMostLines, world.rigids.size()); ++i) {
        const Rigid& rigid = world.rigids[i];
        const RigidBodies& bodies = world.rigid_bodies;
        fmt::print("{:<{}} {:>10} {:>10.4g} {:>28} {:>6}  {}\n", rigid.name, width, name_of(bodies.shape[i].kind),
                   rigid.properties.mass, text_of(rigid.properties.moments), bodies.inv_mass[i] > 0 ? "no" : "yes",
                   extent_of(rigid, bodies.pose[i]));
    }
    print_rest(world.rigids.size());
}

std::string side_of(const Anchor& anchor, const World& world)
{
    if (anchor.kind == AnchorKind::rigid) return world.rigids[anchor.body].name;
    if (anchor.kind == AnchorKind::motion) return anchor.motion.keys.empty() ? "the world" : "a moving point";
    const auto owner = [&](const auto& bodies) {
        for (const auto& body : bodies)
            if (body.particles.contains(anchor.parents.front())) return body.name;
        return std::string();
    };
    std::string name = owner(world.solids) + owner(world.cloths) + owner(world.rods);
    return fmt::format("{} ({} particle{})", name, anchor.parents.size(), anchor.parents.size() == 1 ? "" : "s");
}

void print_glues(const World& world)
{
    for (std::size_t i = 0; i < std::min(kMostLines, world.glues.size()); ++i) {
        const Glue& glue = world.glues[i];
        const Vec3d at = place_of(glue.a, world.time, world.particles, world.rigid_bodies);
        const double gap = (at - place_of(glue.b, world.time, world.particles, world.rigid_bodies)).norm();
        fmt::print("glue {}: {}, {}, {} to {} at {}, gap {:.3g} m{}\n", glue.name, name_of(glue.params.kind),
                   stiffness_at(glue.params, 0) < 0 ? "hard" : "soft", side_of(glue.a, world), side_of(glue.b, world),
                   text_of(at), gap, glue.on ? "" : ", off at the start");
    }
    print_rest(world.glues.size());
}

/// Of the first frame; what the engine chooses may change with the motion.
void print_effort(const World& world)
{
    const Effort effort = Solver().find_effort(world);
    const std::string asked =
        effort.body ? fmt::format("by {}: {}", name_of(world, *effort.body), effort.why) : std::string(effort.why);
    const std::string by = asked.empty() ? "" : fmt::format(", {} {}", effort.chosen ? "asked for" : "raised", asked);
    fmt::print("substeps: {} ({}{}), iterations: {}, quality: {}\n", effort.substeps,
               effort.chosen ? "chosen in every frame, here of the first" : "as set", by, effort.iterations,
               name_of(world.settings->quality));
}

void print_scene(const Scene& scene)
{
    const World& world = scene.world;
    fmt::print("{}: {}\n", scene.name, scene.about.empty() ? "(says nothing about itself)" : scene.about);
    fmt::print("frames: {} of {:.4g} s, expectations: {}\n", scene.frames, world.settings->dt, scene.expect.size());
    print_effort(world);
    std::size_t pinned = 0;
    for (const PinnedSet& set : world.drivers->pins) pinned += set.particles.size();
    fmt::print(
        "solids: {}, cloths: {}, rods: {}, rigids: {}, glue: {}, particles: {}, pinned: {}, colliders: {}, grabs: {}\n",
        world.solids.size(), world.cloths.size(), world.rods.size(), world.rigids.size(), world.glues.size(),
        world.particles->size(), pinned, world.colliders.size(), world.grabs.size());
    if (!world.solids.empty()) print_solids(world);
    if (!world.cloths.empty()) print_cloths(world);
    if (!world.rods.empty()) print_rods(world);
    if (!world.rigids.empty()) print_rigids(world);
    print_glues(world);
    for (const Collider& collider : world.colliders)
        fmt::print("collider {}: {} at {}{}\n", collider.name, name_of(collider.shape), text_of(collider.position),
                   collider.motion.keys.empty() ? "" : ", moving");
}

ExitCode check(const CheckOptions& options)
{
    const Scene scene = read_scene(options.scene, options.sets);
    print_scene(scene);
    if (options.strict) refuse_crossings(scene);
    const std::vector<std::string> warnings = find_warnings(scene);
    std::fflush(stdout);
    for (const std::string& warning : warnings) print_warning(warning);
    if (warnings.empty()) fmt::print("nothing is wrong with it\n");
    return kDone;
}

}  // namespace

void add_check(CLI::App& app, Action& chosen)
{
    const auto options = std::make_shared<CheckOptions>();
    CLI::App& command = *app.add_subcommand("check", "Say what is in a scene, and everything that is wrong with it");
    command.add_option("scene", options->scene, "Scene file, or the name of a built-in scene")->required();
    add_set_option(command, options->sets);
    command.add_flag("--strict", options->strict, "Refuse a scene in which bodies in contact pass through each other");
    command.callback([options, &chosen] { chosen = [options] { return check(*options); }; });
}

}  // namespace pliant::cli
