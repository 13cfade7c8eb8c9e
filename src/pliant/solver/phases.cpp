#include "pliant/solver/phases.h"

#include "pliant/cloth/pass.h"
#include "pliant/contact/colliders/stop_bodies.h"
#include "pliant/contact/pairs/shared_carriers.h"
#include "pliant/contact/rigid/rigid_guard.h"
#include "pliant/glue/bound.h"
#include "pliant/glue/joint_energy.h"
#include "pliant/glue/project_glue.h"
#include "pliant/glue/schedule.h"
#include "pliant/rods/pass.h"
#include "pliant/solids/damping.h"
#include "pliant/solids/shape_matching.h"
#include "pliant/solids/strain_limit.h"
#include "pliant/solver/glue_momenta.h"
#include "pliant/solver/joined_points.h"
#include "pliant/solver/rods_in_glue.h"
#include "pliant/solver/rubbing.h"
#include "pliant/solver/trouble.h"
#include "pliant/state/integrate.h"
#include "pliant/state/writable.h"
#include "pliant/world/bodies.h"
#include "pliant/world/bonds.h"
#include "pliant/world/contact_surface.h"

#include <algorithm>

namespace pliant {

namespace {

template <class Work>
void timed(Compiled& c, Phase phase, const Work& work)
{
    const PhaseTimer timer(*c.profile, phase);
    work();
}

ColliderContacts with_colliders(const Substep& s, Compiled& c)
{
    // with contact between bodies the guard may move what glue has placed: nothing passes through anything comes first
    const std::span<const char> bound = c.surface.touching ? std::span<const char>() : std::span<const char>(c.bound);
    return {c.colliders, c.particle_contacts, c.rigid_contacts, s.resting_speed, c.collider_features, bound};
}

MovingBodies moving_bodies(World& w, Compiled& c)
{
    return {writable(w.particles), c.predicted.x, writable(w.rigid_bodies), c.predicted_poses};
}

/// The name of what carries points along: a carrier of the guard, or from -2 on downwards a collider.
std::string name_of_carrier(const World& w, const Guard& guard, int carrier)
{
    if (carrier == -1) return {};
    if (carrier < 0) return w.colliders[-2 - carrier].name;
    const Carrier& by = guard.carriers[carrier];
    if (by.kind == Carrier::Kind::rigid) return w.rigids[by.number].name;
    if (by.kind == Carrier::Kind::collider) return w.colliders[by.number].name;
    std::string name;
    for_each_body(w, [&](const auto& body) {
        if (particles_of(body).contains(by.number)) name = body.name;
    });
    return name;
}

/// Says once in a frame what could not be kept apart, and by whom.
void name_squeezing(const World& w, FeatureContacts& contact)
{
    auto& names = contact.report.squeezing;
    const Guard& guard = contact.guard;
    if (guard.open == 0 || !names[0].empty()) return;
    for (std::size_t k = 0; k < 2; ++k) names[k] = name_of_carrier(w, guard, guard.squeezed[k]);
    if (names[0].empty()) std::swap(names[0], names[1]);
}

/// The same for rigid bodies that are squeezed.
void note_open_pairs(const World& w, const OpenPairs& open, FeatureContactReport& report)
{
    report.open += open.count;
    if (open.count == 0 || !report.squeezing[0].empty()) return;
    const int bodies = w.rigid_bodies->size();
    for (std::size_t k = 0; k < 2; ++k) {
        const int by = open.between[k];
        report.squeezing[k] = by < bodies ? w.rigids[by].name : w.colliders[by - bodies].name;
    }
}

RigidScene rigid_scene(const Substep& s, World& w, Compiled& c)
{
    return {c.surface.touching ? &c.surface : nullptr,
            c.colliders,
            c.joints.systems,
            writable(w.rigid_bodies),
            c.predicted_poses,
            s.h,
            s.resting_speed,
            w.forces->gravity};
}

/// Of particles, and of rigid bodies that joints hold.
void project_collider_contacts(const Substep& s, std::span<const char> left_out, World& w, Compiled& c)
{
    project_particle_contacts(c.colliders, s.h, left_out, c.particle_contacts, writable(w.particles), c.predicted.x);
    project_rigid_contacts(c.colliders, s.h, s.resting_speed, writable(w.rigid_bodies), c.predicted_poses,
                           c.rigid_contacts);
}

/// Bodies that touched a collider in this substep, or to which joints have moved them, are left to project_joined_bodies, unless
/// there are very many: these would take too long one by one.
void leave_touching_to_joints(const World& w, Compiled& c)
{
    constexpr int kMaxTouchingBodies = 16;
    RigidContacts& contacts = c.rigid_contacts;
    for (const ConstraintSystem& system : c.joints.systems) {
        if (!system.active) continue;
        const auto touches = [&](const JointBody& b) {
            return b.inv_mass > 0 && contacts.jointed[b.body] != 0 &&
                   (contacts.touching[b.body] > 0 || touches_collider(c.colliders, b.body, w.rigid_bodies, contacts));
        };
        int count = 0;
        for (const JointBody& b : system.bodies) {
            contacts.left_to_joints[b.body] = touches(b) ? 1 : 0;
            count += contacts.left_to_joints[b.body];
        }
        if (count <= kMaxTouchingBodies) continue;
        for (const JointBody& b : system.bodies) contacts.left_to_joints[b.body] = 0;
    }
}

/// Contact sees all that hangs on a body: one after the other they are pushed out, and the joints take the rest along.
void project_joined_bodies(const Substep& s, World& w, Compiled& c)
{
    RigidBodies& bodies = writable(w.rigid_bodies);
    for (std::size_t k = 0; k < c.joints.systems.size(); ++k) {
        ConstraintSystem& system = c.joints.systems[k];
        for (std::size_t b = 0; system.active && b < system.bodies.size(); ++b) {
            const int body = system.bodies[b].body;
            if (c.rigid_contacts.left_to_joints[body] == 0) continue;
            c.rigid_contacts.left_to_joints[body] = 0;
            if (let_points_go(system)) factor_constraints(system);  // what is pushed out lifts them
            const JointMobility joints = joint_mobility(static_cast<int>(system.points.size() + b), system);
            project_jointed_contacts(c.colliders, s.h, s.resting_speed, body, joints, bodies, c.predicted_poses,
                                     c.rigid_contacts);
            settle_glue(static_cast<int>(k), c.joints, writable(w.particles), bodies, RodsInGlue{s.h, w, c});
        }
    }
}

}  // namespace

namespace {

/// Islands keep joints closed to first order. What bodies that turn leave is closed by glue, and contact looks again at what that
/// has moved. More rounds do not help: where contact is in two minds, they carry it on.
void settle_joined_islands(const Substep& s, World& w, Compiled& c)
{
    constexpr double kOpen = 0.2;  // of what one linear step may close
    bool opened = false;
    for (const int k : c.islands.joint_systems) {
        if (!(measure_gap(k, c.joints, writable(w.rigid_bodies)) > kOpen)) continue;
        settle_glue(k, c.joints, writable(w.particles), writable(w.rigid_bodies));
        opened = true;
    }
    if (opened) project_islands(rigid_scene(s, w, c), c.islands);
}

}  // namespace

std::span<const Substep> begin_frame(World& w, Real dt, Compiled& c)
{
    wake_bodies(dt, w, c.sleeping);
    if (may_touch(w)) update_bonds(w);
    compile(w, c);
    load_joints(w.glues, c.joints);
    begin_feature_frame(dt, c.feature_contacts);
    begin_island_frame(*w.rigid_pushes, w.rigid_bodies->pose.size(), c.islands);
    if (c.surface.touching && w.tangled && !c.surface.only_islands)
        writable(w.tangled) = find_tangles(c.surface, w.particles, w.rigid_bodies, c.feature_contacts);
    c.touches.begin(w);
    c.events = *w.glue_events;
    writable(w.glue_events).clear();

    c.effort = find_effort(w, dt, c, c.moving);
    const int substeps = c.effort.substeps;
    const Real h = dt / static_cast<Real>(substeps);
    const Real resting_speed = 2 * h * w.forces->gravity.norm();
    c.frame.clear();
    c.frame.reserve(kMostSubsteps);  // the number varies
    double time = w.time;
    for (int i = 0; i < substeps; ++i) {
        const double end = w.time + static_cast<double>(dt) * (i + 1) / substeps;
        c.frame.push_back({h, time, end, i, c.effort.iterations, resting_speed});
        time = end;
    }
    return c.frame;
}

void drive(const Substep& s, World& w, Compiled& c)
{
    timed(c, Phase::drive, [&] {
        drive(s.time, s.h, writable(w.drivers), writable(w.particles));
        drive(s.time, s.h, writable(w.drivers), writable(w.rigid_bodies));
    });
    timed(c, Phase::collider_contacts, [&] {
        place_colliders(w.colliders, s.time, s.h, c.colliders);
        begin_particle_contacts(c.colliders, w.particles, c.particle_contacts);
        begin_rigid_contacts(w.rigid_bodies, c.rigid_contacts);
        begin_islands(w.rigid_bodies, c.islands);
    });
    begin_feature_contacts(c.feature_contacts);
}

void apply_forces(const Substep& s, World& w, Compiled& c)
{
    Particles& particles = writable(w.particles);
    const AirFlow air = air_flow(w.forces, w.air_travel, s.time);
    writable(w.air_travel) += static_cast<double>(s.h) * air.wind.cast<double>();
    timed(c, Phase::rods, [&] { keep_velocities(w.rods, particles, c.all<RodSystem>()); });
    timed(c, Phase::glue, [&] { keep_joint_velocities(w.rigid_bodies, c.joints); });
    timed(c, Phase::forces, [&] {
        apply_forces(w.forces, air, s.h, particles);
        apply_forces(w.forces, air, s.h, writable(w.rigid_bodies));
        apply_forces(*w.applied_forces, s.h, particles, writable(w.rigid_bodies));
    });
    timed(c, Phase::match_shapes, [&] { match_shapes(s.h, writable(w.solids), particles, c.all<SolidSystem>()); });
    timed(c, Phase::damping, [&] { damp_solids(s.h, w.solids, particles, c.all<SolidSystem>()); });
    timed(c, Phase::cloth, [&] {
        apply_cloth_forces(s.h, air, w.forces->air_density, w.cloths, particles, c.all<ClothSystem>());
        begin_cloths(c.all<ClothSystem>());
    });
    timed(c, Phase::rods, [&] {
        lift_ghosts(s.h, w.forces->gravity, writable(w.rods), particles, c.all<RodSystem>());
        damp_rods(s.h, s.time, w.rods, particles, c.all<RodSystem>());
        begin_rods(c.all<RodSystem>());
    });
    timed(c, Phase::glue,
          [&] { begin_glue(s.time, s.h, particles, w.rigid_bodies, writable(w.glues), c.joints, c.events); });
}

void predict(const Substep& s, World& w, Compiled& c)
{
    timed(c, Phase::predict, [&] {
        predict(s.h, writable(w.particles), c.predicted);
        predict(s.h, writable(w.rigid_bodies), c.predicted_poses);
    });
    timed(c, Phase::collider_contacts, [&] {
        project_grabs(writable(w.grabs), s.h, writable(w.particles), writable(w.rigid_bodies));
        stop_rigids_at_colliders(c.rigid_contacts.jointed, c.colliders, writable(w.rigid_bodies));
        if (!c.colliders.empty())
            stop_bodies_at_colliders(c.collider_features, c.colliders, c.surface, writable(w.particles));
        project_collider_contacts(s, c.left_to_joints, w, c);
    });
}

void project_bodies(const Substep& s, int iteration, World& w, Compiled& c)
{
    Particles& particles = writable(w.particles);
    timed(c, Phase::limit_strain, [&] { limit_strain(writable(w.solids), particles, c.all<SolidSystem>()); });
    timed(c, Phase::cloth, [&] { project_cloths(s.h, w.cloths, particles, c.all<ClothSystem>()); });
    timed(c, Phase::rods, [&] {
        project_rods(s.h, iteration, s.iterations, s.time + static_cast<double>(s.h), w.rods, particles,
                     c.all<RodSystem>());
    });
}

void project_glue(const Substep& s, int iteration, World& w, Compiled& c)
{
    timed(c, Phase::glue, [&] {
        const RodsInGlue rods{s.h, w, c};
        project_glue(iteration, c.joints, writable(w.particles), writable(w.rigid_bodies), rods);
        if (iteration == 0) rods.note_touches();
    });
}

void project_contact(const Substep& s, World& w, Compiled& c)
{
    timed(c, Phase::feature_contacts, [&] {
        project_feature_contacts(s.h, c.surface, w.contact, moving_bodies(w, c), with_colliders(s, c),
                                 c.feature_contacts);
        c.touches.add_features(s.h, w, c);
    });
    timed(c, Phase::collider_contacts, [&] {
        push_out_joined_points(s.h, w, c);
        leave_touching_to_joints(w, c);
        project_collider_contacts(s, {}, w, c);
        project_joined_bodies(s, w, c);
    });
    timed(c, Phase::rigid_contacts, [&] {
        project_islands(rigid_scene(s, w, c), c.islands);
        settle_joined_islands(s, w, c);
    });
}

namespace {

/// Both guards take back towards the start of the substep, where all are apart: they are repeated until neither does, or
/// something keyed has carried bodies on for too long.
void guard_all(const Substep& s, World& w, Compiled& c)
{
    constexpr int kMaxRounds = 24;
    const RigidScene scene = rigid_scene(s, w, c);
    bool again = true;
    for (int round = 0; again && round < kMaxRounds; ++round) {
        again = false;
        timed(c, Phase::rigid_contacts,
              [&] { c.feature_contacts.report.held += guard_islands(scene, round, c.islands); });
        share_carriers(scene.bodies, c.colliders, c.feature_contacts.guard, c.islands);
        timed(c, Phase::feature_contacts, [&] {
            keep_poses(scene, c.islands);
            guard_feature_contacts(s.h, c.surface, moving_bodies(w, c), with_colliders(s, c), c.feature_contacts);
            again = have_moved_since(scene, c.islands);
        });
        share_carriers(scene.bodies, c.colliders, c.feature_contacts.guard, c.islands);
    }
    note_open_pairs(w, find_open_pairs(scene, c.islands), c.feature_contacts.report);
}

}  // namespace

void guard(const Substep& s, World& w, Compiled& c)
{
    timed(c, Phase::glue, [&] { place_bound(c.joints, writable(w.particles), writable(w.rigid_bodies), c.predicted); });
    guard_all(s, w, c);
    end_feature_contacts(s.h, c.feature_contacts);
    name_squeezing(w, c.feature_contacts);
    // with contact between bodies they stay where the guard has put them: it has certified these places
    if (!c.surface.touching && !c.feature_contacts.guard.moved.empty())
        timed(c, Phase::glue,
              [&] { follow_parents(c.joints, writable(w.particles), writable(w.rigid_bodies), c.predicted); });
}

void update_velocities(const Substep& s, World& w, Compiled& c)
{
    timed(c, Phase::velocities, [&] {
        update_velocities(s.h, c.predicted, writable(w.particles));
        update_velocities(s.h, c.predicted_poses, writable(w.rigid_bodies));
        for (ConstraintSystem& system : c.joints.systems)
            if (system.active) correct_spins(s.h, system, writable(w.rigid_bodies));
        conserve_joint_energy(s.h, c.islands.joint_systems, c.joints, writable(w.rigid_bodies));
        apply_particle_restitution(c.colliders, s.h, s.resting_speed, c.particle_contacts, writable(w.particles));
        apply_rigid_restitution(s.h, c.rigid_contacts, writable(w.rigid_bodies));
    });
    timed(c, Phase::rigid_contacts, [&] { relax_islands(rigid_scene(s, w, c), c.islands); });
    timed(c, Phase::glue, [&] {
        for (const GluedNet& net : c.glued_nets)
            save_tension(s.h, net, c.joints.systems[net.system], writable(w.rods)[net.rod]);
        mark_touched_strands(w, c);
        match_bound_velocities(s.h, c.joints, writable(w.particles), writable(w.rigid_bodies));
        keep_glue_momenta(s.h, w, c);
        end_glue(s.end, s.h, c.joints, writable(w.glues), c.events);
    });
    writable(w.time) = s.end;
    c.touches.add_colliders(s.h, w, c);
}

StepReport rest_frame(World& w, Real dt)
{
    StepReport report;
    report.effort.substeps = 0;
    writable(w.time) += static_cast<double>(dt);
    report.contacts = count_pushes(*w.rigid_pushes);
    report.asleep = count_asleep(w.rigid_bodies);
    report.events.swap(writable(w.glue_events));
    return report;
}

StepReport finish_frame(Real dt, World& w, Compiled& c)
{
    save_joints(c.joints, writable(w.glues));
    save_pushes(c.frame.back().h, w.rigid_bodies, c.islands, writable(w.rigid_pushes));
    mark_rubbing_rods(w, c);
    writable(w.applied_forces).clear();
    StepReport report;
    report.substeps = c.effort.substeps;
    report.effort = c.effort;
    writable(w.substeps) = c.effort.substeps;
    writable(w.substep) = c.frame.front().h;
    report.contacts =
        count_contacts(c.particle_contacts) + count_contacts(c.rigid_contacts) + count_pushes(*w.rigid_pushes);
    report.feature_contacts = c.feature_contacts.report;
    report.events.swap(c.events);
    report.touches = c.touches.take();
    report.trouble = find_trouble(w, c.finite);
    put_to_sleep(dt, w, c.sleeping);
    report.asleep = count_asleep(w.rigid_bodies);
    return report;
}

}  // namespace pliant
