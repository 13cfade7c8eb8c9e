#include "pliant/solver/compiled.h"

#include "pliant/contact/pairs/prepare_points.h"
#include "pliant/geometry/convex.h"
#include "pliant/glue/bindings.h"
#include "pliant/solver/weld_ends.h"
#include "pliant/world/contact_surface.h"

#include <algorithm>

namespace pliant {

namespace {

/// Makes the systems of bodies that have changed. Those of bodies before one that was removed stay, and so do those that
/// have only moved up.
template <class Body, class System>
void compile_bodies(const BodyList<Body>& bodies, SystemList<System>& list)
{
    const auto unchanged = [&](std::size_t i) {
        return i < list.systems.size() && list.made_from[i] == bodies[i].revision;
    };
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        if (unchanged(i)) continue;
        const auto found = std::ranges::find(list.made_from, bodies[i].revision);
        if (found != list.made_from.end()) {
            const auto from = static_cast<std::size_t>(found - list.made_from.begin());
            std::swap(list.systems[i], list.systems[from]);
            std::swap(list.made_from[i], list.made_from[from]);
            continue;
        }
        if (i < list.systems.size()) {
            list.systems[i] = make_system(bodies[i]);
            list.made_from[i] = bodies[i].revision;
        } else {
            list.systems.push_back(make_system(bodies[i]));
            list.made_from.push_back(bodies[i].revision);
        }
    }
    list.systems.resize(bodies.size());
    list.made_from.resize(bodies.size());
}

/// Rigid bodies need no system: they are solved as they are.
template <class Body>
void compile_kind(const BodyList<Body>& bodies, Compiled& compiled)
{
    if constexpr (requires(const Body& body) { make_system(body); }) {
        using System = decltype(make_system(bodies[0]));
        compile_bodies(bodies, std::get<SystemList<System>>(compiled.systems));
    }
}

/// The rods that glue holds are solved with it.
void find_nets_of_glue(const World& world, Compiled& compiled)
{
    std::vector<char> glued(static_cast<std::size_t>(world.particles->size()), 0);
    for (const Glue& glue : world.glues)
        for (const Anchor* anchor : {&glue.a, &glue.b})
            for (const int i : anchor->parents) glued[i] = 1;
    compiled.glued_nets = find_glued_nets(world.rods, glued);
    compiled.in_glued_net.assign(glued.size(), 0);
    compiled.bound.clear();
    for (const Glue& glue : world.glues) {
        const int particle = bound_particle(glue);
        if (particle < 0) continue;
        compiled.bound.resize(glued.size(), 0);
        compiled.bound[particle] = 1;
    }
    for (const GluedNet& net : compiled.glued_nets) {
        const Rod& rod = world.rods[net.rod];
        for (const int e : net.edges)
            for (const int p : {rod.edges[e].p0, rod.edges[e].p1}) compiled.in_glued_net[rod.particles.first + p] = 1;
    }
    std::erase_if(compiled.glued_nets, [&](const GluedNet& net) { return world.rods[net.rod].rubs; });
    compiled.glued_edges.assign(world.rods.size(), {});
    for (const GluedNet& net : compiled.glued_nets) {
        std::vector<char>& edges = compiled.glued_edges[net.rod];
        edges.resize(world.rods[net.rod].edges.size(), 0);
        for (const int e : net.edges) edges[e] = 1;
    }
}

/// The points of rods that are solved with joints: colliders push them there.
void find_touching_points(Compiled& compiled)
{
    compiled.left_to_joints.assign(compiled.in_glued_net.size(), 0);
    compiled.point_touches.assign(compiled.joints.systems.size(), {});
    for (const GluedNet& net : compiled.glued_nets) {
        const ConstraintSystem& system = compiled.joints.systems[net.system];
        PointTouches& touches = compiled.point_touches[net.system];
        for (int e = 0; e < static_cast<int>(net.edges.size()); ++e)
            for (int p = 0; p < 2; ++p) {
                const int node = system.touches[system.first_touch[net.first_block + e] + p].node;
                char& left = compiled.left_to_joints[system.points[node].particle];
                if (left == 0) touches.nodes.push_back(node);
                left = 1;
            }
        touches.touches.reserve(touches.nodes.size());
        touches.corrections.reserve(touches.nodes.size());
    }
}

void make_joints_with_nets(const World& world, Compiled& compiled)
{
    find_nets_of_glue(world, compiled);
    std::vector<BlockNodes> others;
    std::vector<int> first;
    for (const GluedNet& net : compiled.glued_nets) {
        first.push_back(static_cast<int>(others.size()));
        for (BlockNodes& nodes : block_nodes(world.rods[net.rod], net)) others.push_back(std::move(nodes));
    }
    compiled.joints = make_joints(world.glues, world.particles->size(), world.rigid_bodies->size(), others);
    compiled.nets_of_system.assign(compiled.joints.systems.size(), {});
    for (std::size_t n = 0; n < first.size(); ++n) {
        const BlockPlace at = compiled.joints.others[first[n]];
        compiled.glued_nets[n].system = at.system;
        compiled.glued_nets[n].first_block = at.block;
        compiled.nets_of_system[at.system].push_back(static_cast<int>(n));
    }
    find_touching_points(compiled);
    find_weld_ends(world, compiled.joints);
    compiled.assemblies = find_assemblies(world, compiled.joints);
}

void compile_joints(const World& world, Compiled& compiled)
{
    if (!compiled.joints_from.made_from(world)) {
        make_joints_with_nets(world, compiled);
        compiled.joints_from.glues = world.revisions->glues;
        compiled.joints_from.rods.clear();
        compiled.joints_from.rubs.clear();
        for (const Rod& rod : world.rods) {
            compiled.joints_from.rods.push_back(rod.revision);
            compiled.joints_from.rubs.push_back(rod.rubs ? 1 : 0);
        }
    }
    for (std::size_t r = 0; r < world.rods.size(); ++r)
        leave_to_glue(world.rods[r], compiled.glued_edges[r], compiled.all<RodSystem>()[r]);
}

bool same(const World::Revisions& a, const World::Revisions& b)
{
    return a.bodies == b.bodies && a.glues == b.glues && a.contact == b.contact;
}

/// Convex rigid bodies are solved in islands and touch each other there, unless joints hold them to particles.
void choose_islands(const World& world, Compiled& compiled)
{
    const RigidBodies& bodies = *world.rigid_bodies;
    std::vector<char>& apart = compiled.islands.apart;
    apart.assign(bodies.pose.size(), 0);
    std::vector<char>& joined = compiled.rigid_contacts.joined;
    joined.assign(bodies.pose.size(), 0);
    for (const ConstraintSystem& system : compiled.joints.systems)
        for (const JointBody& b : system.bodies) {
            joined[b.body] = 1;
            if (!system.points.empty()) apart[b.body] = 1;
        }
    // concave bodies touch others by their features, and colliders one by one
    for (int i = 0; i < bodies.size(); ++i)
        if (!is_convex(bodies.shape[i])) apart[i] = 1;
    compiled.rigid_contacts.jointed = apart;
    ContactSurface& surface = compiled.surface;
    if (!surface.touching) return;
    surface.in_islands.assign(static_cast<std::size_t>(surface.bodies), 0);
    for (int i = 0; i < bodies.size(); ++i)
        surface.in_islands[surface.bodies - bodies.size() + i] = apart[i] == 0 ? 1 : 0;
    surface.only_islands = std::ranges::none_of(surface.in_islands, [](char c) { return c == 0; });
}

}  // namespace

void compile_surface(const World& world, Compiled& compiled)
{
    if (compiled.surface_from && same(*compiled.surface_from, *world.revisions)) return;
    compiled.surface = make_contact_surface(world);
    const RigidBodies& bodies = *world.rigid_bodies;
    std::vector<Real>& gap = compiled.rigid_contacts.gap = gaps_of_rigids(compiled.surface, bodies.pose.size());
    for (int i = 0; i < bodies.size(); ++i)
        if (is_convex(bodies.shape[i])) gap[i] = 0;
    compiled.collider_features = make_collider_features(compiled.surface, world.rigid_bodies);
    compiled.feature_contacts.calm.tiles.reset();
    compiled.feature_contacts.pairs.points.prepared = false;
    compiled.surface_from = *world.revisions;
}

namespace {

/// Of another world, or of this one before contact was switched off.
void drop_surface(Compiled& compiled)
{
    if (!compiled.surface_from) return;
    compiled.surface_from.reset();
    compiled.surface = {};
    compiled.collider_features = {};
}

}  // namespace

void compile(const World& world, Compiled& compiled)
{
    std::apply([&](auto... kind) { (compile_kind(world.*kind, compiled), ...); }, kBodyKinds);
    for (std::size_t c = 0; c < world.cloths.size(); ++c)
        update_pins(world.cloths[c], world.cloths[c].particles.of(world.particles->inv_mass),
                    compiled.all<ClothSystem>()[c]);
    compile_joints(world, compiled);
    if (may_touch(world) || !world.colliders.empty()) compile_surface(world, compiled);
    else drop_surface(compiled);
    choose_islands(world, compiled);
}

}  // namespace pliant
