#include "pliant/world/body_edits.h"
#include "pliant/world/measure.h"

namespace pliant {

namespace {

void place(Range range, const Placement& placement, Particles& p)
{
    for (int i = range.first; i < range.end(); ++i) {
        p.put(i, (placement.linear * p.position(i) + placement.position).cast<Real>());
    }
    const Vec3d center = center_of_mass(p, range);
    for (int i = range.first; i < range.end(); ++i) {
        p.v[i] = (placement.velocity + placement.angular_velocity.cross(p.x[i].cast<double>() - center)).cast<Real>();
    }
}

}  // namespace

void place_particles(World& world, Range range, const Placement& placement, const char* what)
{
    check_placement(placement, range.of(world.particles->x), what);
    place(range, placement, writable(world.particles));
    moved_by_hand(world);
}

void place_solid(World& world, SolidId id, const Placement& placement)
{
    place_body(world, id, placement, "place_solid");
}

void place_cloth(World& world, ClothId id, const Placement& placement)
{
    place_body(world, id, placement, "place_cloth");
}

void place_rod(World& world, RodId id, const Placement& placement) { place_body(world, id, placement, "place_rod"); }

void place_rigid(World& world, RigidId id, const Placement& placement)
{
    const int index = index_of(world, id, "place_rigid");
    const Mat3d apart = placement.linear * placement.linear.transposed() - Mat3d::identity();
    if (!(apart.c[0].norm() + apart.c[1].norm() + apart.c[2].norm() < 1e-6) || placement.linear.determinant() < 0)
        throw InputError("place_rigid: a rigid body can be rotated, but not scaled or mirrored");
    check_placement(placement, {}, "place_rigid");
    RigidBodies& bodies = writable(world.rigid_bodies);
    wake_around(world, index);
    moved_by_hand(world);
    bodies.pose[index] = bodies.pose_prev[index] = world.rigids[index].pose_of(placement.linear, placement.position);
    for (HeldRigid& held : writable(world.drivers).held)
        if (held.body == index) held.set_rest(bodies.pose[index]);
    wake_around(world, index);
    if (bodies.inv_mass[index] == 0) return;
    bodies.v[index] = placement.velocity.cast<Real>();
    set_angular_velocity(index, placement.angular_velocity.cast<Real>(), bodies);
}

}  // namespace pliant
