#include "pliant/base/check_fields.h"
#include "pliant/glue/bindings.h"
#include "pliant/world/bonds.h"
#include "pliant/world/edits.h"
#include "pliant/world/internal.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {

namespace {

/// Distance of the points that carry an anchor from their centre; for a rigid body, half its size.
double width_of(const Anchor& anchor, const RigidBodies& bodies)
{
    if (anchor.body >= 0) return double(bodies.shape[anchor.body].extent) / 2;
    double square = 0;
    for (std::size_t i = 0; i < anchor.rest.size(); ++i)
        square += double(anchor.weights[i]) * double(anchor.rest[i].squared_norm());
    return std::sqrt(square);
}

/// The lever arm of rotation errors: the width of the cloud if there is one, else of the wider side.
double arm_of(const Glue& glue, const RigidBodies& bodies)
{
    if (glue.params.arm) return *glue.params.arm;
    double arm = 0;
    for (const Anchor* anchor : {&glue.a, &glue.b})
        if (anchor->kind == AnchorKind::cloud) arm = std::max(arm, width_of(*anchor, bodies));
    if (arm == 0) arm = std::max(width_of(glue.a, bodies), width_of(glue.b, bodies));
    return arm > 0 ? arm : 0.1;
}

double length_of(const Glue& glue, const World& world)
{
    if (glue.params.length) return *glue.params.length;
    const auto place = [&](const Anchor& a) { return place_of(a, world.time, world.particles, world.rigid_bodies); };
    return (place(glue.a) - place(glue.b)).norm();
}

void check_sides(const Glue& glue, const std::string& what)
{
    if (glue.a.kind == AnchorKind::motion && glue.b.kind == AnchorKind::motion)
        throw InputError(what + ": neither side can move; glue at least one to a body");
    if (glue.a.body >= 0 && glue.a.body == glue.b.body)
        throw InputError(what + ": both sides are on the same rigid body, which does not bend");
    if (holds_turn(glue.params.kind) && !(glue.a.oriented && glue.b.oriented))
        throw InputError(what +
                         ": a single particle or a mean has no orientation to weld; give more particles without "
                         "weights, or use the kind point");
}

/// Bound particles are updated after the particles that they follow, which a cycle makes impossible. That is an error:
/// softening one of the glues silently would come as a surprise.
void check_circle(const World& world, const Glue& glue, const std::string& what, int without = -1)
{
    const std::vector<int> circle = find_circle(world.glues, glue, without);
    if (circle.empty()) return;
    std::string names;
    for (const int g : circle) names += "\"" + world.glues[static_cast<std::size_t>(g)].name + "\", ";
    throw InputError(what + ": binds particles in a circle with " + names +
                     "so that none of them could go first; bind them all to the same side, or give one a stiffness");
}

void erase_glue(World& world, int index)
{
    const Glue& glue = world.glues[index];
    if (glue.on) writable(world.glue_events).push_back({world.time, GlueEventKind::released, glue.name});
    Writable::erase(world.glues, world.glues.id_at(index));
    prune_bonds(world);
    glues_changed(world);
}

/// Removes the glue for which `goes` is true.
template <class Goes>
void release_if(World& world, const Goes& goes)
{
    for (int i = static_cast<int>(world.glues.size()) - 1; i >= 0; --i)
        if (goes(world.glues[i].a) || goes(world.glues[i].b)) erase_glue(world, i);
}

}  // namespace

void glues_changed(World& world)
{
    for (const Glue& glue : world.glues)
        for (const Anchor* anchor : {&glue.a, &glue.b})
            if (anchor->body >= 0 && anchor->body < world.rigid_bodies->size())
                writable(world.rigid_bodies).wake(anchor->body);
    writable(world.revisions).glues.bump();
    writable(world.tangled) = true;
}

GlueId add_glue(World& world, Anchor a, Anchor b, const GlueParams& params, std::string name)
{
    Glue glue;
    glue.name = std::move(name);
    glue.params = params;
    glue.a = std::move(a);
    glue.b = std::move(b);
    const std::string what = title(Glue::kKind, glue.name);
    check_fields(params, what);
    check_glue(params, what);
    check_sides(glue, what);
    check_circle(world, glue, what);
    glue.arm = arm_of(glue, world.rigid_bodies);
    glue.length = length_of(glue, world);
    glue.on = wants_on(params, world.time);
    glue.attached = world.time;
    if (glue.on && world.time > 0)
        writable(world.glue_events).push_back({world.time, GlueEventKind::attached, glue.name});
    const GlueId id = Writable::append(world.glues, std::move(glue));
    glues_changed(world);
    return id;
}

void set_glue(World& world, GlueId id, const GlueParams& params)
{
    const int index = index_of(world, id, "set_glue");
    Glue changed = world.glues[index];
    changed.params = params;
    const std::string what = title(Glue::kKind, changed.name);
    check_fields(params, what);
    check_glue(params, what);
    check_sides(changed, what);
    check_circle(world, changed, what, index);
    changed.arm = arm_of(changed, world.rigid_bodies);
    if (params.length) changed.length = *params.length;
    writable(world.glues)[index] = std::move(changed);
    glues_changed(world);
}

void remove_glue(World& world, GlueId id)
{
    if (const int index = world.glues.index(id); index >= 0) erase_glue(world, index);
}

void release_from_particles(World& world, Range gone)
{
    release_if(world, [&](const Anchor& anchor) {
        return std::ranges::any_of(anchor.parents, [&](int i) { return gone.contains(i); });
    });
    for (Glue& glue : writable(world.glues))
        for (Anchor* anchor : {&glue.a, &glue.b})
            for (int& i : anchor->parents) i -= i >= gone.end() ? gone.count : 0;
    glues_changed(world);
}

void release_from_rigid(World& world, int gone)
{
    release_if(world, [&](const Anchor& anchor) { return anchor.body == gone; });
    for (Glue& glue : writable(world.glues))
        for (Anchor* anchor : {&glue.a, &glue.b}) anchor->body -= anchor->body > gone ? 1 : 0;
    glues_changed(world);
}

}  // namespace pliant
