#include "pliant/world/access.h"

#include "pliant/base/message.h"
#include "pliant/geometry/mesh.h"
#include "pliant/math/rotation.h"
#include "pliant/state/mobility.h"
#include "pliant/world/edits.h"
#include "pliant/world/internal.h"

#include <cmath>

namespace pliant {

namespace {

void check_finite(const Vec3& v, const char* what) { check_vector(v.cast<double>(), what); }

/// 1 / (total mass of the free particles of a range) [1/kg]; zero if none is free.
Real free_inverse_mass(Range range, const Particles& p)
{
    double mass = 0;
    for (int i = range.first; i < range.end(); ++i)
        if (p.inv_mass[i] > 0) mass += static_cast<double>(p.mass[i]);
    return static_cast<Real>(mass > 0 ? 1 / mass : 0);
}

/// The keyed motion from one pose to another within a time, starting at a given time.
Motion motion_between(const Vec3d& from, const Mat3d& turned_from, const Vec3d& to, const Mat3d& turned_to,
                      double start, double within, const char* what)
{
    if (!(within > 0) || !std::isfinite(within))
        throw InputError(message("{}: within must be greater than 0, is {}", what, within));
    const Mat3d r = turned_to * turned_from.transposed();
    const Mat3d apart = r * r.transposed() - Mat3d::identity();
    if (!(apart.c[0].norm() + apart.c[1].norm() + apart.c[2].norm() < 1e-6) || !(r.determinant() > 0))
        throw InputError(message("{}: rotation must be a pure rotation; remove scaling or mirroring from it", what));
    const AxisAngle turn = axis_angle_of(r);
    Motion motion;
    motion.pivot = from;
    motion.axis = turn.axis;
    motion.keys = {{start, {}, 0}, {start + within, to - from, turn.degrees}};
    return motion;
}

}  // namespace

std::vector<Vec3> normals(const World& world, ClothId id)
{
    std::vector<Vec3d> x;
    for (const Vec3& p : positions(world, id)) x.push_back(p.cast<double>());
    std::vector<Vec3> all;
    for (const Vec3d& n : vertex_normals(x, *get(world, id).triangles)) all.push_back(n.cast<Real>());
    return all;
}

const Pose& pose(const World& world, RigidId id) { return world.rigid_bodies->pose[index_of(world, id, "pose")]; }
Vec3 velocity(const World& world, RigidId id) { return world.rigid_bodies->v[index_of(world, id, "velocity")]; }
Vec3 angular_velocity(const World& world, RigidId id)
{
    return world.rigid_bodies->w[index_of(world, id, "angular_velocity")];
}

int detail::particle_of(const std::string& body, Range range, int particle, const char* what)
{
    if (particle < 0 || particle >= range.count)
        throw InputError(message("{}: there is no particle {}; \"{}\" has {}", what, particle, body, range.count));
    return range.first + particle;
}

void detail::set_position(World& world, int particle, const Vec3& x)
{
    check_finite(x, "set_position");
    Particles& p = writable(world.particles);
    p.put(particle, x);
    moved_by_hand(world);
}

void detail::set_velocity(World& world, int particle, const Vec3& v)
{
    check_finite(v, "set_velocity");
    if (world.particles->inv_mass[particle] > 0) writable(world.particles).v[particle] = v;
}

void detail::add_impulse(World& world, Range range, const Vec3& impulse)
{
    check_finite(impulse, "add_impulse");
    Particles& p = writable(world.particles);
    const Vec3 change = free_inverse_mass(range, p) * impulse;
    for (int i = range.first; i < range.end(); ++i)
        if (p.inv_mass[i] > 0) p.v[i] += change;
}

void detail::add_force(World& world, Range range, const Vec3& force)
{
    check_finite(force, "add_force");
    AppliedForce applied;
    applied.particles = range;
    applied.acceleration = free_inverse_mass(range, world.particles) * force;
    writable(world.applied_forces).push_back(applied);
}

void set_position(World& world, RigidId id, const Vec3& center)
{
    const int i = index_of(world, id, "set_position");
    check_finite(center, "set_position");
    wake_around(world, i);
    RigidBodies& bodies = writable(world.rigid_bodies);
    bodies.pose[i].x = center;
    bodies.pose[i].x_low = {};
    bodies.pose_prev[i] = bodies.pose[i];
    for (HeldRigid& held : writable(world.drivers).held)
        if (held.body == i) held.set_rest(bodies.pose[i]);
    wake_around(world, i);
    moved_by_hand(world);
}

void set_velocity(World& world, RigidId id, const Vec3& v, const Vec3& w)
{
    const int i = index_of(world, id, "set_velocity");
    check_finite(v, "set_velocity");
    check_finite(w, "set_velocity");
    RigidBodies& bodies = writable(world.rigid_bodies);
    bodies.wake(i);
    if (bodies.inv_mass[i] == 0) return;
    bodies.v[i] = v;
    set_angular_velocity(i, w, bodies);
}

void add_impulse(World& world, RigidId id, const Vec3& impulse, const Vec3& at)
{
    const int i = index_of(world, id, "add_impulse");
    check_finite(impulse, "add_impulse");
    check_finite(at, "add_impulse");
    writable(world.rigid_bodies).wake(i);
    push_at(i, at, impulse, writable(world.rigid_bodies));
}

void add_force(World& world, RigidId id, const Vec3& force, const Vec3& at)
{
    const int i = index_of(world, id, "add_force");
    check_finite(force, "add_force");
    check_finite(at, "add_force");
    writable(world.rigid_bodies).wake(i);
    AppliedForce applied;
    applied.rigid = i;
    applied.force = force;
    applied.point = to_body(world.rigid_bodies->pose[i], at);
    writable(world.applied_forces).push_back(applied);
}

void move_collider(World& world, ColliderId id, const Vec3d& position, const Mat3d& rotation, double within)
{
    Collider& collider = writable(world.colliders)[index_of(world, id, "move_collider")];
    const RigidMap now = motion_at(collider.motion, world.time);
    const Mat3d turned = now.rotation * rotation_of(collider.rotation);
    const Vec3d from = now(collider.position);
    const Motion motion = motion_between(from, turned, position, rotation, world.time, within, "move_collider");
    collider.position = from;
    collider.rotation = axis_angle_of(turned).vector();
    collider.motion = motion;
}

void move_rigid(World& world, RigidId id, const Vec3d& center, const Mat3d& rotation, double within)
{
    const Pose& pose = world.rigid_bodies->pose[index_of(world, id, "move_rigid")];
    const Vec3d from = pose.x.cast<double>() + pose.x_low.cast<double>();
    const Mat3d turned = (pose.q.cast<double>() + pose.q_low.cast<double>()).matrix();
    hold_rigid(world, id, motion_between(from, turned, center, rotation, world.time, within, "move_rigid"));
}

}  // namespace pliant
