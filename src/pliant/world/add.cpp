#include "pliant/base/check_fields.h"
#include "pliant/solids/make_solid.h"
#include "pliant/world/body_edits.h"

#include <utility>

namespace pliant {

void bodies_changed(World& world)
{
    writable(world.revisions).bodies.bump();
    writable(world.tangled) = true;
}

SolidId add_solid(World& world, const SolidShape& shape, const SolidParams& params, std::string name)
{
    check_fields(params, title(Solid::kKind, name));
    check_indices(shape, title(Solid::kKind, name));
    Solid solid = make_solid(shape, params);
    std::vector<Vec3d> start(shape.points.size());
    for (std::size_t k = 0; k < start.size(); ++k) start[solid.particle_of_point[k]] = shape.points[k];
    const Real radius = contact_radius(solid);
    return add_body(world, std::move(solid), start, radius, std::move(name));
}

ClothId add_cloth(World& world, const SurfaceMesh& mesh, const ClothParams& params, std::string name)
{
    check_fields(params, title(Cloth::kKind, name));
    std::vector<std::string> notes;
    Cloth cloth = make_cloth(clean_sheet(mesh, notes), params);
    cloth.notes = std::move(notes);
    const std::vector<Vec3d> start = cloth.rest.vertices;
    const Real radius = thickness_of(cloth) / 2;
    return add_body(world, std::move(cloth), start, radius, std::move(name));
}

RodId add_rod(World& world, const std::vector<Strand>& strands, const RodParams& params, std::string name)
{
    check_fields(params, title(Rod::kKind, name));
    Rod rod = make_rod(strands, params);
    const std::vector<Vec3d> start = rod.rest;
    const RodId id = add_body(world, std::move(rod), start, params.radius, std::move(name));
    const Rod& added = world.rods.back();
    std::vector<Real>& radius = writable(world.particles).radius;
    for (const Rod::Edge& edge : added.edges) radius[added.particles.first + edge.ghost] = Particles::kGhost;
    return id;
}

RigidId add_rigid(World& world, const RigidForm& form, const RigidParams& params, std::string name)
{
    check_fields(params, title(Rigid::kKind, name));
    detail::check_value(form.kind, {}, title(Rigid::kKind, name) + ": kind");
    Rigid rigid = make_rigid(form, params);
    rigid.name = std::move(name);
    RigidBodies& bodies = writable(world.rigid_bodies);
    const int i = bodies.append();
    forget_pushes(world);
    bodies.pose[i] = bodies.pose_prev[i] = rigid.pose_of(Mat3d::identity(), {});
    set_numbers(rigid, i, bodies);
    bodies.release(i);
    bodies_changed(world);
    return Writable::append(world.rigids, std::move(rigid));
}

namespace {

void check_collider(const Collider& collider)
{
    const std::string what = title(Collider::kKind, collider.name);
    check_fields(collider, what);
    check_motion(collider.motion, what.c_str());
    if (collider.shape == ColliderShape::mesh && collider.mesh == nullptr)
        throw InputError(what + " has no mesh; give it one by make_collider_mesh");
}

}  // namespace

ColliderId add_collider(World& world, const Collider& collider)
{
    check_collider(collider);
    wake_at(world, collider);
    return Writable::append(world.colliders, collider);
}

void set_collider(World& world, ColliderId id, const Collider& collider)
{
    check_collider(collider);
    Collider& changed = writable(world.colliders)[index_of(world, id, "set_collider")];
    wake_at(world, changed);
    changed = collider;
    wake_at(world, changed);
}

}  // namespace pliant
