#include "pliant/contact/rigid/island_solve.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr int kIterations = 3;      // at least
constexpr int kMaxIterations = 10;  // while points come to press, or cease to
constexpr int kMaxRelaxIterations = 6;
constexpr double kConverged = 1e-6;         // of the speed that bodies gain in a substep
constexpr double kSettled = 1e-5;           // the same after kIterations
constexpr double kPushOut = 0.1;            // of the missing distance in a substep
constexpr double kStiffnessChange = 0.2;    // of a point's stiffness across the normal, before the factor is made again
constexpr double kSlidingStiffness = 0.01;  // along the slip of a point that gets faster, of that across it

constexpr double kSliding = 0.9;         // a point whose friction is clipped to less than this slides
constexpr double kMuchChanged = 0.05;    // of the largest multiplier
constexpr long kCheapFactor = 100;       // products of blocks
constexpr double kJointStiffness = 100;  // of a joint, of that of a contact
constexpr double kTinySpeed = 1e-9;      // [m/s]
constexpr double kUnknown = 1e300;       // slip before the first iteration

class Solution {
  public:
    Solution(double h, SolveStage stage, const RigidBodies& bodies, Island& island, Islands& islands)
        : h_(h), stage_(stage), bodies_(bodies), island_(island), islands_(islands), m_(islands.manifolds)
    {}

    void run()
    {
        for_each_point([&](const Manifold& manifold, ManifoldPoint& p) { begin(manifold, p); });
        for_each_joint([&](IslandJoint& joint) {
            joint.held = speed_of(joint, islands_.free);
            joint.push = {};
        });
        gained_speed_ = kTinySpeed;
        for (const int body : island_.bodies)
            gained_speed_ = std::max(gained_speed_, (islands_.free[body].v - islands_.u[body].v).norm());
        evaluate(true);
        iterate();
        const bool far = keep_multipliers();
        // where they have changed much, as in an impact, their own error counts: another round makes it rho / m times smaller
        if (!far || factor_cost(island_.pattern) > kCheapFactor) return;
        evaluate(false);
        iterate();
        keep_multipliers();
    }

  private:
    template <class Work>
    void for_each_point(const Work& work)
    {
        for (const int n : island_.manifolds) {
            const Manifold& manifold = m_.list[n];
            a_ = m_.placed[manifold.a].free ? manifold.a : -1;
            b_ = m_.placed[manifold.b].free ? manifold.b : -1;
            for (int k = manifold.first; k < manifold.first + manifold.count; ++k) work(manifold, m_.points[k]);
        }
    }

    template <class Work>
    void for_each_joint(const Work& work)
    {
        for (const int n : island_.joints) work(islands_.joints[n]);
    }

    void iterate()
    {
        for (int k = 0; k < (stage_ == SolveStage::relax ? kMaxRelaxIterations : kMaxIterations); ++k) {
            if (!is_factored()) factor();
            const double changed = step();
            if (changed < kConverged * gained_speed_ || (k + 1 >= kIterations && changed < kSettled * gained_speed_))
                break;
        }
    }
    /// Returns whether one has changed much.
    bool keep_multipliers()
    {
        double change = 0, most = 0;
        for_each_point([&](const Manifold&, ManifoldPoint& p) {
            // only what is in the factor: for others, rho times a velocity of approach would be an impulse
            const double push = p.factored < 0 ? 0 : p.load;
            change = std::max(change, std::abs(push - p.push));
            most = std::max(most, push);
            p.push = push;
            p.hold = p.factored < 0 ? Vec3d{} : p.grip;
        });
        for_each_joint([&](IslandJoint& joint) { joint.push = joint.load; });
        return change > kMuchChanged * most;
    }

    /// What n . v is to be at least, by the gap.
    void begin(const Manifold& manifold, ManifoldPoint& p)
    {
        p.acting = stage_ == SolveStage::first ? Vec3d{} : p.push * p.n + p.hold;
        p.aim = aim_of(h_, stage_, manifold, p, islands_);
        if (stage_ != SolveStage::relax) p.slip = {kUnknown, 0, 0};
    }

    /// The multipliers at the current velocities.
    void measure(const Manifold& manifold, ManifoldPoint& p) const
    {
        const Vec3d v = relative_velocity(islands_.u, manifold, p, islands_);
        const double along = p.n.dot(v);
        const Vec3d slip = v - along * p.n;
        p.load = std::max(0., p.push - island_.rho * (along + p.aim));
        const Vec3d grip = p.hold - island_.rho * slip;
        const double size = grip.norm();
        p.across = size > manifold.friction * p.load ? manifold.sliding * p.load / size : 1;
        p.grip = p.across * grip;
        p.along = p.across;
        if (stage_ != SolveStage::relax && p.across < kSliding && p.slip.x != kUnknown && slip.dot(p.slip) >= 0 &&
            slip.squared_norm() > p.slip.squared_norm())
            p.along = kSlidingStiffness * p.across;
        p.slip = slip;
    }

    /// Multipliers at the current velocities, and which points press. A point is not released while another one of its bodies
    /// comes to press: two that take turns would do so for ever.
    void evaluate(bool first)
    {
        constexpr int kMaxKept = 2;
        for (const int body : island_.bodies) islands_.gained[body] = 0;
        for_each_point([&](const Manifold& manifold, ManifoldPoint& p) {
            measure(manifold, p);
            p.pressed = p.load > 0 || (first && (p.push > 0 || rests(manifold, p)));
            if (!p.pressed || p.factored >= 0) return;
            if (a_ >= 0) islands_.gained[a_] = 1;
            if (b_ >= 0) islands_.gained[b_] = 1;
        });
        for_each_point([&](const Manifold&, ManifoldPoint& p) {
            if (p.pressed) {
                p.kept = 0;
                return;
            }
            const bool gained = (a_ >= 0 && islands_.gained[a_] != 0) || (b_ >= 0 && islands_.gained[b_] != 0);
            p.pressed = p.factored >= 0 && gained && p.kept++ < kMaxKept;
            if (p.pressed) {
                p.across = p.factored;
                p.along = p.factored_along;
            }
            p.load = 0;
            p.grip = {};
        });
        for_each_joint([&](IslandJoint& joint) {
            joint.load = joint.push - joint_stiffness() * (speed_of(joint, islands_.u) - joint.held);
        });
    }
    double joint_stiffness() const { return kJointStiffness * island_.rho; }

    /// A new point that touches and hardly slides: it begins as one that sticks.
    bool rests(const Manifold& manifold, ManifoldPoint& p) const
    {
        if (stage_ != SolveStage::first || p.gap > manifold.skin || !(p.slip.norm() < gained_speed_)) return false;
        p.across = p.along = 1;
        return true;
    }

    bool is_factored()
    {
        bool same = island_.factored;
        for_each_point([&](const Manifold&, const ManifoldPoint& p) {
            const auto differs = [](double now, double then) { return std::abs(now - then) > kStiffnessChange * then; };
            if (p.pressed != (p.factored >= 0)) same = false;
            else if (p.pressed && (differs(p.across, p.factored) || differs(p.along, p.factored_along))) same = false;
        });
        return same;
    }

    /// block += [1; [ra]x] K [1, -[rb]x], rows of a.
    static void add_block(const Mat3d& k, const Vec3d& ra, const Vec3d& rb, double sign, Block6& block)
    {
        const Mat3d sa = Mat3d::skew(ra), sb = Mat3d::skew(rb);
        const Mat3d right = k * sb, low = sa * k, corner = low * sb;
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 3; ++i) {
                block(i, j) += sign * k(i, j);
                block(i, j + 3) -= sign * right(i, j);
                block(i + 3, j) += sign * low(i, j);
                block(i + 3, j + 3) -= sign * corner(i, j);
            }
    }

    void factor()
    {
        island_.factor.assign(static_cast<std::size_t>(island_.pattern.blocks()), {});
        for (std::size_t k = 0; k < island_.bodies.size(); ++k) {
            const int body = island_.bodies[k];
            Block6& block = island_.factor[island_.pattern.diagonal(static_cast<int>(k))];
            for (int i = 0; i < 3; ++i) block(i, i) = static_cast<double>(bodies_.mass[body]);
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j) block(i + 3, j + 3) = islands_.inertia[body](i, j);
        }
        for_each_point([&](const Manifold&, ManifoldPoint& p) { add_point(p); });
        for_each_joint([&](const IslandJoint& joint) { add_joint(joint); });
        factor_blocks(island_.pattern, island_.factor);
        island_.factored = true;
    }
    void add_point(ManifoldPoint& p)
    {
        p.factored = p.pressed ? p.across : -1;
        p.factored_along = p.pressed ? p.along : -1;
        if (!p.pressed) return;
        Mat3d k = island_.rho * (p.across * Mat3d::identity() + (1 - p.across) * Mat3d::outer(p.n, p.n));
        if (p.along < p.across) {
            const Vec3d d = p.slip.normalized();
            k -= (island_.rho * (p.across - p.along)) * Mat3d::outer(d, d);
        }
        const BlockPattern& pattern = island_.pattern;
        const int a = a_ < 0 ? -1 : islands_.place[a_], b = b_ < 0 ? -1 : islands_.place[b_];
        if (a >= 0) add_block(k, p.arm[0], p.arm[0], 1, island_.factor[pattern.diagonal(a)]);
        if (b >= 0) add_block(k, p.arm[1], p.arm[1], 1, island_.factor[pattern.diagonal(b)]);
        if (a < 0 || b < 0) return;
        const bool a_later = pattern.place[a] > pattern.place[b];
        Block6& between = island_.factor[pattern.block_of(a, b)];
        if (a_later) add_block(k, p.arm[0], p.arm[1], -1, between);
        else add_block(k, p.arm[1], p.arm[0], -1, between);
    }

    /// block += s J_a^T J_b, rows of a.
    static void add_block(const IslandJoint::End& a, const IslandJoint::End& b, double s, Block6& block)
    {
        const Mat3d part[2][2] = {{a.move.transposed() * b.move, a.move.transposed() * b.turn},
                                  {a.turn.transposed() * b.move, a.turn.transposed() * b.turn}};
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j) block(i, j) += s * part[i / 3][j / 3](i % 3, j % 3);
    }
    void add_joint(const IslandJoint& joint)
    {
        const BlockPattern& pattern = island_.pattern;
        const double s = joint_stiffness();
        const auto &first = joint.end[0], &second = joint.end[1];
        const int a = islands_.place[first.body], b = second.body < 0 ? -1 : islands_.place[second.body];
        add_block(first, first, s, island_.factor[pattern.diagonal(a)]);
        if (b < 0) return;
        add_block(second, second, s, island_.factor[pattern.diagonal(b)]);
        const bool a_later = pattern.place[a] > pattern.place[b];
        add_block(a_later ? first : second, a_later ? second : first, s, island_.factor[pattern.block_of(a, b)]);
    }

    /// r = M (u* - u) + J^T l, by places.
    void find_residual(std::vector<Vec6d>& r)
    {
        const BlockPattern& pattern = island_.pattern;
        r.resize(island_.bodies.size());
        for (std::size_t k = 0; k < island_.bodies.size(); ++k) {
            const int body = island_.bodies[k];
            const Twist &free = islands_.free[body], &u = islands_.u[body];
            const Vec3d p = static_cast<double>(bodies_.mass[body]) * (free.v - u.v),
                        l = islands_.inertia[body] * (free.w - u.w);
            r[pattern.place[k]] = {p.x, p.y, p.z, l.x, l.y, l.z};
        }
        for_each_point([&](const Manifold&, const ManifoldPoint& p) {
            Vec3d push = p.load * p.n + p.grip;
            push -= p.acting;
            if (a_ >= 0) add_push(push, p.arm[0], r[pattern.place[islands_.place[a_]]]);
            if (b_ >= 0) add_push(-push, p.arm[1], r[pattern.place[islands_.place[b_]]]);
        });
        for_each_joint([&](const IslandJoint& joint) {
            for (const IslandJoint::End& end : joint.end) {
                if (end.body < 0) continue;
                const Vec3d push = end.move.transposed() * joint.load, torque = end.turn.transposed() * joint.load;
                Vec6d& x = r[pattern.place[islands_.place[end.body]]];
                for (int i = 0; i < 3; ++i) {
                    x[i] += push[i];
                    x[i + 3] += torque[i];
                }
            }
        });
    }

    void move(double by)
    {
        for (std::size_t k = 0; k < island_.bodies.size(); ++k) {
            const Vec6d& x = island_.x[island_.pattern.place[k]];
            Twist& u = islands_.u[island_.bodies[k]];
            u.v += by * Vec3d{x[0], x[1], x[2]};
            u.w += by * Vec3d{x[3], x[4], x[5]};
        }
        evaluate(false);
    }
    double along_step() const
    {
        double sum = 0;
        for (std::size_t k = 0; k < island_.x.size(); ++k)
            for (std::size_t i = 0; i < 6; ++i) sum += island_.x[k][i] * island_.r[k][i];
        return sum;
    }

    /// u += t A^-1 r. The residual is the gradient of a convex function but for friction; a step that overshoots its minimum
    /// is shortened. Returns the largest change of a velocity [m/s].
    double step()
    {
        constexpr int kMaxShortenings = 8;
        constexpr double kOvershoot = 0.5;  // of the slope at the start
        find_residual(island_.r);
        island_.x = island_.r;
        solve_blocks(island_.pattern, island_.factor, island_.x);
        const double slope = along_step();
        move(1);
        double low = 0, high = 1, at = 1, at_low = slope, at_high = 0;
        for (int k = 0; k < kMaxShortenings; ++k) {
            find_residual(island_.r);
            const double now = along_step();
            if (now >= 0 ? at == 1 || now <= kOvershoot * slope : -now <= kOvershoot * slope) break;
            if (now > 0) {
                low = at;
                at_low = now;
            } else {
                high = at;
                at_high = now;
            }
            const double next = std::clamp(low + (high - low) * at_low / (at_low - at_high), low + 0.1 * (high - low),
                                           high - 0.1 * (high - low));
            move(next - at);
            at = next;
        }
        double largest = 0;
        for (std::size_t k = 0; k < island_.bodies.size(); ++k) {
            const Vec6d& x = island_.x[island_.pattern.place[k]];
            const double reach = m_.placed[island_.bodies[k]].reach;
            largest = std::max({largest, std::abs(x[0]), std::abs(x[1]), std::abs(x[2]), reach * std::abs(x[3]),
                                reach * std::abs(x[4]), reach * std::abs(x[5])});
        }
        return largest;
    }
    static void add_push(const Vec3d& push, const Vec3d& arm, Vec6d& x)
    {
        const Vec3d torque = arm.cross(push);
        for (int i = 0; i < 3; ++i) {
            x[i] += push[i];
            x[i + 3] += torque[i];
        }
    }

    double h_;
    SolveStage stage_;
    const RigidBodies& bodies_;
    Island& island_;
    Islands& islands_;
    Manifolds& m_;
    double gained_speed_ = 0;  // by forces in this substep, the most of any body [m/s]
    int a_ = -1, b_ = -1;      // bodies of the current manifold that are free
};

}  // namespace

Vec3d relative_velocity(const std::vector<Twist>& u, const Manifold& manifold, const ManifoldPoint& p,
                        const Islands& islands)
{
    const Twist& ua = u[manifold.a];
    Vec3d v = ua.v + ua.w.cross(p.arm[0]) - p.carried;
    if (manifold.b < islands.manifolds.bodies) {
        const Twist& ub = u[manifold.b];
        v -= ub.v + ub.w.cross(p.arm[1]);
    }
    return v;
}

Vec3d speed_of(const IslandJoint& joint, const std::vector<Twist>& u)
{
    Vec3d speed{};
    for (const IslandJoint::End& end : joint.end)
        if (end.body >= 0) speed += end.move * u[end.body].v + end.turn * u[end.body].w;
    return speed;
}

double aim_of(double h, SolveStage stage, const Manifold& manifold, const ManifoldPoint& p, const Islands& islands)
{
    if (stage == SolveStage::relax) {
        if (p.bounce > 0 && p.push > 0) return -p.bounce;
        // along straight paths: the point of a ball that touched rises while it rolls, but the ball does not
        const double s = p.gap + h * p.n.dot(relative_velocity(islands.mean, manifold, p, islands)) - manifold.skin;
        return s > 0 ? s / h : 0;
    }
    const double s = p.gap - manifold.skin, below = p.gap - manifold.floor;
    return s > 0 ? s / h : below >= 0 ? 0 : std::max(kPushOut * below / h, -kMaxPushOut);
}

void solve_island(double h, SolveStage stage, const RigidBodies& bodies, Island& island, Islands& islands)
{
    Solution(h, stage, bodies, island, islands).run();
}

}  // namespace pliant
