#include "pliant/base/check_fields.h"
#include "pliant/solids/make_solid.h"
#include "pliant/world/edits.h"
#include "pliant/world/internal.h"

#include <utility>

namespace pliant {

void bodies_changed(World& world)
{
    writable(world.revisions).bodies.bump();
    writable(world.tangled) = true;
}

namespace {

std::string title(const char* kind, const std::string& name) { return std::string(kind) + " \"" + name + "\""; }

}  // namespace

SolidId add_solid(World& world, const SolidShape& shape, const SolidParams& params, std::string name)
{
    check_fields(params, title(Solid::kKind, name));
    Solid solid = make_solid(shape, params);
    solid.name = std::move(name);
    std::vector<Vec3d> start(shape.points.size());
    for (std::size_t k = 0; k < start.size(); ++k) start[solid.particle_of_point[k]] = shape.points[k];
    solid.particles = writable(world.particles).append(start, solid.mass, contact_radius(solid));
    bodies_changed(world);
    return Writable::append(world.solids, std::move(solid));
}

ClothId add_cloth(World& world, const SurfaceMesh& mesh, const ClothParams& params, std::string name)
{
    check_fields(params, title(Cloth::kKind, name));
    std::vector<std::string> notes;
    Cloth cloth = make_cloth(clean_sheet(mesh, notes), params);
    cloth.name = std::move(name);
    cloth.notes = std::move(notes);
    cloth.particles = writable(world.particles).append(cloth.rest.vertices, cloth.mass, params.thickness / 2);
    bodies_changed(world);
    return Writable::append(world.cloths, std::move(cloth));
}

RodId add_rod(World& world, const std::vector<Strand>& strands, const RodParams& params, std::string name)
{
    check_fields(params, title(Rod::kKind, name));
    Rod rod = make_rod(strands, params);
    rod.name = std::move(name);
    Particles& particles = writable(world.particles);
    rod.particles = particles.append(rod.rest, rod.mass, params.radius);
    for (const Rod::Edge& edge : rod.edges) particles.radius[rod.particles.first + edge.ghost] = Particles::kGhost;
    bodies_changed(world);
    return Writable::append(world.rods, std::move(rod));
}

RigidId add_rigid(World& world, const RigidForm& form, const RigidParams& params, std::string name)
{
    check_fields(params, title(Rigid::kKind, name));
    Rigid rigid = make_rigid(form, params);
    rigid.name = std::move(name);
    RigidBodies& bodies = writable(world.rigid_bodies);
    const int i = bodies.append();
    bodies.pose[i] = bodies.pose_prev[i] = rigid.pose_of(Mat3d::identity(), {});
    bodies.mass[i] = static_cast<Real>(rigid.properties.mass);
    bodies.inertia[i] = rigid.properties.moments.cast<Real>();
    bodies.shape[i] = make_rigid_shape(form, rigid);
    bodies.friction[i] = params.friction.value_or(Real(-1));
    bodies.restitution[i] = params.restitution.value_or(Real(-1));
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
    return Writable::append(world.colliders, collider);
}

void set_collider(World& world, ColliderId id, const Collider& collider)
{
    check_collider(collider);
    writable(world.colliders)[index_of(world, id, "set_collider")] = collider;
}

}  // namespace pliant
