#include "pliant/glue/joint_energy.h"

#include "pliant/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

bool only_holds(const ConstraintBlock& block)
{
    const auto is_soft = [](const RowResponse& row) { return row.on() && row.soft > 0; };
    return block.target == Vec3d{} && block.driven == Vec3d{} && std::ranges::none_of(block.response, is_soft);
}

bool only_holds(const Joint& joint, const ConstraintSystem& system)
{
    if (!joint.on) return true;
    const auto acts = [&](const DrivenRow& row) {
        return row.block >= 0 && system.blocks[row.block].response[row.row].on();
    };
    return !joint.scalar && joint.closing == Vec3d{} && joint.turn_target.v == Vec3d{} &&
           std::ranges::none_of(joint.driven, acts) && only_holds(system.blocks[joint.position]) &&
           (joint.turn < 0 || only_holds(system.blocks[joint.turn]));
}

bool conserves_energy(std::span<const Joint> joints, const RigidBodies& bodies, const ConstraintSystem& system)
{
    const auto is_driven = [&](const JointBody& b) {
        return !(b.inv_mass > 0) && (bodies.v[b.body] != Vec3{} || bodies.w[b.body] != Vec3{});
    };
    return system.points.empty() && std::ranges::none_of(system.bodies, is_driven) &&
           std::ranges::all_of(joints, [&](const Joint& joint) { return only_holds(joint, system); });
}

bool is_free(std::span<const Joint> joints, const ConstraintSystem& system)
{
    const auto is_held = [](const Joint& joint) {
        return joint.on && (joint.end[0].kind == AnchorKind::motion || joint.end[1].kind == AnchorKind::motion);
    };
    return std::ranges::none_of(joints, is_held) &&
           std::ranges::all_of(system.bodies, [](const JointBody& b) { return b.inv_mass > 0; });
}

/// W, and the kinetic energy of all bodies [J].
struct JointWork {
    double work = 0, kinetic = 0;
};

JointWork find_work(double h, std::span<const BodyMotion> before, const RigidBodies& bodies,
                    const ConstraintSystem& system)
{
    JointWork sum;
    for (const JointBody& b : system.bodies) {
        if (!(b.inv_mass > 0)) continue;
        const int i = b.body;
        const auto mass = double(bodies.mass[i]);
        const BodyMotion& old = before[i];
        const Vec3d v = bodies.v[i].cast<double>(), w = bodies.w[i].cast<double>();
        const Vec3d spin = bodies.spin[i].cast<double>(), by_others = spin - old.spin - (1 / h) * b.gained;
        sum.work += 0.5 * (mass / h * b.shift.move.dot(v + old.v) + w.dot(spin) - old.w.dot(old.spin) -
                           by_others.dot(w + old.w));
        sum.kinetic += 0.5 * (mass * v.squared_norm() + w.dot(spin));
    }
    return sum;
}

/// The motion of all bodies as if they were one.
struct RigidMotion {
    Vec3d center, v, w;
    double kinetic = 0;  // [J]
    Vec3d at(const Vec3d& x) const { return v + w.cross(x - center); }
};

Mat3d inertia_of(const RigidBodies& bodies, int i)
{
    const Mat3d r = exact_rotation(bodies.pose[i]);
    return r * Mat3d::diagonal(bodies.inertia[i].cast<double>()) * r.transposed();
}

RigidMotion find_rigid_motion(const RigidBodies& bodies, const ConstraintSystem& system)
{
    RigidMotion all;
    double mass = 0;
    for (const JointBody& b : system.bodies) {
        const auto m = double(bodies.mass[b.body]);
        mass += m;
        all.center += m * exact_position(bodies.pose[b.body]);
        all.v += m * bodies.v[b.body].cast<double>();
    }
    all.center = (1 / mass) * all.center;
    all.v = (1 / mass) * all.v;
    Mat3d inertia;
    Vec3d spin;
    for (const JointBody& b : system.bodies) {
        const auto m = double(bodies.mass[b.body]);
        const Vec3d r = exact_position(bodies.pose[b.body]) - all.center;
        const double rr = r.squared_norm();
        inertia += inertia_of(bodies, b.body) + m * (Mat3d::diagonal({rr, rr, rr}) - Mat3d::outer(r, r));
        spin += bodies.spin[b.body].cast<double>() + m * r.cross(bodies.v[b.body].cast<double>());
    }
    all.w = inertia.inverse() * spin;
    all.kinetic = 0.5 * (mass * all.v.squared_norm() + all.w.dot(spin));
    return all;
}

/// Scales the motion of the bodies relative to that of all.
void scale_motion(double factor, const RigidMotion& all, const ConstraintSystem& system, RigidBodies& bodies)
{
    for (const JointBody& b : system.bodies) {
        if (!(b.inv_mass > 0)) continue;
        const int i = b.body;
        const Vec3d v = all.at(exact_position(bodies.pose[i])), w = all.w;
        bodies.v[i] = (v + factor * (bodies.v[i].cast<double>() - v)).cast<Real>();
        bodies.w[i] = (w + factor * (bodies.w[i].cast<double>() - w)).cast<Real>();
        const Vec3d spin = w == Vec3d{} ? Vec3d{} : inertia_of(bodies, i) * w;
        bodies.spin[i] = (spin + factor * (bodies.spin[i].cast<double>() - spin)).cast<Real>();
    }
}

}  // namespace

void keep_joint_velocities(const RigidBodies& bodies, Joints& joints)
{
    joints.before.resize(joints.systems.empty() ? 0 : static_cast<std::size_t>(bodies.size()));
    for (std::size_t i = 0; i < joints.before.size(); ++i)
        joints.before[i] = {bodies.v[i].cast<double>(), bodies.w[i].cast<double>(), bodies.spin[i].cast<double>()};
}

void conserve_joint_energy(Real h, std::span<const int> touching, Joints& joints, RigidBodies& bodies)
{
    constexpr double kLargestGain = 2, kLargestGainTouching = 1.05;  // of the kinetic energy in a substep
    parallel_for(static_cast<int>(joints.systems.size()), kSystemGrain, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            const ConstraintSystem& system = joints.systems[k];
            const std::span<const Joint> some = joints.of(k);
            if (!system.active || !conserves_energy(some, bodies, system)) continue;
            const RigidMotion all = is_free(some, system) ? find_rigid_motion(bodies, system) : RigidMotion{};
            const JointWork by = find_work(double(h), joints.before, bodies, system);
            const double relative = by.kinetic - all.kinetic;
            if (!(relative > 0) || !std::isfinite(by.work)) continue;
            const double wanted = 1 - by.work / relative;
            const bool touches = std::ranges::find(touching, k) != touching.end();
            if (touches && wanted > kLargestGainTouching) continue;
            scale_motion(std::sqrt(std::clamp(wanted, 0.0, kLargestGain)), all, system, bodies);
        }
    });
}

}  // namespace pliant
