#include "pliant/base/check.h"
#include "pliant/world/edits.h"
#include "pliant/world/glue_edits.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {

namespace {

template <class Body>
const Body& find_body(Id<Body> id, const std::vector<Body>& bodies, const IdTable<Body>& ids, const char* kind)
{
    const int index = ids.index(id);
    if (index < 0) throw InputError(std::string("glue: this ") + kind + " has been removed");
    return bodies[static_cast<std::size_t>(index)];
}

Anchor anchor_near(const World& world, Range range, const Vec3d& at, const std::string& name)
{
    std::vector<Vec3d> candidates;
    for (int i = range.first; i < range.end(); ++i) candidates.push_back(world.particles.x[i].cast<double>());
    Parents chosen = choose_parents(at, candidates);
    if (chosen.particles.empty())
        throw InputError("glue: the particles of \"" + name +
                         "\" lie on a line or in one place, and have no orientation; glue one of them by its number");
    for (int& i : chosen.particles) i += range.first;
    return anchor_on_particles(world.particles, chosen.particles, at);
}

double squared_distance(const Vec3d& at, const Vec3d& a, const Vec3d& b)
{
    const Vec3d along = b - a;
    const double s = along.squared_norm() > 0 ? std::clamp((at - a).dot(along) / along.squared_norm(), 0.0, 1.0) : 0;
    return (at - a - s * along).squared_norm();
}

/// How far the points that carry an anchor are from their centre; of a rigid body, half of its own size.
double width_of(const Anchor& anchor, const RigidBodies& bodies)
{
    if (anchor.body >= 0) return double(bodies.shape[anchor.body].extent) / 2;
    double square = 0;
    for (std::size_t i = 0; i < anchor.rest.size(); ++i)
        square += double(anchor.weights[i]) * double(anchor.rest[i].squared_norm());
    return std::sqrt(square);
}

/// Wide enough to be felt by all parents: a cloud says so where there is one.
double arm_of(const Glue& glue, const RigidBodies& bodies)
{
    if (glue.params.arm) return *glue.params.arm;
    double arm = 0;
    for (const Anchor* anchor : {&glue.a, &glue.b})
        if (anchor->kind == AnchorKind::cloud) arm = std::max(arm, width_of(*anchor, bodies));
    if (arm == 0) arm = std::max(width_of(glue.a, bodies), width_of(glue.b, bodies));
    return arm > 0 ? arm : 0.1;
}

void check_sides(const Glue& glue, const std::string& what)
{
    if (glue.a.kind == AnchorKind::motion && glue.b.kind == AnchorKind::motion)
        throw InputError(what + ": neither side can move; glue at least one to a body");
    if (glue.a.body >= 0 && glue.a.body == glue.b.body)
        throw InputError(what + ": both sides are on the same rigid body, which does not bend");
    if (glue.params.kind == GlueKind::weld && !(glue.a.oriented && glue.b.oriented))
        throw InputError(what +
                         ": a single particle or a mean has no orientation to weld; give more particles without "
                         "weights, or use the kind point");
}

/// Followers need an order, parents first. Refused instead of made soft, since a glue that gives way where it is said to
/// be hard would come as a surprise.
void check_circle(const World& world, const Glue& glue, const std::string& what, int without = -1)
{
    const std::vector<int> circle = world.bindings.find_circle(world.glues, glue, without);
    if (circle.empty()) return;
    std::string names;
    for (const int g : circle) names += "\"" + world.glues[static_cast<std::size_t>(g)].name + "\", ";
    throw InputError(what + ": binds particles in a circle with " + names +
                     "so that none of them could go first; bind them all to the same side, or give one a stiffness");
}

void glues_changed(World& world)
{
    world.bindings = Bindings(world.glues);
    world.joints.stale = world.surface.stale = true;
}

void erase_glue(World& world, int index)
{
    const Glue& glue = world.glues[static_cast<std::size_t>(index)];
    if (glue.on) world.glue_events.push_back({world.time, GlueEventKind::released, glue.name});
    world.glue_ids.remove(world.glue_ids.id_at(index));
    world.glues.erase(world.glues.begin() + index);
    glues_changed(world);
}

/// Takes away the glue that `goes` names.
template <class Goes>
void release_if(World& world, const Goes& goes)
{
    for (int i = static_cast<int>(world.glues.size()) - 1; i >= 0; --i)
        if (goes(world.glues[i].a) || goes(world.glues[i].b)) erase_glue(world, i);
}

}  // namespace

Anchor anchor_on(const World& world, SolidId id, const Vec3d& at)
{
    const Solid& solid = find_body(id, world.solids, world.solid_ids, "solid");
    return anchor_near(world, solid.particles, at, solid.name);
}

Anchor anchor_on(const World& world, ClothId id, const Vec3d& at)
{
    const Cloth& cloth = find_body(id, world.cloths, world.cloth_ids, "cloth");
    return anchor_near(world, cloth.particles, at, cloth.name);
}

Anchor anchor_on(const World& world, RigidId id, const Vec3d& at)
{
    find_body(id, world.rigids, world.rigid_ids, "rigid body");
    return anchor_on_rigid(world.rigid_bodies, world.rigid_ids.index(id), at);
}

Anchor anchor_on(const World& world, RodId id, const Vec3d& at, GlueKind kind)
{
    const Rod& rod = find_body(id, world.rods, world.rod_ids, "rod");
    const auto place = [&](int p) { return world.particles.x[rod.particles.first + p].cast<double>(); };
    const Rod::Edge* nearest = &rod.edges.front();
    const auto distance = [&](const Rod::Edge& e) { return squared_distance(at, place(e.p0), place(e.p1)); };
    for (const Rod::Edge& edge : rod.edges)
        if (distance(edge) < distance(*nearest)) nearest = &edge;
    constexpr double kSamePoint = 1e-3;  // of an edge
    for (const int p : {nearest->p0, nearest->p1})
        if (kind == GlueKind::point && (place(p) - at).norm() < kSamePoint * double(nearest->length))
            return anchor_on_particles(world.particles, std::vector{rod.particles.first + p}, at);
    const int first = rod.particles.first;
    return anchor_on_particles(world.particles,
                               std::vector{first + nearest->p0, first + nearest->p1, first + nearest->ghost}, at);
}

GlueId add_glue(World& world, Anchor a, Anchor b, const GlueParams& params, std::string name)
{
    Glue glue;
    glue.name = std::move(name);
    glue.params = params;
    glue.a = std::move(a);
    glue.b = std::move(b);
    const std::string what = "glue \"" + glue.name + "\"";
    check_glue(params, what);
    check_sides(glue, what);
    check_circle(world, glue, what);
    glue.arm = arm_of(glue, world.rigid_bodies);
    glue.on = wants_on(params, world.time);
    glue.attached = world.time;
    if (glue.on && world.time > 0) world.glue_events.push_back({world.time, GlueEventKind::attached, glue.name});
    world.bindings.add(static_cast<int>(world.glues.size()), glue);
    world.glues.push_back(std::move(glue));
    world.joints.stale = world.surface.stale = true;
    return world.glue_ids.add();
}

void set_glue(World& world, GlueId id, const GlueParams& params)
{
    const int index = world.glue_ids.index(id);
    if (index < 0) throw InputError("set_glue: this glue has been removed");
    Glue changed = world.glues[static_cast<std::size_t>(index)];
    changed.params = params;
    const std::string what = "glue \"" + changed.name + "\"";
    check_glue(params, what);
    check_sides(changed, what);
    check_circle(world, changed, what, index);
    changed.arm = arm_of(changed, world.rigid_bodies);
    world.glues[static_cast<std::size_t>(index)] = std::move(changed);
    glues_changed(world);
}

void remove_glue(World& world, GlueId id)
{
    if (const int index = world.glue_ids.index(id); index >= 0) erase_glue(world, index);
}

void release_from_particles(World& world, Range gone)
{
    release_if(world, [&](const Anchor& anchor) {
        return std::ranges::any_of(anchor.parents, [&](int i) { return gone.contains(i); });
    });
    for (Glue& glue : world.glues)
        for (Anchor* anchor : {&glue.a, &glue.b})
            for (int& i : anchor->parents) i -= i >= gone.end() ? gone.count : 0;
    glues_changed(world);
}

void release_from_rigid(World& world, int gone)
{
    release_if(world, [&](const Anchor& anchor) { return anchor.body == gone; });
    for (Glue& glue : world.glues)
        for (Anchor* anchor : {&glue.a, &glue.b}) anchor->body -= anchor->body > gone ? 1 : 0;
    glues_changed(world);
}

}  // namespace pliant
