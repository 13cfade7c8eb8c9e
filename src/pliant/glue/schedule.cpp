#include "pliant/glue/schedule.h"

#include "pliant/base/check.h"
#include "pliant/base/parallel.h"
#include "pliant/glue/bound.h"

#include <algorithm>
#include <optional>

namespace pliant {

void check_glue(const GlueParams& params, const std::string& what)
{
    for (std::size_t i = 1; i < params.keys.size(); ++i)
        if (!(params.keys[i].time > params.keys[i - 1].time))
            throw InputError(what + ": key " + std::to_string(i) +
                             " is not later than the one before it; give keys in order of time");
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

void place_motions(std::span<const Glue> glues, double time, JointGroup& g)
{
    for (int l = 0; l < kLanes; ++l) {
        if (g.glue[l] < 0) continue;
        const Glue& glue = glues[g.glue[l]];
        const Anchor* anchors[] = {&glue.a, &glue.b};
        for (int s = 0; s < 2; ++s) {
            if (anchors[s]->kind != AnchorKind::motion) continue;
            const Vec3d corner = corner_of(glue, *anchors[s], g.corner[l]);
            set_lane(g.side[s].place, l, motion_at(anchors[s]->motion, time)(corner).cast<Real>());
        }
    }
}

/// What nothing can move does no work and takes none.
bool is_driven(const Anchor& anchor, const RigidBodies& bodies)
{
    return anchor.kind == AnchorKind::motion || (anchor.body >= 0 && bodies.inv_mass[anchor.body] == 0);
}

/// The force of the last substep times the way that its ends have gone. With the velocity at the end of a substep taken
/// for all of it, this is never less than the energy that bodies get.
Real work_of(const Glue& glue, Real h, int l, const JointGroup& g, const Vector3<Lanes> (&before)[2],
             const RigidBodies& bodies)
{
    Vec3 way{};
    if (!is_driven(glue.a, bodies)) way += lane(g.at[0], l) - lane(before[0], l);
    if (!is_driven(glue.b, bodies)) way -= lane(g.at[1], l) - lane(before[1], l);
    return lane(g.lambda, l).dot(way) / (h * h);
}

/// What is left of the gap at the end of the substep: it closes smoothly.
Vec3 remaining_gap(const Glue& glue, int corner, double time)
{
    if (!(glue.params.closing > 0)) return {};
    const double s = std::clamp((time - glue.attached) / glue.params.closing, 0.0, 1.0);
    return static_cast<Real>(1 - s * s * (3 - 2 * s)) * glue.gap[corner];
}

void set_response(const Glue& glue, double time, Real h, int l, JointGroup& g)
{
    const double stiffness = stiffness_at(glue.params, time + static_cast<double>(h)) / corners_of(glue);
    const bool hard = stiffness < 0;
    g.stiff.set(l, !glue.on ? 0 : hard ? 1 : static_cast<Real>(stiffness) * h * h);
    g.damp.set(l, !glue.on || hard ? 0 : static_cast<Real>(glue.params.damping / corners_of(glue)) * h);
    g.soft.set(l, glue.on && hard ? 0 : 1);
    g.along.set(l, glue.params.form == GlueForm::scalar ? 1 : 0);
    const Vec3 gap = remaining_gap(glue, g.corner[l], time + static_cast<double>(h));
    set_lane(g.target, l, gap);
    set_lane(g.closing, l, (1 / h) * (gap - remaining_gap(glue, g.corner[l], time)));
}

void begin_group(double time, Real h, const RigidBodies& bodies, const Joints& joints, const GlueScratch& scratch,
                 std::span<Glue> glues, JointGroup& g)
{
    const bool was_active = g.active;
    g.active = std::any_of(g.glue.begin(), g.glue.end(), [&](int glue) { return glue >= 0 && glues[glue].on; });
    g.work = 0;
    if (!was_active && !g.active) return;
    const Vector3<Lanes> before[] = {g.at[0], g.at[1]};
    place_motions(glues, time, g);
    measure_group(joints, bodies, scratch, g);
    for (int l = 0; l < kLanes; ++l) {
        if (g.glue[l] < 0) continue;
        Glue& glue = glues[g.glue[l]];
        if (was_active) g.work.set(l, work_of(glue, h, l, g, before, bodies));
        if (glue.on && glue.attached == time) glue.gap[g.corner[l]] = lane(g.start(), l);
        set_response(glue, time, h, l, g);
    }
    g.lambda = {};
    place_motions(glues, time + static_cast<double>(h), g);
}

/// Calls visit(glue, group, lane) for every joint, in order.
template <class Visit>
void for_each_joint(const Joints& joints, std::span<Glue> glues, const Visit& visit)
{
    for (const JointGroup& group : joints.groups)
        for (int l = 0; l < kLanes; ++l)
            if (group.glue[l] >= 0) visit(glues[group.glue[l]], group, l);
}

}  // namespace

void begin_glue(double time, Real h, const Particles& particles, const RigidBodies& bodies, std::span<Glue> glues,
                Joints& joints, GlueScratch& scratch, std::vector<GlueEvent>& events)
{
    if (glues.empty()) return;
    follow_keys(time, h, glues, events);
    load_glue_points(joints, particles, scratch);
    parallel_for(static_cast<int>(joints.groups.size()), kGroupGrain, [&](int begin, int end) {
        for (int g = begin; g < end; ++g) begin_group(time, h, bodies, joints, scratch, glues, joints.groups[g]);
    });
    update_bound(glues, scratch, joints);
    for_each_joint(joints, glues, [](Glue& glue, const JointGroup& g, int l) { glue.work += double(g.work[l]); });
}

void end_glue(double time, Real h, const Joints& joints, std::span<Glue> glues, std::vector<GlueEvent>& events)
{
    for (Glue& glue : glues) glue.force = 0;
    for_each_joint(joints, glues,
                   [&](Glue& glue, const JointGroup& g, int l) { glue.force += lane(g.lambda, l).norm() / (h * h); });
    for (Glue& glue : glues) {
        if (!glue.on || !glue.params.break_force || double(glue.force) <= *glue.params.break_force) continue;
        glue.on = false;
        glue.broken = true;
        events.push_back({time, GlueEventKind::broken, glue.name});
    }
}

}  // namespace pliant
