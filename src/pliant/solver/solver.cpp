#include "pliant/solver/solver.h"

#include "pliant/base/parallel.h"
#include "pliant/contact/colliders/particle_contacts.h"
#include "pliant/glue/bound.h"
#include "pliant/glue/schedule.h"
#include "pliant/solids/damping.h"
#include "pliant/solids/shape_matching.h"
#include "pliant/solids/strain_limit.h"
#include "pliant/state/integrate.h"
#include "pliant/world/contact_surface.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace pliant {

namespace {

int needed_substeps(const World& w, Real dt)
{
    int substeps = w.settings.substeps;
    for (const Solid& solid : w.solids) substeps = std::max(substeps, stable_substeps(solid, dt));
    for (const Cloth& cloth : w.cloths) substeps = std::max(substeps, stable_substeps(cloth, dt));
    return substeps;
}

void prepare(World& w, Workspace& ws)
{
    ws.solids.resize(w.solids.size());
    for (std::size_t s = 0; s < w.solids.size(); ++s) ws.solids[s].resize(w.solids[s].clusters);
    ws.cloths.resize(w.cloths.size());
    for (std::size_t c = 0; c < w.cloths.size(); ++c) {
        update_pins(w.cloths[c].particles.of(std::as_const(w.particles.inv_mass)), w.cloths[c]);
        ws.cloths[c].resize(w.cloths[c]);
    }
    ws.rods.resize(w.rods.size());
    for (std::size_t r = 0; r < w.rods.size(); ++r) ws.rods[r].resize(w.rods[r]);
    if (w.joints.stale) w.joints = make_joints(w.glues);
    if (w.contact.on && w.surface.stale) w.surface = make_contact_surface(w);
    if (w.contact.on)
        w.surface.tangled = begin_feature_frame(w.surface, w.particles, w.rigid_bodies, ws.feature_contacts);
}

bool is_finite(const Vec3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

/// Whether all positions and velocities are numbers: zero times anything else is not zero.
bool all_finite(const Particles& p, std::vector<Real>& check)
{
    constexpr int kChunk = 4096;
    check.assign(static_cast<std::size_t>(p.size() / kChunk + 1), 0);
    parallel_for(static_cast<int>(check.size()), 1, [&](int begin, int end) {
        for (int c = begin; c < end; ++c) {
            Vec3 sum{};
            for (int i = c * kChunk; i < std::min((c + 1) * kChunk, p.size()); ++i) sum += Real(0) * (p.x[i] + p.v[i]);
            check[c] = sum.x + sum.y + sum.z;
        }
    });
    return std::all_of(check.begin(), check.end(), [](Real sum) { return sum == 0; });
}

constexpr const char* kNotFinite =
    ": position or velocity is no longer a finite number. Likely causes: a force, wind or initial velocity that is too "
    "large for the time step, or a driver that jumps. Try a smaller dt or more substeps.";

/// Names the first body with a particle that is nowhere, or nothing.
template <class Body>
std::string find_trouble(const char* kind, const std::vector<Body>& bodies, const Particles& p)
{
    for (const Body& body : bodies) {
        for (int i = body.particles.first; i < body.particles.end(); ++i) {
            if (is_finite(p.x[i]) && is_finite(p.v[i])) continue;
            return std::string(kind) + " \"" + body.name + "\", particle " + std::to_string(i - body.particles.first) +
                   kNotFinite;
        }
    }
    return {};
}

std::string find_trouble(const std::vector<Rigid>& rigids, const RigidBodies& bodies)
{
    for (int i = 0; i < bodies.size(); ++i) {
        const Pose& pose = bodies.pose[i];
        if (is_finite(pose.x) && is_finite(bodies.v[i]) && is_finite(bodies.w[i]) && is_finite(pose.q.v)) continue;
        return "rigid body \"" + rigids[i].name + "\"" + kNotFinite;
    }
    return {};
}

MovingBodies moving_bodies(World& w, Workspace& ws)
{
    return {w.particles, ws.predicted, w.rigid_bodies, ws.predicted_poses};
}

/// Of particles and of rigid bodies.
void project_collider_contacts(Real h, Real slow, World& w, Workspace& ws)
{
    project_particle_contacts(ws.colliders, h, ws.particle_contacts, w.particles, ws.predicted);
    project_rigid_contacts(ws.colliders, h, slow, w.rigid_bodies, ws.predicted_poses, ws.rigid_contacts);
}

}  // namespace

StepReport Solver::step(World& w, Real dt)
{
    StepReport report;
    report.substeps = needed_substeps(w, dt);
    prepare(w, ws_);
    report.events.swap(w.glue_events);
    const Real h = dt / static_cast<Real>(report.substeps);
    const Real slow = 2 * h * w.forces.gravity.norm();  // what falls for two substeps is at rest
    const double start = w.time;

    for (int s = 0; s < report.substeps; ++s) {
        timed(Phase::drive, [&] {
            drive(w.time, h, w.drivers, w.particles);
            drive(w.time, h, w.drivers, w.rigid_bodies);
        });
        timed(Phase::collider_contacts, [&] {
            place_colliders(w.colliders, w.time, h, ws_.colliders);
            begin_particle_contacts(ws_.colliders, w.particles, ws_.particle_contacts);
            begin_rigid_contacts(w.rigid_bodies, ws_.rigid_contacts);
        });
        begin_feature_contacts(ws_.feature_contacts);
        timed(Phase::forces, [&] {
            apply_forces(w.forces, h, w.particles);
            apply_forces(w.forces, h, w.rigid_bodies);
        });
        timed(Phase::match_shapes, [&] { match_shapes(h, w.solids, w.particles, ws_.solids); });
        timed(Phase::damping, [&] { damp_solids(h, w.solids, w.particles, ws_.solids); });
        timed(Phase::cloth, [&] {
            apply_cloth_forces(h, w.forces.wind, w.forces.air_density, w.cloths, w.particles, ws_.cloths);
            begin_cloths(ws_.cloths);
        });
        timed(Phase::rods, [&] {
            lift_ghosts(h, w.forces.gravity, w.rods, w.particles, ws_.rods);
            damp_rods(h, w.time, w.rods, w.particles, ws_.rods);
            begin_rods(ws_.rods);
        });
        timed(Phase::glue,
              [&] { begin_glue(w.time, h, w.particles, w.rigid_bodies, w.glues, w.joints, ws_.glue, report.events); });
        timed(Phase::predict, [&] {
            predict(h, w.particles, ws_.predicted);
            predict(h, w.rigid_bodies, ws_.predicted_poses);
        });
        timed(Phase::collider_contacts, [&] {
            project_grabs(w.drivers.grabs, h, w.particles);
            project_collider_contacts(h, slow, w, ws_);
        });
        for (int i = 0; i < w.settings.iterations; ++i) {
            timed(Phase::limit_strain, [&] { limit_strain(w.solids, w.particles, ws_.solids); });
            timed(Phase::cloth, [&] { project_cloths(h, w.cloths, w.particles, ws_.cloths); });
            timed(Phase::rods,
                  [&] { project_rods(h, i, w.settings.iterations, w.time + h, w.rods, w.particles, ws_.rods); });
            timed(Phase::glue, [&] { project_glue(w.joints, w.particles, w.rigid_bodies, ws_.glue); });
            timed(Phase::feature_contacts, [&] {  // last: contact wins
                project_feature_contacts(h, w.surface, w.contact, moving_bodies(w, ws_),
                                         {ws_.colliders, ws_.particle_contacts, ws_.rigid_contacts, slow},
                                         ws_.feature_contacts);
            });
            timed(Phase::collider_contacts, [&] { project_collider_contacts(h, slow, w, ws_); });
        }
        timed(Phase::glue, [&] { place_bound(w.joints, w.particles, w.rigid_bodies, ws_.glue, ws_.predicted); });
        timed(Phase::feature_contacts,
              [&] { guard_feature_contacts(h, w.surface, moving_bodies(w, ws_), ws_.feature_contacts); });
        timed(Phase::velocities, [&] {
            update_velocities(h, ws_.predicted, w.particles);
            update_velocities(h, ws_.predicted_poses, w.rigid_bodies);
            apply_particle_restitution(ws_.colliders, h, slow, ws_.particle_contacts, w.particles);
            apply_rigid_restitution(h, ws_.rigid_contacts, w.rigid_bodies);
        });
        w.time = start + static_cast<double>(dt) * (s + 1) / report.substeps;
        timed(Phase::glue, [&] {
            match_bound_velocities(h, w.joints, w.particles, w.rigid_bodies, ws_.glue);
            end_glue(w.time, h, w.joints, w.glues, report.events);
        });
    }
    save_rotations(w.joints, w.glues);
    report.contacts = count_contacts(ws_.particle_contacts) + count_contacts(ws_.rigid_contacts);
    report.feature_contacts = ws_.feature_contacts.report;
    if (!all_finite(w.particles, ws_.finite)) {
        report.trouble = find_trouble("solid", w.solids, w.particles);
        if (report.trouble.empty()) report.trouble = find_trouble("cloth", w.cloths, w.particles);
        if (report.trouble.empty()) report.trouble = find_trouble("rod", w.rods, w.particles);
    }
    if (report.trouble.empty()) report.trouble = find_trouble(w.rigids, w.rigid_bodies);
    return report;
}

}  // namespace pliant
