#include "pliant/solver/closing.h"

#include "pliant/shape/balance.h"
#include "pliant/shape/inertia.h"
#include "pliant/solver/compiled.h"
#include "pliant/state/writable.h"
#include "pliant/world/bodies.h"

namespace pliant {

namespace {

Mat3d inertia_of_rigid(const RigidBodies& bodies, int body)
{
    const Mat3d turned = bodies.pose[body].rotation().cast<double>();
    return turned * Mat3d::diagonal(bodies.inertia[body].cast<double>()) * turned.transposed();
}

void measure_particles(const Particles& p, WholeBody& whole)
{
    double mass = 0;
    const Range range = whole.particles;
    const Vec3d origin = p.position(range.first);
    Vec3d moment;
    for (int i = range.first; i < range.end(); ++i) {
        mass += double(p.mass[i]);
        moment += double(p.mass[i]) * (p.position(i) - origin);
    }
    whole.center = origin + (1 / mass) * moment;
    for (int i = range.first; i < range.end(); ++i) {
        const Vec3d r = p.position(i) - whole.center;
        const Mat3d cross = Mat3d::skew(r);
        whole.inertia += double(p.mass[i]) * (cross.transposed() * cross);
    }
}

WholeBody make_rigid_whole(int body, const RigidBodies& bodies)
{
    WholeBody out{.rigid = body, .free = bodies.inv_mass[body] > 0};
    if (out.free) out.inertia = inertia_of_rigid(bodies, body);
    return out;
}

WholeBody make_whole(int particle, const World& world)
{
    WholeBody out;
    for_each_body(world, [&](const auto& body) {
        if (particles_of(body).contains(particle)) out.particles = particles_of(body);
    });
    out.free = out.particles.count > 0 && !any_pinned(out.particles, world.particles);
    if (out.free) measure_particles(world.particles, out);
    return out;
}

/// Measured once in a substep; null for what is keyed.
const WholeBody* whole_of(const JointEnd& end, const ConstraintSystem& system, const World& world, Compiled& c)
{
    if (end.kind == AnchorKind::motion) return nullptr;
    const int particle = end.body >= 0 ? -1 : system.points[c.joints.parents[end.first_parent].point].particle;
    for (const WholeBody& known : c.closing)
        if (end.body >= 0 ? known.rigid == end.body : known.particles.contains(particle)) return &known;
    c.closing.push_back(end.body >= 0 ? make_rigid_whole(end.body, world.rigid_bodies) : make_whole(particle, world));
    return &c.closing.back();
}

void turn(const WholeBody& whole, const Vec3d& spin, World& world)
{
    if (whole.rigid >= 0) {
        RigidBodies& bodies = writable(world.rigid_bodies);
        bodies.spin[whole.rigid] += (whole.inertia * spin).cast<Real>();
        bodies.w[whole.rigid] = times_inverse_inertia(bodies, whole.rigid, bodies.spin[whole.rigid]);
        return;
    }
    Particles& p = writable(world.particles);
    for (int i = whole.particles.first; i < whole.particles.end(); ++i)
        p.v[i] += spin.cross(p.position(i) - whole.center).cast<Real>();
}

}  // namespace

void keep_angular_momentum(Real h, World& world, Compiled& compiled)
{
    compiled.closing.clear();
    compiled.closing.reserve(world.solids.size() + world.cloths.size() + world.rods.size() + world.rigids.size());
    for (const Joint& joint : compiled.joints.joints) {
        const ConstraintSystem& system = compiled.joints.systems[joint.system];
        if (!joint.on || !system.active) continue;
        const Vec3d lever = lever_of_pushes(joint, system);
        if (lever == Vec3d{}) continue;
        const WholeBody* a = whole_of(joint.end[0], system, world, compiled);
        const WholeBody* b = whole_of(joint.end[1], system, world, compiled);
        if (a == nullptr || b == nullptr || a == b || !a->free || !b->free) continue;
        const ConstraintBlock& block = system.blocks[joint.position];
        const Vec3d push = (1 / double(h)) * block.in_world(block.lambda);
        const Vec3d torque = lever.cross(push);
        const Vec3d spin = spin_of(a->inertia + b->inertia, -1.0 * torque);
        turn(*a, spin, world);
        turn(*b, spin, world);
    }
}

}  // namespace pliant
