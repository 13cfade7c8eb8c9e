#include "pliant/base/check.h"
#include "pliant/world/edits.h"
#include "pliant/world/glue_edits.h"

#include <utility>

namespace pliant {

namespace {

void set_rest(const Pose& pose, HeldRigid& held)
{
    held.x = pose.x.cast<double>() + pose.x_low.cast<double>();
    held.rotation = (pose.q.cast<double>() + pose.q_low.cast<double>()).matrix();
}

}  // namespace

RigidId add_rigid(World& world, const RigidForm& form, const RigidParams& params, std::string name)
{
    Rigid rigid = make_rigid(form, params);
    rigid.name = std::move(name);
    RigidBodies& bodies = world.rigid_bodies;
    world.surface.stale = true;
    const int i = bodies.append();
    bodies.pose[i] = bodies.pose_prev[i] = rigid.pose_of(Mat3d::identity(), {});
    bodies.mass[i] = static_cast<Real>(rigid.properties.mass);
    bodies.inertia[i] = rigid.properties.moments.cast<Real>();
    bodies.shape[i] = make_rigid_shape(form, rigid);
    bodies.friction[i] = params.friction.value_or(Real(-1));
    bodies.restitution[i] = params.restitution.value_or(Real(-1));
    bodies.release(i);
    world.rigids.push_back(std::move(rigid));
    return world.rigid_ids.add();
}

void hold_rigid(World& world, RigidId id, const Motion& motion, double release)
{
    const int index = world.rigid_ids.index(id);
    if (index < 0) throw InputError("hold_rigid: this rigid body has been removed");
    check_motion(motion, "hold_rigid");
    std::erase_if(world.drivers.held, [&](const HeldRigid& held) { return held.body == index; });
    HeldRigid held;
    held.body = index;
    set_rest(world.rigid_bodies.pose[index], held);
    held.motion = motion;
    held.release = release;
    world.rigid_bodies.hold(index);
    world.drivers.held.push_back(std::move(held));
}

void place_rigid(World& world, RigidId id, const Placement& placement)
{
    const int index = world.rigid_ids.index(id);
    if (index < 0) throw InputError("place_rigid: this rigid body has been removed");
    const Mat3d apart = placement.linear * placement.linear.transposed() - Mat3d::identity();
    if (!(apart.c[0].norm() + apart.c[1].norm() + apart.c[2].norm() < 1e-6) || placement.linear.determinant() < 0)
        throw InputError("place_rigid: a rigid body can be turned, but neither stretched nor mirrored");
    RigidBodies& bodies = world.rigid_bodies;
    bodies.pose[index] = bodies.pose_prev[index] = world.rigids[index].pose_of(placement.linear, placement.position);
    for (HeldRigid& held : world.drivers.held)
        if (held.body == index) set_rest(bodies.pose[index], held);
    if (bodies.inv_mass[index] == 0) return;
    bodies.v[index] = placement.velocity.cast<Real>();
    set_angular_velocity(index, placement.angular_velocity.cast<Real>(), bodies);
}

void remove_rigid(World& world, RigidId id)
{
    const int gone = world.rigid_ids.index(id);
    if (gone < 0) return;
    std::erase_if(world.drivers.held, [&](const HeldRigid& held) { return held.body == gone; });
    for (HeldRigid& held : world.drivers.held) held.body -= held.body > gone ? 1 : 0;
    release_from_rigid(world, gone);
    world.surface.stale = true;
    world.rigid_bodies.erase(gone);
    world.rigids.erase(world.rigids.begin() + gone);
    world.rigid_ids.remove(id);
}

}  // namespace pliant
