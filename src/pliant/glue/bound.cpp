#include "pliant/glue/bound.h"

#include "pliant/glue/project_glue.h"
#include "pliant/math/compensated.h"

#include <algorithm>

namespace pliant {

namespace {

bool has_bound(std::span<const Joint> joints) { return std::ranges::any_of(joints, &Joint::follows); }

/// Calls work(system) for those with particles that follow.
template <class Work>
void for_each_bound_system(Joints& joints, const Work& work)
{
    if (joints.ranks == 0) return;
    parallel_for(static_cast<int>(joints.systems.size()), kSystemGrain, [&](int begin, int end) {
        for (int k = begin; k < end; ++k)
            if (has_bound(joints.of(k))) work(k);
    });
}

/// Puts a particle where its parents say.
void place(const Joints& joints, const RigidBodies& bodies, Joint& joint, ConstraintSystem& system,
           Predicted& predicted)
{
    measure_joint(joints, system, bodies, joint);
    const Vec3d target = system.blocks[joint.position].target;  // a gap that is closing yet stays
    const Vec3d at = joint.bound_side == 0 ? joint.end[1].now.at + target : joint.end[0].now.at - target;
    JointPoint& point = system.points[joint.bound];
    const Vec3 by = (at - point.x).cast<Real>();
    add_compensated(by, predicted.x[point.particle], predicted.x_low[point.particle]);
    point.x = at;
}

/// Of all systems, those rows are left that followers follow, with the masses as they are.
void keep_followers(const RigidBodies& bodies, std::span<const Joint> joints, ConstraintSystem& system)
{
    for (JointPoint& point : system.points) {
        point.give = point.inv_mass;
        point.touching = false;
    }
    for (JointBody& body : system.bodies) {
        const Mat3d r = exact_rotation(bodies.pose[body.body]);
        body.give = r * Mat3d::diagonal(bodies.inv_inertia[body.body].cast<double>()) * r.transposed();
    }
    for (ConstraintBlock& block : system.blocks) block.set_all({});
    for (const Joint& joint : joints) {
        ConstraintBlock& position = system.blocks[joint.position];
        if (joint.follows) position.set_all(RowResponse::hard());
        position.turned = false;
    }
}

/// How fast the rows of all blocks change.
void find_speeds(Real h, std::span<const Joint> joints, const Particles& particles, const RigidBodies& bodies,
                 ConstraintSystem& system)
{
    std::ranges::fill(system.speeds, Vec3d{});
    for (const ConstraintSystem::Touch& touch : system.touches) {
        Vec3d& speed = system.speeds[touch.block];
        if (system.is_body(touch.node)) {
            const int body = system.body(touch.node).body;
            speed += touch.move * bodies.v[body].cast<double>() + touch.turn * bodies.w[body].cast<double>();
        } else {
            speed += touch.move * particles.v[system.points[touch.node].particle].cast<double>();
        }
    }
    const double rate = 1 / double(h);
    for (const Joint& joint : joints) {
        Vec3d& speed = system.speeds[joint.position];
        for (int s = 0; s < 2; ++s)
            if (joint.end[s].kind == AnchorKind::motion)
                speed += (s == 0 ? rate : -rate) * (joint.end[s].keyed.at - joint.end[s].start.at);
        speed -= joint.closing;
    }
}

void kick_nodes(ConstraintSystem& system, Particles& particles, RigidBodies& bodies)
{
    for (int n = 0; n < system.nodes(); ++n) {
        if (system.held[n] != 0) continue;
        const NodePush by = push_on_node(system, n);
        if (!system.is_body(n)) {
            JointPoint& point = system.points[n];
            point.kicked = by.push;
            Vec3& v = particles.v[point.particle];
            v = (v.cast<double>() + point.inv_mass * by.push).cast<Real>();
            continue;
        }
        JointBody& joined = system.body(n);
        const int body = joined.body;
        joined.kicked = by.push;
        joined.spun = by.torque;
        bodies.v[body] += (joined.inv_mass * by.push).cast<Real>();
        bodies.spin[body] += by.torque.cast<Real>();
        bodies.w[body] = times_inverse_inertia(bodies, body, bodies.spin[body]);
    }
}

}  // namespace

namespace {

void place_all(Joints& joints, int k, RigidBodies& bodies, Predicted& predicted)
{
    for (int rank = 1; rank <= joints.ranks; ++rank)
        for (Joint& joint : joints.of(k))
            if (joint.follows && joint.bound_rank == rank) place(joints, bodies, joint, joints.systems[k], predicted);
}

}  // namespace

void place_bound(Joints& joints, Particles& particles, RigidBodies& bodies, Predicted& predicted)
{
    for_each_bound_system(joints, [&](int k) {
        ConstraintSystem& system = joints.systems[k];
        load_constraints(particles, system);
        JointPass pass(joints, k, bodies, NoOtherBlocks{});
        pass.solve_now(pass.measure());
        place_all(joints, k, bodies, predicted);
        store_constraints(system, particles);
    });
}

void follow_parents(Joints& joints, Particles& particles, RigidBodies& bodies, Predicted& predicted)
{
    for_each_bound_system(joints, [&](int k) {
        load_constraints(particles, joints.systems[k]);
        place_all(joints, k, bodies, predicted);
        store_constraints(joints.systems[k], particles);
    });
}

void match_bound_velocities(Real h, Joints& joints, Particles& particles, RigidBodies& bodies)
{
    for_each_bound_system(joints, [&](int k) {
        ConstraintSystem& system = joints.systems[k];
        const std::span<Joint> some = joints.of(k);
        load_constraints(particles, system);
        keep_followers(bodies, some, system);
        for (Joint& joint : some) {
            measure_joint(joints, system, bodies, joint);
            linearise_joint(joints, Instant::now, joint, system);
        }
        for (ConstraintSystem::Touch& touch : system.touches)
            if (!system.blocks[touch.block].on()) touch.move = touch.turn = {};
        factor_constraints(system);
        find_speeds(h, some, particles, bodies, system);
        solve_speeds(system.speeds, system);
        for (const Joint& joint : some)
            if (joint.follows) system.blocks[joint.position].lambda += double(h) * system.change[joint.position];
        kick_nodes(system, particles, bodies);
    });
}

}  // namespace pliant
