#include "pliant/glue/schedule.h"

#include "pliant/base/check.h"
#include "pliant/base/parallel.h"
#include "pliant/glue/joint_rows.h"

#include <algorithm>
#include <optional>

namespace pliant {

void check_glue(const GlueParams& params, const std::string& what)
{
    for (std::size_t i = 1; i < params.keys.size(); ++i)
        if (!(params.keys[i].time > params.keys[i - 1].time))
            throw InputError(what + ": key " + std::to_string(i) +
                             " is not later than the one before it; give keys in order of time");
    if (has_axis(params.kind) && !(params.axis.norm() > 0))
        throw InputError(what + ": the axis has no direction; give one such as [0, 1, 0]");
    if (params.low && params.high && *params.low > *params.high)
        throw InputError(what + ": low is above high; swap them");
    if (stiffness_at(params, 0) >= 0) return;
    if (params.damping > 0)
        throw InputError(what + ": damping needs a stiffness; a hard glue has nothing that it could damp");
}

bool wants_on(const GlueParams& params, double time)
{
    bool on = params.on;
    for (const GlueKey& key : params.keys)
        if (key.on && key.time <= time) on = *key.on;
    return on;
}

double stiffness_at(const GlueParams& params, double time)
{
    std::optional<double> before;  // the stiffness of the last key that was passed
    double since = 0;
    for (const GlueKey& key : params.keys) {
        if (!key.stiffness) continue;
        const double next = *key.stiffness;
        if (key.time > time) {
            if (!before) return params.stiffness.value_or(next);
            return *before + (time - since) / (key.time - since) * (next - *before);
        }
        before = next;
        since = key.time;
    }
    return before ? *before : params.stiffness.value_or(-1);
}

double remaining_part(const Glue& glue, double time)
{
    if (!(glue.params.closing > 0)) return 0;
    const double s = std::clamp((time - glue.attached) / glue.params.closing, 0.0, 1.0);
    return 1 - s * s * (3 - 2 * s);
}

namespace {

/// A key that falls between two substeps counts from the nearer one.
void follow_keys(double time, Real h, std::span<Glue> glues, std::vector<GlueEvent>& events)
{
    for (Glue& glue : glues) {
        const bool on = !glue.broken && wants_on(glue.params, time + static_cast<double>(h) / 2);
        if (on == glue.on) continue;
        glue.on = on;
        if (on) glue.attached = time;
        events.push_back({time, on ? GlueEventKind::attached : GlueEventKind::released, glue.name});
    }
}

void place_motions(const Glue& glue, double time, Joint& joint)
{
    const Anchor* anchors[] = {&glue.a, &glue.b};
    for (int s = 0; s < 2; ++s) {
        JointEnd& end = joint.end[s];
        if (end.kind != AnchorKind::motion) continue;
        const RigidMap map = motion_at(anchors[s]->motion, time);
        end.keyed.at = end.keyed.center = map(end.point);
        end.keyed.rotation = map.rotation;
    }
}

/// What nothing can move does no work and takes none.
bool is_driven(const Anchor& anchor, const RigidBodies& bodies)
{
    return anchor.kind == AnchorKind::motion || (anchor.body >= 0 && bodies.inv_mass[anchor.body] == 0);
}

/// The force of the last substep times the way that its ends have gone since it began, and the same of torque and turn.
/// With the velocity at the end of a substep taken for all of it, this is never less than the energy that bodies get.
double work_of(const Glue& glue, const EndPlace (&before)[2], const Joint& joint, const ConstraintSystem& system,
               const RigidBodies& bodies)
{
    const double per_h2 = 1 / (double(glue.last.h) * double(glue.last.h));
    Vec3d way, turn;
    const bool driven[] = {is_driven(glue.a, bodies), is_driven(glue.b, bodies)};
    for (int s = 0; s < 2; ++s) {
        if (driven[s]) continue;
        const double sign = s == 0 ? 1 : -1;
        way += sign * (joint.end[s].now.at - before[s].at);
        if (joint.turn < 0) continue;
        turn += sign * turn_of(quaternion_of(joint.end[s].now.rotation * before[s].rotation.transposed()));
    }
    double work = per_h2 * system.blocks[joint.position].in_world(system.blocks[joint.position].lambda).dot(way);
    if (joint.turn >= 0)
        work += per_h2 * joint.arm * system.blocks[joint.turn].in_world(system.blocks[joint.turn].lambda).dot(turn);
    return work;
}

RowResponse response_of(const Glue& glue, double time, double h)
{
    if (!glue.on) return {};
    const double stiffness = stiffness_at(glue.params, time + h);
    return stiffness < 0 ? RowResponse::hard() : RowResponse{stiffness * h * h, glue.params.damping * h, 1};
}

void set_response(const Glue& glue, double time, double h, Joint& joint, ConstraintSystem& system)
{
    const RowResponse response = response_of(glue, time, h);
    ConstraintBlock& position = system.blocks[joint.position];
    position.set_all(response);
    const double left = remaining_part(glue, time + h);
    position.target = position.in_rows(left * glue.gap.cast<double>());
    joint.closing = ((left - remaining_part(glue, time)) / h) * glue.gap.cast<double>();
    if (joint.turn < 0) return;
    ConstraintBlock& turn = system.blocks[joint.turn];
    turn.set_all(response);
    for (int i = 0; joint.giving_end >= 0 && glue.on && response.soft == 0 && i < 3; ++i)
        turn.response[i] = RowResponse::elastic(joint.arm * joint.arm * joint.turn_give[i] / (h * h));
    joint.turn_target = quaternion_of_turn(left * glue.turn_gap.cast<double>());
}

/// What is not held: rows of the kinds that are free or wait for a limit.
void release_driven_rows(const Joint& joint, ConstraintSystem& system)
{
    for (const DrivenRow& row : joint.driven)
        if (row.block >= 0) system.blocks[row.block].response[row.row] = {};
    if (joint.kind == GlueKind::ball) system.blocks[joint.turn].response[2] = {};
    if (joint.kind == GlueKind::distance || joint.scalar)
        system.blocks[joint.position].response[1] = system.blocks[joint.position].response[2] = {};
}

/// The multipliers of the last substep, as they would be in one of this length: first in the world's frame, then in the rows of
/// this substep.
void scale_lambdas(const Glue& glue, double h, const Joint& joint, ConstraintSystem& system)
{
    const double ratio = glue.last.h > 0 ? h / double(glue.last.h) : 0;
    for (const int b : {joint.position, joint.turn})
        if (b >= 0) system.blocks[b].lambda = (ratio * ratio) * system.blocks[b].in_world(system.blocks[b].lambda);
}
void turn_lambdas_into_rows(const Joint& joint, ConstraintSystem& system)
{
    for (const int b : {joint.position, joint.turn})
        if (b >= 0) system.blocks[b].lambda = system.blocks[b].in_rows(system.blocks[b].lambda);
}

Vec3d turn_apart(const Joint& joint)
{
    const JointEnd &a = joint.end[0], &b = joint.end[1];
    return turn_of(quaternion_of((a.now.rotation * a.axes) * (b.now.rotation * b.axes).transposed()));
}

/// By how much keyed ends move apart in the substep.
void set_driven(const Joint& joint, ConstraintSystem& system)
{
    Vec3d move, turn;
    for (int s = 0; s < 2; ++s) {
        const JointEnd& end = joint.end[s];
        if (end.kind != AnchorKind::motion) continue;
        const double sign = s == 0 ? 1 : -1;
        move += sign * (end.keyed.at - end.start.at);
        turn += sign * turn_of(quaternion_of(end.keyed.rotation * end.start.rotation.transposed()));
    }
    system.blocks[joint.position].driven = system.blocks[joint.position].in_rows(move);
    if (joint.turn >= 0) system.blocks[joint.turn].driven = system.blocks[joint.turn].in_rows(joint.arm * turn);
}

class SystemBegin {
  public:
    SystemBegin(double time, Real h, const RigidBodies& bodies, std::span<Glue> glues, Joints& joints)
        : time_(time), h_(double(h)), bodies_(bodies), glues_(glues), joints_(joints)
    {}

    void run(const Particles& particles, int number)
    {
        ConstraintSystem& system = joints_.systems[number];
        const std::span<Joint> some = joints_.of(number);
        const auto takes_part = [&](const Joint& joint) { return joint.on || glues_[joint.glue].on; };
        const bool has_others = joints_.joint_blocks[number] < static_cast<int>(system.blocks.size());
        system.active = has_others || std::ranges::any_of(some, takes_part);
        if (!system.active) return;
        begin_constraints(particles, bodies_, system);
        for (Joint& joint : some) begin(joint, system);
        add_inertia(some, bodies_, system);
        for (Joint& joint : some) {
            for (const int b : {joint.position, joint.turn})
                if (b >= 0) system.blocks[b].lambda = {};
            linearise_joint(joints_, Instant::start, joint, system);
            place_motions(glues_[joint.glue], time_ + h_, joint);
            set_driven(joint, system);
        }
    }

  private:
    void begin(Joint& joint, ConstraintSystem& system)
    {
        Glue& glue = glues_[joint.glue];
        joint.acted = joint.on;
        joint.on = glue.on;
        const EndPlace before[] = {joint.end[0].start, joint.end[1].start};
        place_motions(glue, time_, joint);
        measure_joint(joints_, system, bodies_, joint);
        joint.work = joint.acted ? work_of(glue, before, joint, system, bodies_) : 0;
        scale_lambdas(glue, h_, joint, system);
        for (JointEnd& end : joint.end) end.start = end.now;
        if (glue.on && glue.attached == time_) {
            glue.gap = (joint.end[0].now.at - joint.end[1].now.at).cast<Real>();
            glue.turn_gap = joint.turn >= 0 ? turn_apart(joint).cast<Real>() : Vec3{};
            if (glue.params.kind == GlueKind::distance) glue.gap = {};
        }
        if (joint.kind == GlueKind::hinge) joint.angle = hinge_angle(joint, joint.angle);
        if (joint.scalar) set_direction(joint, system);
        set_rows(joint, system);
        turn_lambdas_into_rows(joint, system);
        set_response(glue, time_, h_, joint, system);
        set_drive(glue.params, h_, joint);
        release_driven_rows(joint, system);
        set_values(joint, system);
        for (const int b : {joint.position, joint.turn})
            if (b >= 0) system.blocks[b].start = system.blocks[b].value;
    }

    double time_, h_;
    const RigidBodies& bodies_;
    std::span<Glue> glues_;
    Joints& joints_;
};

/// Who follows in this substep: a free particle that one glue binds which is on, and no other.
void update_bound(std::span<const Glue> glues, Joints& joints)
{
    if (joints.ranks == 0) return;
    const auto is_held = [&](const Joint& joint) { return joint.bound >= 0 && glues[joint.glue].on; };
    for (Joint& joint : joints.joints)
        if (is_held(joint)) joints.systems[joint.system].points[joint.bound].holders = 0;
    for (Joint& joint : joints.joints)
        if (is_held(joint)) ++joints.systems[joint.system].points[joint.bound].holders;
    for (Joint& joint : joints.joints) {
        joint.follows = false;
        if (!is_held(joint)) continue;
        const JointPoint& point = joints.systems[joint.system].points[joint.bound];
        joint.follows = point.holders == 1 && point.inv_mass > 0;
    }
}

}  // namespace

void begin_glue(double time, Real h, const Particles& particles, const RigidBodies& bodies, std::span<Glue> glues,
                Joints& joints, std::vector<GlueEvent>& events)
{
    if (glues.empty()) return;
    follow_keys(time, h, glues, events);
    parallel_for(static_cast<int>(joints.systems.size()), kSystemGrain, [&](int begin, int end) {
        SystemBegin one(time, h, bodies, glues, joints);
        for (int k = begin; k < end; ++k) one.run(particles, k);
    });
    update_bound(glues, joints);
    for (const Joint& joint : joints.joints) {
        glues[joint.glue].work += joint.work;
        glues[joint.glue].last.h = h;
    }
}

void end_glue(double time, Real h, const Joints& joints, std::span<Glue> glues, std::vector<GlueEvent>& events)
{
    const double per_h2 = 1 / (double(h) * double(h));
    for (const Joint& joint : joints.joints) {
        Glue& glue = glues[joint.glue];
        const ConstraintSystem& system = joints.systems[joint.system];
        const auto size = [&](int b) { return joint.on && b >= 0 ? per_h2 * system.blocks[b].lambda.norm() : 0; };
        glue.force = static_cast<Real>(size(joint.position));
        glue.torque = static_cast<Real>(joint.arm * size(joint.turn));
    }
    for (Glue& glue : glues) {
        const GlueParams& p = glue.params;
        const bool broken = (p.break_force && double(glue.force) > *p.break_force) ||
                            (p.break_torque && double(glue.torque) > *p.break_torque);
        if (!glue.on || !broken) continue;
        glue.on = false;
        glue.broken = true;
        events.push_back({time, GlueEventKind::broken, glue.name});
    }
}

}  // namespace pliant
