#include "pliant/base/check_fields.h"
#include "pliant/solids/make_solid.h"
#include "pliant/world/body_edits.h"

#include <utility>

namespace pliant {

namespace {

/// The checks that all kinds share. Returns the body to change.
template <class Body, class Params>
Body& begin_set(World& world, Id<Body> id, const Params& params, const char* what)
{
    Body& body = writable(list_of(world, id))[index_of(world, id, what)];
    check_fields(params, title(Body::kKind, body.name));
    return body;
}

bool same_frame(const MassProperties& a, const MassProperties& b)
{
    return a.center == b.center && a.axes.c[0] == b.axes.c[0] && a.axes.c[1] == b.axes.c[1] &&
           a.axes.c[2] == b.axes.c[2];
}

}  // namespace

void update_particles(World& world, Range range, std::span<const double> mass, Real contact_radius)
{
    Particles& p = writable(world.particles);
    if (p.radius[range.first] != contact_radius) bodies_changed(world);
    for (int k = 0; k < range.count; ++k) {
        const int i = range.first + k;
        p.mass[i] = static_cast<Real>(mass[k]);
        if (p.inv_mass[i] != 0) p.inv_mass[i] = static_cast<Real>(1 / mass[k]);
        if (!p.is_ghost(i)) p.radius[i] = contact_radius;
    }
}

void set_solid(World& world, SolidId id, const SolidParams& params)
{
    Solid& solid = begin_set(world, id, params, "set_solid");
    set_params(params, solid);
    update_particles(world, solid.particles, solid.mass, contact_radius(solid));
}

void set_cloth(World& world, ClothId id, const ClothParams& params)
{
    Cloth& cloth = begin_set(world, id, params, "set_cloth");
    set_params(params, cloth);
    update_particles(world, cloth.particles, cloth.mass, thickness_of(cloth) / 2);
}

void set_rod(World& world, RodId id, const RodParams& params)
{
    Rod& rod = begin_set(world, id, params, "set_rod");
    set_params(params, rod);
    update_particles(world, rod.particles, rod.mass, params.radius);
}

void set_rigid(World& world, RigidId id, const RigidParams& params)
{
    Rigid& rigid = begin_set(world, id, params, "set_rigid");
    Rigid changed = make_rigid(rigid.form, params);
    changed.name = rigid.name;
    changed.source = rigid.source;
    const int i = world.rigids.index(id);
    wake_around(world, i);
    RigidBodies& bodies = writable(world.rigid_bodies);
    const bool held = bodies.inv_mass[i] == 0;
    const Vec3 w = bodies.w[i];
    if (!same_frame(changed.properties, rigid.properties)) {  // a given inertia: the form stays where it is
        const Pose& pose = bodies.pose[i];
        const Mat3d turned = (pose.q.cast<double>() + pose.q_low.cast<double>()).matrix();
        const Mat3d form = turned * rigid.properties.axes.transposed();
        const Vec3d center = pose.x.cast<double>() + pose.x_low.cast<double>();
        bodies.pose[i] = bodies.pose_prev[i] = changed.pose_of(form, center - form * rigid.properties.center);
    }
    set_numbers(changed, i, bodies);
    rigid = std::move(changed);
    if (held) return bodies_changed(world);
    bodies.release(i);
    set_angular_velocity(i, w, bodies);
    bodies_changed(world);
}

void set_contact(World& world, const ContactParams& params)
{
    check_fields(params, "contact");
    writable(world.contact) = params;
    wake_all(world);
    writable(world.revisions).contact.bump();
    writable(world.tangled) = true;
}

void set_contact_filter(World& world, const BodyRef& a, const BodyRef& b, bool touch)
{
    for (const BodyRef& ref : {a, b})
        if (std::holds_alternative<ColliderId>(ref))
            throw InputError(
                "set_contact_filter: colliders touch all bodies; filter two bodies, or move the collider away");
    std::vector<ContactFilter>& filters = writable(world.contact_filters);
    std::erase_if(filters, [&](const ContactFilter& f) { return (f.a == a && f.b == b) || (f.a == b && f.b == a); });
    filters.push_back({a, b, touch});
    wake_all(world);
    writable(world.revisions).contact.bump();
    writable(world.tangled) = true;
}

void set_settings(World& world, const Settings& settings)
{
    check_fields(settings, "settings");
    writable(world.settings) = settings;
}

void set_forces(World& world, const Forces& forces)
{
    check_fields(forces, "forces");
    writable(world.forces) = forces;
    wake_all(world);
}

}  // namespace pliant
