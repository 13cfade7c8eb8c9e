#include "pliant/contact/rigid/island_sweep.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr int kSweeps = 10;  // half of them back
constexpr int kRelaxSweeps = 8;
constexpr double kFloor = 0.75;  // of the skin, between bodies

/// A unit vector across another.
Vec3d across(const Vec3d& n)
{
    const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
    const Vec3d axis = x <= y && x <= z ? Vec3d{1, 0, 0} : y <= z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    return n.cross(axis).normalized();
}

class Sweeps {
  public:
    Sweeps(double h, SolveStage stage, const RigidBodies& bodies, Island& island, Islands& islands)
        : h_(h), stage_(stage), bodies_(bodies), island_(island), islands_(islands), m_(islands.manifolds)
    {}

    void run()
    {
        island_.factored = false;
        for (const int body : island_.bodies) islands_.u[body] = islands_.free[body];
        for (const int n : island_.manifolds) prepare(m_.list[n]);
        for (const int n : island_.joints) prepare(islands_.joints[n]);
        const int sweeps = stage_ == SolveStage::relax ? kRelaxSweeps : kSweeps;
        const auto count = static_cast<int>(island_.manifolds.size());
        for (int k = 0; k < sweeps; ++k) {
            for (const int n : island_.joints) solve(islands_.joints[n]);
            for (int i = 0; i < count; ++i) solve(m_.list[island_.manifolds[k % 2 == 0 ? i : count - 1 - i]]);
        }
    }

  private:
    /// Mobility of a point of a body [1/kg].
    Mat3d mobility(int body, const Vec3d& arm) const
    {
        if (body >= m_.bodies || !m_.placed[body].free) return Mat3d::diagonal({});
        const Mat3d r = Mat3d::skew(arm);
        const auto w = static_cast<double>(bodies_.inv_mass[body]);
        return w * Mat3d::identity() - r * islands_.inverse[body] * r;
    }

    /// Sweeps do not reach a solution: what they let sink is pushed out while there is a gap left.
    Manifold kept_apart(const Manifold& manifold) const
    {
        Manifold apart = manifold;
        if (manifold.b < m_.bodies) apart.floor = kFloor * manifold.skin;
        return apart;
    }

    void prepare(const Manifold& manifold)
    {
        for (int k = manifold.first; k < manifold.first + manifold.count; ++k) {
            ManifoldPoint& p = m_.points[k];
            SweepPoint& s = islands_.sweep[k];
            p.aim = aim_of(h_, stage_, kept_apart(manifold), p, islands_);
            p.factored = p.factored_along = -1;
            const Mat3d mobile = mobility(manifold.a, p.arm[0]) + mobility(manifold.b, p.arm[1]);
            s.inverse = 1 / p.n.dot(mobile * p.n);
            s.u = across(p.n);
            s.v = p.n.cross(s.u);
            const double a = s.u.dot(mobile * s.u), b = s.u.dot(mobile * s.v), c = s.v.dot(mobile * s.v);
            const double det = a * c - b * b;
            s.uu = c / det;
            s.uv = -b / det;
            s.vv = a / det;
            if (stage_ == SolveStage::first) push(manifold, p, p.push * p.n + p.hold);
        }
    }

    void prepare(IslandJoint& joint)
    {
        constexpr double kOff = 1e-12;  // of the mobility: for rows that do not hold
        Mat3d mobile = Mat3d::diagonal({});
        for (const IslandJoint::End& end : joint.end) {
            if (end.body < 0) continue;
            mobile += static_cast<double>(bodies_.inv_mass[end.body]) * (end.move * end.move.transposed());
            mobile += end.turn * islands_.inverse[end.body] * end.turn.transposed();
        }
        const double trace = mobile(0, 0) + mobile(1, 1) + mobile(2, 2);
        for (int i = 0; i < 3; ++i) mobile(i, i) = mobile(i, i) > kOff * trace ? (1 + kOff) * mobile(i, i) : trace;
        joint.mass = mobile.inverse();
        joint.held = speed_of(joint, islands_.free);
    }
    void solve(const IslandJoint& joint)
    {
        const Vec3d pushed = joint.mass * (joint.held - speed_of(joint, islands_.u));
        for (const IslandJoint::End& end : joint.end) {
            if (end.body < 0) continue;
            islands_.u[end.body].v +=
                static_cast<double>(bodies_.inv_mass[end.body]) * (end.move.transposed() * pushed);
            islands_.u[end.body].w += islands_.inverse[end.body] * (end.turn.transposed() * pushed);
        }
    }

    void push(const Manifold& manifold, const ManifoldPoint& p, const Vec3d& by)
    {
        const auto add = [&](int body, const Vec3d& arm, const Vec3d& impulse) {
            if (body >= m_.bodies || !m_.placed[body].free) return;
            islands_.u[body].v += static_cast<double>(bodies_.inv_mass[body]) * impulse;
            islands_.u[body].w += islands_.inverse[body] * arm.cross(impulse);
        };
        add(manifold.a, p.arm[0], by);
        add(manifold.b, p.arm[1], -by);
    }

    /// Friction first, within the cone of the pushes so far; pushes have the last word.
    void solve(const Manifold& manifold)
    {
        for (int k = manifold.first; k < manifold.first + manifold.count; ++k) {
            ManifoldPoint& p = m_.points[k];
            const SweepPoint& s = islands_.sweep[k];
            if (!(p.push > 0)) continue;
            const Vec3d v = relative_velocity(islands_.u, manifold, p, islands_);
            const double vu = s.u.dot(v), vv = s.v.dot(v);
            Vec3d hold = p.hold - (s.uu * vu + s.uv * vv) * s.u - (s.uv * vu + s.vv * vv) * s.v;
            const double size = hold.norm();
            if (size > manifold.friction * p.push) hold *= manifold.sliding * p.push / size;
            push(manifold, p, hold - p.hold);
            p.hold = hold;
        }
        for (int k = manifold.first; k < manifold.first + manifold.count; ++k) {
            ManifoldPoint& p = m_.points[k];
            const Vec3d v = relative_velocity(islands_.u, manifold, p, islands_);
            const double before = p.push;
            p.push = std::max(0., before - islands_.sweep[k].inverse * (p.n.dot(v) + p.aim));
            Vec3d change = (p.push - before) * p.n;
            if (!(p.push > 0)) {
                change -= p.hold;
                p.hold = {};
            }
            push(manifold, p, change);
        }
    }

    double h_;
    SolveStage stage_;
    const RigidBodies& bodies_;
    Island& island_;
    Islands& islands_;
    Manifolds& m_;
};

}  // namespace

void sweep_island(double h, SolveStage stage, const RigidBodies& bodies, Island& island, Islands& islands)
{
    Sweeps(h, stage, bodies, island, islands).run();
}

}  // namespace pliant
