#include "pliant/shape/constraint_system.h"

#include "pliant/math/compensated.h"
#include "pliant/math/symmetric3.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

/// Added to the diagonal, relative. Redundant constraints then share the load, and contradictory ones meet in the
/// middle.
constexpr double kRegularisation = 1e-9;

/// sum += a b^T
void add_product_transposed(const Mat3d& a, const Mat3d& b, Mat3d& sum)
{
    for (int j = 0; j < 3; ++j) sum.c[j] += b.c[0][j] * a.c[0] + b.c[1][j] * a.c[1] + b.c[2][j] * a.c[2];
}

double frobenius_product(const Mat3d& a, const Mat3d& b)
{
    return a.c[0].dot(b.c[0]) + a.c[1].dot(b.c[1]) + a.c[2].dot(b.c[2]);
}

/// J W of a touch: of the translation and of the rotation.
struct Weighted {
    Mat3d move, turn;
};

Weighted weigh(const ConstraintSystem& system, const ConstraintSystem::Touch& touch)
{
    if (!system.is_body(touch.node)) {
        const JointPoint& point = system.points[touch.node];
        if (!point.touching) return {point.give * touch.move, {}};
        return {point.give * (touch.move * point.free), {}};
    }
    const JointBody& body = system.body(touch.node);
    return {body.inv_mass * touch.move, touch.turn * body.give};
}

void add_mobility(const Weighted& weighted, const ConstraintSystem::Touch& touch, ConstraintSystem& system)
{
    system.mobility[touch.block] +=
        frobenius_product(weighted.move, touch.move) + frobenius_product(weighted.turn, touch.turn);
}

void add_eliminated(ConstraintSystem& system, int node, const int*& pair)
{
    const int first = system.first_by_node[node], last = system.first_by_node[node + 1];
    const bool body = system.is_body(node);
    for (int a = first; a < last; ++a) {
        const ConstraintSystem::Touch& touch = system.touches[system.by_node[a]];
        const Weighted weighted = weigh(system, touch);
        for (int b = first; b <= a; ++b, ++pair) {
            const ConstraintSystem::Touch& other = system.touches[system.by_node[b]];
            Mat3d& sum = system.matrix[*pair];
            add_product_transposed(weighted.move, other.move, sum);
            if (body) add_product_transposed(weighted.turn, other.turn, sum);
            if (a == b || touch.block != other.block) continue;
            add_product_transposed(other.move, weighted.move, sum);  // one node, touched twice by the same block
            if (body) add_product_transposed(other.turn, weighted.turn, sum);
        }
        add_mobility(weighted, touch, system);
    }
}

/// The motion of a node that stays in the system is an unknown: -M on the diagonal, J off it.
void add_kept(ConstraintSystem& system, int node)
{
    const bool body = system.is_body(node);
    const double mass = 1 / (body ? system.body(node).inv_mass : system.points[node].give);
    const int unknown = system.kept[node];
    system.matrix[system.pattern.diagonal(unknown)] = Mat3d::diagonal({-mass, -mass, -mass});
    if (body) system.matrix[system.pattern.diagonal(unknown + 1)] = -1.0 * system.body(node).give.inverse();
    const auto add = [&](int block, int other, int at, const Mat3d& j) {
        const bool later = system.pattern.place[block] > system.pattern.place[other];
        system.matrix[at] += later ? j : j.transposed();
    };
    for (int t = system.first_by_node[node]; t < system.first_by_node[node + 1]; ++t) {
        const ConstraintSystem::Touch& touch = system.touches[system.by_node[t]];
        add(touch.block, unknown, touch.kept_move, touch.move);
        if (body) add(touch.block, unknown + 1, touch.kept_turn, touch.turn);
        add_mobility(weigh(system, touch), touch, system);
    }
}

void add_responses(ConstraintSystem& system)
{
    for (int b = 0; b < static_cast<int>(system.blocks.size()); ++b) {
        Mat3d& diagonal = system.matrix[system.pattern.diagonal(b)];
        for (int i = 0; i < 3; ++i) {
            const RowResponse& r = system.blocks[b].response[i];
            const bool on = r.on() && system.mobility[b] > 0;
            diagonal(i, i) += on ? r.soft / (r.stiff + r.damp) + kRegularisation / 3 * system.mobility[b] : 1;
        }
    }
}

/// Replaces the right-hand side in `change` by the solution.
void solve_matrix(ConstraintSystem& system)
{
    std::ranges::fill(system.right, Vec3d{});
    for (std::size_t b = 0; b < system.blocks.size(); ++b)
        system.right[system.pattern.place[b]] = system.mobility[b] > 0 ? system.change[b] : Vec3d{};
    solve_blocks(system.pattern, system.matrix, system.pivots, system.right);
    for (std::size_t b = 0; b < system.blocks.size(); ++b) system.change[b] = system.right[system.pattern.place[b]];
}

void add_shift(const Vec3d& move, const Vec3d& turn, BodyShift& shift)
{
    const Vec3d a = 0.5 * shift.composed, b = 0.5 * turn;  // tan(angle / 2), by Rodrigues' formula for two rotations
    const double scale = 1 - a.dot(b);
    shift.move += move;
    shift.turn += turn;
    const bool half_a_turn = std::abs(scale) < 1e-3;
    shift.composed = half_a_turn ? shift.turn : (2 / scale) * (a + b + b.cross(a));
}

/// dx = W J^T dlambda
void move_nodes(ConstraintSystem& system, RigidBodies& bodies)
{
    for (int n = 0; n < system.nodes(); ++n) {
        if (system.held[n] != 0) continue;
        const NodePush by = push_on_node(system, n);
        if (!system.is_body(n)) {
            JointPoint& point = system.points[n];
            const Vec3d push = point.in_free(by.push);
            point.moved += point.give * by.push;
            point.x += point.give * push;
            if (point.touching) point.reaction += push - by.push;
            continue;
        }
        JointBody& body = system.body(n);
        const Vec3d move = body.inv_mass * by.push, turn = body.give * by.torque;
        add_shift(move, turn, body.shift);
        move_pose(move.cast<Real>(), turn.cast<Real>(), bodies.pose[body.body]);
    }
}

}  // namespace

NodePush push_on_node(const ConstraintSystem& system, int node)
{
    NodePush sum;
    for (int t = system.first_by_node[node]; t < system.first_by_node[node + 1]; ++t) {
        const ConstraintSystem::Touch& touch = system.touches[system.by_node[t]];
        sum.push += transposed_times(touch.move, system.change[touch.block]);
        if (system.is_body(node)) sum.torque += transposed_times(touch.turn, system.change[touch.block]);
    }
    return sum;
}

void clear_off_rows(ConstraintSystem& system)
{
    for (ConstraintSystem::Touch& touch : system.touches)
        for (int i = 0; i < 3; ++i) {
            if (system.blocks[touch.block].response[i].on()) continue;
            for (int j = 0; j < 3; ++j) touch.move(i, j) = touch.turn(i, j) = 0;
        }
}

void factor_constraints(ConstraintSystem& system)
{
    std::ranges::fill(system.matrix, Mat3d{});
    std::ranges::fill(system.mobility, 0.0);
    const int* pair = system.pairs.data();
    for (int n = 0; n < system.nodes(); ++n) {
        if (system.held[n] != 0) continue;
        if (system.kept[n] >= 0) add_kept(system, n);
        else add_eliminated(system, n, pair);
    }
    add_responses(system);
    factor_blocks(system.pattern, system.matrix, system.pivots);
}

Vec3d extrapolate_constraint(const RigidBodies& bodies, const ConstraintSystem& system, int block)
{
    Vec3d value = system.blocks[block].start + system.blocks[block].driven;
    for (int t = system.first_touch[block]; t < system.first_touch[block + 1]; ++t) {
        const ConstraintSystem::Touch& touch = system.touches[t];
        if (!system.is_body(touch.node)) {
            const JointPoint& p = system.points[touch.node];
            value += touch.move * (p.x - p.start);
            continue;
        }
        const int body = system.body(touch.node).body;
        const Pose &from = bodies.pose_prev[body], &to = bodies.pose[body];
        value +=
            touch.move * shift_between(from, to).cast<double>() + touch.turn * turn_between(from, to).cast<double>();
    }
    return value;
}

void solve_constraints(ConstraintSystem& system, RigidBodies& bodies)
{
    for (std::size_t b = 0; b < system.blocks.size(); ++b)
        for (int i = 0; i < 3; ++i) system.change[b][i] = system.blocks[b].wanted_change(i);
    solve_matrix(system);
    for (std::size_t b = 0; b < system.blocks.size(); ++b) system.blocks[b].lambda += system.change[b];
    move_nodes(system, bodies);
}

bool hold_at_bounds(ConstraintSystem& system, RigidBodies& bodies)
{
    bool any = false;
    for (std::size_t b = 0; b < system.blocks.size(); ++b) {
        system.change[b] = {};
        const ConstraintBlock& block = system.blocks[b];
        for (int i = 0; block.bounded && i < 3; ++i)
            any =
                any || (block.response[i].on() && (block.lambda[i] < block.low[i] || block.lambda[i] > block.high[i]));
    }
    if (!any) return false;
    std::vector<Vec3d>& held_at = system.change;
    for (std::size_t b = 0; b < system.blocks.size(); ++b) {
        ConstraintBlock& block = system.blocks[b];
        for (int i = 0; block.bounded && i < 3; ++i) {
            const double bound = std::clamp(block.lambda[i], block.low[i], block.high[i]);
            if (!block.response[i].on() || bound == block.lambda[i]) continue;
            block.response[i] = {0, 0, 1};
            held_at[b][i] = bound - system.saved.lambdas[b][i];
        }
    }
    restore_constraints(system, bodies);
    for (std::size_t b = 0; b < system.blocks.size(); ++b) system.blocks[b].lambda += held_at[b];
    move_nodes(system, bodies);
    return true;
}

JointMobility joint_mobility(int node, ConstraintSystem& system)
{
    const JointBody& body = system.body(node);
    JointMobility out;
    out.turn_alone = body.give.cast<Real>();
    for (int k = 0; k < 6; ++k) {
        Vec3d push, torque;
        (k < 3 ? push : torque)[k % 3] = 1;
        const Vec3d shift = body.inv_mass * push, turn = body.give * torque;
        std::ranges::fill(system.change, Vec3d{});
        for (int t = system.first_by_node[node]; t < system.first_by_node[node + 1]; ++t) {
            const ConstraintSystem::Touch& touch = system.touches[system.by_node[t]];
            system.change[touch.block] -= touch.move * shift + touch.turn * turn;
        }
        solve_matrix(system);
        const NodePush by = push_on_node(system, node);
        const Vec3 moved = (body.inv_mass * (push + by.push)).cast<Real>();
        const Vec3 turned = (body.give * (torque + by.torque)).cast<Real>();
        (k < 3 ? out.shift_by_push : out.shift_by_torque).c[k % 3] = moved;
        (k < 3 ? out.turn_by_push : out.turn_by_torque).c[k % 3] = turned;
    }
    return out;
}

double push_point(int node, const Vec3d& n, double way, double most, ConstraintSystem& system, RigidBodies& bodies)
{
    constexpr double kHeldFast = 1e-6;  // gives less than this part of what it would alone
    JointPoint& point = system.points[node];
    const Vec3d alone = point.give * n;
    std::ranges::fill(system.change, Vec3d{});
    for (int t = system.first_by_node[node]; t < system.first_by_node[node + 1]; ++t) {
        const ConstraintSystem::Touch& touch = system.touches[system.by_node[t]];
        system.change[touch.block] -= touch.move * alone;
    }
    solve_matrix(system);
    const double gives = n.dot(alone + point.give * push_on_node(system, node).push);
    if (!(gives > kHeldFast * point.give)) return 0;
    const double push = std::min(way / gives, most);
    for (std::size_t b = 0; b < system.blocks.size(); ++b) {
        system.change[b] = push * system.change[b];
        system.blocks[b].lambda += system.change[b];
    }
    move_nodes(system, bodies);
    point.x += push * alone;
    return push;
}

void hold_point(const Mat3d& free, JointPoint& point)
{
    point.touching = true;
    point.free = free;
}

void release_point(JointPoint& point)
{
    point.x -= point.give * point.reaction;
    point.reaction = {};
    point.touching = false;
}

void push_held_point(const Vec3d& push, JointPoint& point)
{
    point.x += point.give * push;
    point.reaction += push;
}

void correct_spins(Real h, ConstraintSystem& system, RigidBodies& bodies)
{
    for (JointBody& b : system.bodies) {
        b.gained = {};
        if (!(b.inv_mass > 0) || b.shift.turn == Vec3d{}) continue;
        const auto momentum = [&](const Pose& pose, const Vec3d& turn) {
            const Mat3d r = exact_rotation(pose);
            return r * (Mat3d::diagonal(bodies.inertia[b.body].cast<double>()) * (r.transposed() * turn));
        };
        b.gained = momentum(bodies.pose_prev[b.body], b.shift.turn);
        const Vec3d missing = b.gained - momentum(bodies.pose[b.body], b.shift.composed);
        bodies.spin[b.body] += ((1 / double(h)) * missing).cast<Real>();
        bodies.w[b.body] = times_inverse_inertia(bodies, b.body, bodies.spin[b.body]);
    }
}

void solve_speeds(std::span<const Vec3d> speeds, ConstraintSystem& system)
{
    for (std::size_t b = 0; b < system.blocks.size(); ++b)
        for (int i = 0; i < 3; ++i) system.change[b][i] = system.blocks[b].response[i].on() ? -speeds[b][i] : 0;
    solve_matrix(system);
}

void load_constraints(const Particles& particles, ConstraintSystem& system)
{
    for (JointPoint& p : system.points) p.x = particles.position(p.particle);
}

void store_constraints(const ConstraintSystem& system, Particles& particles)
{
    for (const JointPoint& p : system.points) {
        if (!(p.inv_mass > 0)) continue;
        const Vec3 moved = (p.x - particles.position(p.particle)).cast<Real>();
        add_compensated(moved, particles.x[p.particle], particles.x_low[p.particle]);
    }
}

void save_constraints(const RigidBodies& bodies, ConstraintSystem& system)
{
    for (std::size_t i = 0; i < system.points.size(); ++i) {
        system.saved.points[i] = system.points[i].x;
        system.saved.moved[i] = system.points[i].moved;
        system.saved.reactions[i] = system.points[i].reaction;
    }
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        system.saved.poses[i] = bodies.pose[system.bodies[i].body];
        system.saved.shifts[i] = system.bodies[i].shift;
    }
    for (std::size_t i = 0; i < system.blocks.size(); ++i) system.saved.lambdas[i] = system.blocks[i].lambda;
}

void restore_constraints(ConstraintSystem& system, RigidBodies& bodies)
{
    for (std::size_t i = 0; i < system.points.size(); ++i) {
        system.points[i].x = system.saved.points[i];
        system.points[i].moved = system.saved.moved[i];
        system.points[i].reaction = system.saved.reactions[i];
    }
    for (std::size_t i = 0; i < system.bodies.size(); ++i) {
        bodies.pose[system.bodies[i].body] = system.saved.poses[i];
        system.bodies[i].shift = system.saved.shifts[i];
    }
    for (std::size_t i = 0; i < system.blocks.size(); ++i) system.blocks[i].lambda = system.saved.lambdas[i];
}

}  // namespace pliant
