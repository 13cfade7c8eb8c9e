#include "pliant/glue/joint_rows.h"

#include "pliant/math/portable.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kRadians = kPi / 180;

Mat3d turned_axes(const JointEnd& end) { return end.now.rotation * end.axes; }

/// Rows a, b, c.
Mat3d from_rows(const Vec3d& a, const Vec3d& b, const Vec3d& c) { return Mat3d{{a, b, c}}.transposed(); }

/// The axis as each side carries it.
struct Axes {
    Vec3d a, b;
};
Axes axes_of(const Joint& joint)
{
    return {turned_axes(joint.end[0]) * joint.axis, turned_axes(joint.end[1]) * joint.axis};
}

/// Two directions across the axis of side b, which turn with it.
struct Across {
    Vec3d u, v;
};
Across across_axis(const Joint& joint)
{
    const Mat3d turned = turned_axes(joint.end[1]);
    return {turned * joint.across, turned * joint.axis.cross(joint.across)};
}

/// Unit vector of the swing from side b to side a, and its angle; any direction across where there is none.
struct Swing {
    Vec3d about;
    double angle;
};
Swing swing_of(const Joint& joint)
{
    const Axes axes = axes_of(joint);
    const Vec3d about = axes.b.cross(axes.a);
    const double sine = about.norm();
    return {sine > 1e-9 ? (1 / sine) * about : across_axis(joint).u, portable::atan2(sine, axes.a.dot(axes.b))};
}

double twist_of(const Joint& joint)
{
    const Quatd q = quaternion_of(turned_axes(joint.end[0]) * turned_axes(joint.end[1]).transposed());
    const double along = q.v.dot(axes_of(joint).b);
    return 2 * portable::atan2(along, q.w);
}

}  // namespace

double hinge_angle(const Joint& joint, double near)
{
    const Across b = across_axis(joint);
    const Vec3d a = turned_axes(joint.end[0]) * joint.across;
    const double angle = portable::atan2(a.dot(b.v), a.dot(b.u));
    return angle + 2 * kPi * std::round((near - angle) / (2 * kPi));
}

void set_rows(const Joint& joint, ConstraintSystem& system)
{
    const auto set = [&](int block, const Mat3d& rows) {
        system.blocks[block].turned = true;
        system.blocks[block].rows = rows;
    };
    switch (joint.kind) {
        case GlueKind::point: return;
        case GlueKind::weld: {
            if (joint.giving_end < 0) return;
            const Mat3d axes = joint.end[joint.giving_end].now.rotation * joint.giving_axes;
            return set(joint.turn, axes.transposed());
        }
        case GlueKind::hinge: {
            const Across across = across_axis(joint);
            return set(joint.turn, from_rows(axes_of(joint).b, across.u, across.v));
        }
        case GlueKind::slider: {
            const Across across = across_axis(joint);
            return set(joint.position, from_rows(axes_of(joint).b, across.u, across.v));
        }
        case GlueKind::ball: return set(joint.turn, from_rows(swing_of(joint).about, axes_of(joint).b, {}));
        case GlueKind::distance: {
            const Vec3d gap = joint.end[0].now.at - joint.end[1].now.at;
            const double length = gap.norm();
            return set(joint.position, from_rows(length > 0 ? (1 / length) * gap : Vec3d{1, 0, 0}, {}, {}));
        }
    }
}

void set_values(const Joint& joint, ConstraintSystem& system)
{
    const JointEnd &a = joint.end[0], &b = joint.end[1];
    ConstraintBlock& position = system.blocks[joint.position];
    const Vec3d gap = a.now.at - b.now.at;
    position.value = position.in_rows(gap);
    if (joint.kind == GlueKind::distance) position.value.x = gap.norm();
    if (joint.kind == GlueKind::slider) {  // its rows turn with side b
        const Across across = across_axis(joint);
        position.value = {gap.dot(axes_of(joint).b), gap.dot(across.u), gap.dot(across.v)};
    }
    if (joint.turn < 0) return;
    ConstraintBlock& turn = system.blocks[joint.turn];
    switch (joint.kind) {
        case GlueKind::hinge: {
            const Axes axes = axes_of(joint);
            turn.value = joint.arm * turn.in_rows(axes.b.cross(axes.a));
            turn.value.x = joint.arm * hinge_angle(joint, joint.angle);
            return;
        }
        case GlueKind::ball: turn.value = {joint.arm * swing_of(joint).angle, joint.arm * twist_of(joint), 0}; return;
        case GlueKind::point:
        case GlueKind::distance:
        case GlueKind::slider:
        case GlueKind::weld: break;
    }
    const Mat3d apart = turned_axes(a) * turned_axes(b).transposed();
    turn.value = turn.in_rows(joint.arm * turn_of(quaternion_of(apart) * joint.turn_target.conjugate()));
}

namespace {

/// A drive towards a goal, with a force or torque of at most `most` [N or N m]; arm is 1 for a force.
void add_motor(const GlueParams& p, double unit, double arm, double start, double h, DrivenRow& row)
{
    const double lambda = h * h / arm;  // of a unit of force or torque
    if (p.motor_speed || p.motor_target) {
        const double speed = unit * p.motor_speed.value_or(1e30);
        double step = speed * h;
        if (p.motor_target) {
            const double left = unit * *p.motor_target - start / arm, most = std::abs(step);
            step = std::clamp(left, -most, most);
        }
        row.motor = true;
        row.goal = start + arm * step;
        row.most = p.motor_limit ? *p.motor_limit * lambda : ConstraintBlock::kUnbounded;
    } else if (p.friction > 0) {
        row.motor = true;
        row.goal = start;
        row.most = p.friction * lambda;
    }
}

}  // namespace

namespace {

/// Turns a row on that would get beyond a limit by itself. The limit adds to what pushes already, and never pulls.
void hold_at_limit(const RigidBodies& bodies, const DrivenRow& row, ConstraintSystem& system)
{
    ConstraintBlock& block = system.blocks[row.block];
    const double next = extrapolate_constraint(bodies, system, row.block)[row.row];
    if (next >= row.low && next <= row.high) return;
    const bool below = next < row.low;
    const double pushed = block.lambda[row.row];
    block.response[row.row] = RowResponse::hard();
    block.target[row.row] = below ? row.low : row.high;
    block.low[row.row] = below ? pushed : -ConstraintBlock::kUnbounded;
    block.high[row.row] = below ? ConstraintBlock::kUnbounded : pushed;
}

}  // namespace

void set_drive(const GlueParams& p, double h, Joint& joint)
{
    joint.driven = {};
    const auto limit = [](const std::optional<double>& value, double scale, double otherwise) {
        return value ? scale * *value : otherwise;
    };
    constexpr double kNone = ConstraintBlock::kUnbounded;
    DrivenRow& row = joint.driven[0];
    switch (joint.kind) {
        case GlueKind::point:
        case GlueKind::weld: return;
        case GlueKind::hinge: {
            const double scale = joint.arm * kRadians;
            row = {joint.turn, 0, limit(p.low, scale, -kNone), limit(p.high, scale, kNone), false, 0, kNone};
            return add_motor(p, kRadians, joint.arm, joint.arm * joint.angle, h, row);
        }
        case GlueKind::slider: {
            const Vec3d gap = joint.end[0].now.at - joint.end[1].now.at;
            row = {joint.position, 0, limit(p.low, 1, -kNone), limit(p.high, 1, kNone), false, 0, kNone};
            return add_motor(p, 1, 1, gap.dot(axes_of(joint).b), h, row);
        }
        case GlueKind::ball: {
            const double scale = joint.arm * kRadians;
            row = {joint.turn, 0, -kNone, limit(p.swing, scale, kNone), false, 0, kNone};
            const double twist = limit(p.twist, scale, kNone);
            joint.driven[1] = {joint.turn, 1, -twist, twist, false, 0, kNone};
            return;
        }
        case GlueKind::distance: row = {joint.position, 0, -kNone, joint.length, false, 0, kNone}; return;
    }
}

void choose_rows(const RigidBodies& bodies, const Joint& joint, ConstraintSystem& system)
{
    if (!joint.on) return;
    for (const DrivenRow& row : joint.driven) {
        if (row.block < 0) continue;
        ConstraintBlock& block = system.blocks[row.block];
        block.bounded = true;
        block.response[row.row] = {};
        block.low[row.row] = -ConstraintBlock::kUnbounded;
        block.high[row.row] = ConstraintBlock::kUnbounded;
        if (!row.motor) {
            hold_at_limit(bodies, row, system);
            continue;
        }
        block.response[row.row] = RowResponse::hard();
        block.target[row.row] = std::clamp(row.goal, row.low, row.high);
        block.low[row.row] = -row.most;
        block.high[row.row] = row.most;
    }
}

void catch_at_limits(const RigidBodies& bodies, const Joint& joint, ConstraintSystem& system)
{
    if (!joint.on) return;
    for (const DrivenRow& row : joint.driven)
        if (row.block >= 0 && row.motor && !system.blocks[row.block].response[row.row].on())
            hold_at_limit(bodies, row, system);
}

}  // namespace pliant
