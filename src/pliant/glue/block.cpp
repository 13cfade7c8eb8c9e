#include "pliant/glue/block.h"

#include "pliant/glue/sides.h"
#include "pliant/math/semidefinite.h"
#include "pliant/state/mobility.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr double kSingular = 1e-5;  // frames are known to the digits of a float
constexpr int kMostRows = 3 * kMostBlockJoints;
static_assert(kMostRows <= kMostSemidefinite);

/// The joints of a block at an instant, and the system that they make.
struct BlockSystem {
    int joints = 0;
    std::array<std::array<BoundFrame<double>, 2>, kMostBlockJoints> frame;
    std::array<std::array<Vec3d, 2>, kMostBlockJoints> arm;   // of a rigid body: from its centre to its end now [m]
    std::array<std::array<Vec3d, 2>, kMostBlockJoints> push;  // and where it is pushed [m]
    std::array<Vec3d, kMostBlockJoints> gap;                  // C [m]
    std::array<double, kMostRows * kMostRows> a;
    std::array<double, kMostRows> b;

    int rows() const { return 3 * joints; }
    double& at(int row, int column) { return a[static_cast<std::size_t>(row * rows() + column)]; }
    Vec3d part(int joint) const { return {b[3 * joint], b[3 * joint + 1], b[3 * joint + 2]}; }
    void set_part(int joint, const Vec3d& value)
    {
        for (int i = 0; i < 3; ++i) b[3 * joint + i] = value[i];
    }
    void add(int row, int column, const Mat3d& m)
    {
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) at(3 * row + i, 3 * column + j) += m(i, j);
    }
    /// Leaves a joint out: its part of the solution is zero.
    void clear(int joint)
    {
        for (int i = 3 * joint; i < 3 * joint + 3; ++i) {
            for (int j = 0; j < rows(); ++j) at(i, j) = at(j, i) = 0;
            b[i] = 0;
        }
    }
};

const JointGroup& group_of(std::span<const JointGroup> groups, const JointBlock& block, int joint)
{
    return groups[static_cast<std::size_t>(block.first_group + joint / kLanes)];
}

BoundFrame<double> lane_of(const BoundFrame<Lanes>& f, int l)
{
    return {lane(f.center, l).cast<double>(), lane(f.rotation, l).cast<double>(), lane(f.k_inverse, l).cast<double>(),
            lane(f.arm, l).cast<double>()};
}

/// From the centre of a rigid body to its end of a joint, with the orientation of `pose`.
Vec3d arm_of(const JointGroup& g, int side, int l, const Pose& pose)
{
    return (pose.rotation() * lane(g.side[side].point, l)).cast<double>();
}

/// A push at the arm of the start keeps the energy of a swing; but where a body turns far in a substep, as the light links
/// of a chain that snaps straight do, none may close the gap, and the search for it would blow up. There the arm is that of
/// now, which takes energy away instead; between the two it changes smoothly, for both ends of a joint alike.
void calm_pushes(const JointGroup& g, int l, const std::array<Vec3d, 2>& arm, std::array<Vec3d, 2>& push)
{
    constexpr double kMaxTurnForStartArm = 0.02, kMinTurnForCurrentArm = 0.05;  // [rad]
    double turn = 0;
    for (int s = 0; s < 2; ++s)
        if (g.side[s].body[l] >= 0 && arm[s].squared_norm() > 0)
            turn = std::max(turn, (arm[s] - push[s]).norm() / arm[s].norm());
    const double share =
        std::clamp((turn - kMaxTurnForStartArm) / (kMinTurnForCurrentArm - kMaxTurnForStartArm), 0.0, 1.0);
    for (int s = 0; s < 2; ++s)
        if (g.side[s].body[l] >= 0) push[s] += share * (arm[s] - push[s]);
}

void find_places(const Joints& joints, const JointBlock& block, const Point* points, const RigidBodies& bodies,
                 Arm push, std::span<JointGroup> groups, BlockSystem& system)
{
    system.joints = block.joints;
    for (int first = 0; first < block.joints; first += kLanes) {
        JointGroup& g = groups[static_cast<std::size_t>(block.first_group + first / kLanes)];
        const SideState state[] = {find_side(joints, points, bodies, g.side[0]),
                                   find_side(joints, points, bodies, g.side[1])};
        for (int l = 0; l < std::min(kLanes, block.joints - first); ++l) {
            for (int s = 0; s < 2; ++s) {
                system.frame[first + l][s] = lane_of(state[s].frame, l);
                const int body = g.side[s].body[l];
                if (body < 0) continue;
                system.arm[first + l][s] = arm_of(g, s, l, bodies.pose[body]);
                system.push[first + l][s] =
                    push == Arm::start ? arm_of(g, s, l, bodies.pose_prev[body]) : system.arm[first + l][s];
            }
            calm_pushes(g, l, system.arm[first + l], system.push[first + l]);
            system.gap[first + l] = lane(state[0].point - state[1].point, l).cast<double>();
        }
    }
}

double sign_of(const BlockNode::End& end) { return end.side == 0 ? 1 : -1; }

/// J of an end with its sign: how C changes as a particle moves.
Mat3d derivative(const Joints& joints, const BlockSystem& system, const BlockNode::End& end)
{
    const ParentRow& row = joints.rows[end.row];
    const int l = end.joint % kLanes;
    return sign_of(end) *
           jacobian(system.frame[end.joint][end.side], double(row.weight[l]), lane(row.rest, l).cast<double>());
}

void add_particle(const Joints& joints, const BlockNode& node, double inverse_mass, BlockSystem& system)
{
    std::array<Mat3d, 2 * kMostBlockJoints> j;
    for (std::size_t e = 0; e < node.ends.size(); ++e) j[e] = derivative(joints, system, node.ends[e]);
    for (std::size_t e = 0; e < node.ends.size(); ++e)
        for (std::size_t f = 0; f < node.ends.size(); ++f)
            system.add(node.ends[e].joint, node.ends[f].joint, inverse_mass * (j[e] * j[f].transposed()));
}

void add_rigid(const BlockNode& node, const RigidBodies& bodies, BlockSystem& system)
{
    const double inverse_mass = double(bodies.inv_mass[node.body]);
    const Mat3d inverse_inertia = inverse_inertia_of(bodies, node.body).cast<double>();
    for (const BlockNode::End& e : node.ends) {
        const Mat3d turned = Mat3d::skew(system.arm[e.joint][e.side]) * inverse_inertia;
        for (const BlockNode::End& f : node.ends) {
            const Mat3d k = inverse_mass * Mat3d::identity() - turned * Mat3d::skew(system.push[f.joint][f.side]);
            system.add(e.joint, f.joint, (sign_of(e) * sign_of(f)) * k);
        }
    }
}

void make_matrix(const Joints& joints, const JointBlock& block, const Point* points, const RigidBodies& bodies,
                 BlockSystem& system)
{
    std::fill_n(system.a.begin(), system.rows() * system.rows(), 0.0);
    for (const BlockNode& node : block.nodes) {
        if (node.body >= 0) add_rigid(node, bodies, system);
        else if (points[node.point].w > 0) add_particle(joints, node, double(points[node.point].w), system);
    }
}

/// The right side, and the softness on the diagonal; see block.h.
void add_response(const JointBlock& block, std::span<const JointGroup> groups, BlockSystem& system)
{
    for (int j = 0; j < block.joints; ++j) {
        const JointGroup& g = group_of(groups, block, j);
        const int l = j % kLanes;
        const double s = double(g.stiff[l]), b = double(g.damp[l]), c = double(g.soft[l]);
        if (!(s + b > 0)) {
            system.clear(j);
            continue;
        }
        const Vec3d gap = system.gap[j] - lane(g.target, l).cast<double>();
        const Vec3d change = system.gap[j] - lane(g.start(), l).cast<double>();
        system.set_part(j, (-1 / (s + b)) * (s * gap + b * change + c * lane(g.lambda, l).cast<double>()));
        for (int i = 3 * j; i < 3 * j + 3; ++i) system.at(i, i) += c / (s + b);
    }
}

/// What a particle feels of the pushes at all ends that hold it [kg m].
Vec3d push_of(const Joints& joints, const BlockNode& node, const BlockSystem& system)
{
    Vec3d sum;
    for (const BlockNode::End& e : node.ends) {
        const ParentRow& row = joints.rows[e.row];
        const BoundFrame<double>& frame = system.frame[e.joint][e.side];
        const Vec3d p = sign_of(e) * system.part(e.joint);
        sum += passed_on(frame, p, turning(frame, p), double(row.weight[e.joint % kLanes]),
                         lane(row.rest, e.joint % kLanes).cast<double>());
    }
    return sum;
}

/// Push [kg m] and torque [kg m^2] on a rigid body.
std::pair<Vec3, Vec3> push_of(const BlockNode& node, const BlockSystem& system)
{
    Vec3d push, torque;
    for (const BlockNode::End& e : node.ends) {
        const Vec3d p = sign_of(e) * system.part(e.joint);
        push += p;
        torque += system.push[e.joint][e.side].cross(p);
    }
    return {push.cast<Real>(), torque.cast<Real>()};
}

void move_point(const Vec3d& by, Point& point)
{
    point.x = static_cast<Real>(double(point.x) + by.x);
    point.y = static_cast<Real>(double(point.y) + by.y);
    point.z = static_cast<Real>(double(point.z) + by.z);
}

void move_nodes(const Joints& joints, const JointBlock& block, const BlockSystem& system, Point* points,
                RigidBodies& bodies)
{
    for (const BlockNode& node : block.nodes) {
        if (node.body < 0) {
            Point& point = points[node.point];
            if (point.w > 0) move_point(double(point.w) * push_of(joints, node, system), point);
        } else if (const int body = node.body; bodies.inv_mass[body] > 0) {
            const auto [push, torque] = push_of(node, system);
            move_pose(bodies.inv_mass[body] * push, times_inverse_inertia(bodies, body, torque), bodies.pose[body]);
        }
    }
}

/// Adds the solution, times a factor, to the multipliers.
void add_lambda(const JointBlock& block, const BlockSystem& system, double factor, std::span<JointGroup> groups)
{
    for (int j = 0; j < block.joints; ++j) {
        JointGroup& g = groups[static_cast<std::size_t>(block.first_group + j / kLanes)];
        const int l = j % kLanes;
        set_lane(g.lambda, l, lane(g.lambda, l) + (factor * system.part(j)).cast<Real>());
    }
}

bool moves_far(const JointBlock& block, const BlockSystem& system, std::span<const JointGroup> groups)
{
    for (int j = 0; j < block.joints; ++j) {
        const JointGroup& g = group_of(groups, block, j);
        const int l = j % kLanes;
        const double far = double(g.tolerance[l]);
        const Vec3d gap = system.gap[j] - lane(g.target, l).cast<double>();
        if (g.soft[l] == 0 && gap.squared_norm() > far * far) return true;
    }
    return false;
}

/// How fast the two ends of the joints move apart.
void find_speeds(Real h, const Joints& joints, const JointBlock& block, const Point* velocities,
                 const RigidBodies& bodies, std::span<const JointGroup> groups, BlockSystem& system)
{
    std::array<Vec3d, kMostBlockJoints> speed{};
    for (const BlockNode& node : block.nodes)
        for (const BlockNode::End& e : node.ends) {
            if (node.body < 0) {
                speed[e.joint] += derivative(joints, system, e) * velocities[node.point].position().cast<double>();
                continue;
            }
            const Vec3d turning = bodies.w[node.body].cast<double>().cross(system.arm[e.joint][e.side]);
            speed[e.joint] += sign_of(e) * (bodies.v[node.body].cast<double>() + turning);
        }
    for (int j = 0; j < block.joints; ++j) {
        const JointGroup& g = group_of(groups, block, j);
        const int l = j % kLanes;
        system.set_part(j, -1.0 * (speed[j] + lane(given_speed(h, g), l).cast<double>()));
        if (g.follows[l] == 0) system.clear(j);
    }
}

}  // namespace

void project_block(const Joints& joints, const JointBlock& block, Point* points, RigidBodies& bodies,
                   std::span<JointGroup> groups)
{
    constexpr int kMostSteps = 4;
    BlockSystem system;
    for (int step = 0; step < kMostSteps; ++step) {
        find_places(joints, block, points, bodies, Arm::start, groups, system);
        make_matrix(joints, block, points, bodies, system);
        add_response(block, groups, system);
        const auto n = static_cast<std::size_t>(system.rows());
        solve_semidefinite(std::span(system.a).first(n * n), std::span(system.b).first(n), kSingular);
        add_lambda(block, system, 1, groups);
        move_nodes(joints, block, system, points, bodies);
        if (!moves_far(block, system, groups)) return;
    }
}

void match_velocities(Real h, const Joints& joints, const JointBlock& block, const Point* points, Point* velocities,
                      RigidBodies& bodies, std::span<JointGroup> groups)
{
    BlockSystem system;
    find_places(joints, block, points, bodies, Arm::now, groups, system);
    make_matrix(joints, block, points, bodies, system);
    find_speeds(h, joints, block, velocities, bodies, groups, system);
    const auto n = static_cast<std::size_t>(system.rows());
    solve_semidefinite(std::span(system.a).first(n * n), std::span(system.b).first(n), kSingular);
    add_lambda(block, system, double(h), groups);
    for (const BlockNode& node : block.nodes) {
        if (node.body < 0) {
            Point& velocity = velocities[node.point];
            move_point(double(velocity.w) * push_of(joints, node, system), velocity);
        } else if (const int body = node.body; bodies.inv_mass[body] > 0) {
            const auto [push, torque] = push_of(node, system);
            bodies.v[body] += bodies.inv_mass[body] * push;
            bodies.spin[body] += torque;
            bodies.w[body] = times_inverse_inertia(bodies, body, bodies.spin[body]);
        }
    }
}

}  // namespace pliant
