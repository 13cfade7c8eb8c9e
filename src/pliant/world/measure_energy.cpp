#include "pliant/cloth/cloth_system.h"
#include "pliant/rods/measure_rod.h"
#include "pliant/solids/measure_solid.h"
#include "pliant/world/measure.h"

namespace pliant {

namespace {

/// Half a square of the rows that a soft glue holds, times its stiffness: see glue/joint_rows.h. Limits and ropes are hard.
double glue_energy(const Glue& glue, double time, const Particles& p, const RigidBodies& b)
{
    const double k = glue.on ? stiffness_at(glue.params, time) : -1;
    const GlueKind kind = glue.params.kind;
    if (!(k > 0) || kind == GlueKind::distance || time < glue.attached) return 0;
    const double left = remaining_part(glue, time);
    Vec3d apart = place_of(glue.a, time, p, b) - place_of(glue.b, time, p, b) - left * glue.gap.cast<double>();
    const Mat3d held = rotation_of(glue.b, time, p, b);
    const Vec3d axis = held * glue.params.axis.normalized();
    if (kind == GlueKind::slider) apart -= apart.dot(axis) * axis;
    double squares = apart.squared_norm();
    if (kind == GlueKind::point || kind == GlueKind::ball) return 0.5 * k * squares;
    const Quatd wanted = quaternion_of_turn(left * glue.turn_gap.cast<double>());
    const Mat3d turned = rotation_of(glue.a, time, p, b);
    Vec3d turn = turn_of(quaternion_of(turned * held.transposed()) * wanted.conjugate());
    if (kind == GlueKind::hinge) turn = axis.cross(turned * glue.params.axis.normalized());
    squares += glue.arm * glue.arm * turn.squared_norm();
    return 0.5 * k * squares;
}

void add_elastic_energy(const World& world, Energy& energy)
{
    const Particles& p = *world.particles;
    std::vector<Vec3d> x;
    const auto sum_over = [&](const auto& bodies, const auto& energy_of) {
        double sum = 0;
        for (const auto& body : bodies) {
            x.clear();
            for (int i = body.particles.first; i < body.particles.end(); ++i) x.push_back(p.position(i));
            sum += energy_of(body);
        }
        return sum;
    };
    const double h =
        *world.substep > 0 ? double(*world.substep) : double(world.settings->dt) / world.settings->substeps.value_or(1);
    const double solids = sum_over(world.solids, [&](const Solid& solid) { return elastic_energy(solid, x, h); });
    energy.beside = sum_over(world.cloths, [&](const Cloth& cloth) { return elastic_energy(cloth, x); });
    energy.beside += sum_over(world.rods, [&](const Rod& rod) { return elastic_energy(rod, x, world.time); });
    for (const Glue& glue : world.glues) energy.beside += glue_energy(glue, world.time, p, *world.rigid_bodies);
    energy.elastic = solids + energy.beside;
    energy.potential += solids;
}

/// The work of gravity on what is free to fall, in one substep with the velocities that there are.
double work_of_gravity(const World& world, double h)
{
    Vec3d momentum;
    for (int i = 0; i < world.particles->size(); ++i)
        if (world.particles->inv_mass[i] > 0)
            momentum += double(world.particles->mass[i]) * world.particles->v[i].cast<double>();
    for (int i = 0; i < world.rigid_bodies->size(); ++i)
        if (world.rigid_bodies->inv_mass[i] > 0) momentum += linear_momentum(world.rigid_bodies, i);
    return h * world.forces->gravity.cast<double>().dot(momentum);
}

}  // namespace

Energy measure_energy(const World& world)
{
    Energy energy;
    const Particles& p = *world.particles;
    const RigidBodies& b = *world.rigid_bodies;
    const Vec3d g = world.forces->gravity.cast<double>();
    for (int i = 0; i < p.size(); ++i) {
        energy.kinetic += 0.5 * double(p.mass[i]) * p.v[i].cast<double>().squared_norm();
        energy.potential -= double(p.mass[i]) * g.dot(p.position(i));
    }
    for (int i = 0; i < b.size(); ++i) {
        const Vec3d at = exact_position(b.pose[i]), spin = angular_momentum(b, i, b.pose[i].x.cast<double>());
        energy.kinetic +=
            0.5 * (double(b.mass[i]) * b.v[i].cast<double>().squared_norm() + b.w[i].cast<double>().dot(spin));
        energy.potential -= double(b.mass[i]) * g.dot(at);
    }
    add_elastic_energy(world, energy);
    energy.kinetic += 0.5 * work_of_gravity(world, double(*world.substep));
    if (energy.kinetic < 0) energy.kinetic = 0;  // not by max, which would hide what is not finite
    return energy;
}

}  // namespace pliant
