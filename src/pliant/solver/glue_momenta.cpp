#include "pliant/solver/glue_momenta.h"

#include "pliant/shape/balance.h"
#include "pliant/shape/inertia.h"
#include "pliant/solver/compiled.h"
#include "pliant/state/writable.h"
#include "pliant/world/bodies.h"

#include <algorithm>

namespace pliant {

Assemblies find_assemblies(const World& world, const Joints& joints)
{
    Assemblies out;
    std::vector<int> body_of_particle(static_cast<std::size_t>(world.particles->size()), -1);
    for_each_body(world, [&](const auto& body) {
        const Range range = particles_of(body);
        for (int i = range.first; i < range.end(); ++i) body_of_particle[i] = static_cast<int>(out.particles.size());
        if (range.count > 0) out.particles.push_back(range);
    });
    const int rigid = static_cast<int>(out.particles.size());
    for (const ConstraintSystem& system : joints.systems) {
        std::vector<int>& bodies = out.body_of.emplace_back();
        for (const JointPoint& point : system.points) bodies.push_back(body_of_particle[point.particle]);
        for (const JointBody& body : system.bodies) bodies.push_back(rigid + body.body);
    }
    for (const Joint& joint : joints.joints) {
        const auto body_at = [&](const JointEnd& end) {
            if (end.kind == AnchorKind::motion) return -1;
            if (end.body >= 0) return rigid + end.body;
            return out.body_of[joint.system][joints.parents[end.first_parent].point];
        };
        out.ends.push_back({body_at(joint.end[0]), body_at(joint.end[1])});
    }
    out.root.resize(out.particles.size() + static_cast<std::size_t>(world.rigid_bodies->size()));
    out.given.resize(out.root.size());
    return out;
}

namespace {

class MomentumBalance {
  public:
    MomentumBalance(Real h, World& world, Compiled& c)
        : per_h_(1 / double(h)),
          particles_(writable(world.particles)),
          bodies_(writable(world.rigid_bodies)),
          joints_(c.joints),
          all_(c.assemblies),
          first_rigid_(static_cast<int>(all_.particles.size()))
    {}

    void run()
    {
        find_roots();
        for (std::size_t k = 0; k < joints_.systems.size(); ++k)
            if (joints_.systems[k].active) collect(joints_.systems[k], all_.body_of[k]);
        for (int b = 0; b < count(); ++b)
            if (all_.root[b] == b && is_unbalanced(all_.given[b])) take_back(b);
    }

  private:
    int count() const { return static_cast<int>(all_.root.size()); }
    int find(int body) const
    {
        while (all_.root[body] != body) body = all_.root[body];
        return body;
    }
    void find_roots()
    {
        for (int b = 0; b < count(); ++b) {
            all_.root[b] = b;
            all_.given[b] = {.held = b >= first_rigid_ && bodies_.inv_mass[b - first_rigid_] == 0};
        }
        for (std::size_t j = 0; j < joints_.joints.size(); ++j) {
            if (!joints_.joints[j].on) continue;
            const auto [a, b] = all_.ends[j];
            if (a < 0 || b < 0) {
                if (a >= 0 || b >= 0) all_.given[find(std::max(a, b))].held = true;
                continue;
            }
            const int one = find(a), other = find(b), low = std::min(one, other), high = std::max(one, other);
            all_.root[high] = low;
            all_.given[low].held = all_.given[low].held || all_.given[high].held;
        }
        for (int b = 0; b < count(); ++b) all_.root[b] = find(b);
    }
    void give(int body, const Vec3d& at, const Vec3d& push, const Vec3d& spin)
    {
        Assemblies::Given& to = all_.given[all_.root[body]];
        if (!to.acts) to.origin = at;
        to.acts = true;
        const Vec3d turn = (at - to.origin).cross(push) + spin;
        to.push += push;
        to.spin += turn;
        to.pushed += push.norm();
        to.turned += turn.norm();
    }
    void collect(const ConstraintSystem& system, std::span<const int> body_of)
    {
        for (std::size_t n = 0; n < system.points.size(); ++n) {
            const JointPoint& p = system.points[n];
            if (!(p.inv_mass > 0)) continue;
            if (p.reaction != Vec3d{}) all_.given[all_.root[body_of[n]]].held = true;  // a collider takes its part
            give(body_of[n], p.start, (per_h_ / p.inv_mass) * p.moved, {});
            give(body_of[n], p.x, p.kicked, {});
        }
        for (std::size_t n = 0; n < system.bodies.size(); ++n) {
            const JointBody& b = system.bodies[n];
            const int body = body_of[system.points.size() + n];
            if (!(b.inv_mass > 0)) continue;
            give(body, exact_position(bodies_.pose_prev[b.body]), (per_h_ / b.inv_mass) * b.shift.move,
                 per_h_ * b.gained);
            give(body, exact_position(bodies_.pose[b.body]), b.kicked, b.spun);
        }
    }
    static bool is_unbalanced(const Assemblies::Given& given)
    {
        constexpr double kBalanced = 1e-6;  // of what goes to and fro
        if (given.held || !given.acts) return false;
        return given.push.norm() > kBalanced * given.pushed || given.spin.norm() > kBalanced * given.turned;
    }

    /// Calls visit(mass, place, inertia of its own) for all that an assembly consists of.
    template <class Visit>
    void for_each_mass(int root, const Visit& visit) const
    {
        for (int b = root; b < count(); ++b) {
            if (all_.root[b] != root) continue;
            if (b >= first_rigid_) {
                const int i = b - first_rigid_;
                visit(double(bodies_.mass[i]), exact_position(bodies_.pose[i]), inertia_of(i));
                continue;
            }
            const Range range = all_.particles[b];
            for (int i = range.first; i < range.end(); ++i)
                visit(double(particles_.mass[i]), particles_.position(i), Mat3d{});
        }
    }
    Mat3d inertia_of(int rigid) const
    {
        const Mat3d r = exact_rotation(bodies_.pose[rigid]);
        return r * Mat3d::diagonal(bodies_.inertia[rigid].cast<double>()) * r.transposed();
    }
    bool is_pinned(int root) const
    {
        for (int b = root; b < first_rigid_; ++b)
            if (all_.root[b] == root && any_pinned(all_.particles[b], particles_)) return true;
        return false;
    }
    void take_back(int root)
    {
        if (is_pinned(root)) return;
        const Assemblies::Given& given = all_.given[root];
        double mass = 0;
        Vec3d moment;
        for_each_mass(root, [&](double m, const Vec3d& x, const Mat3d&) {
            mass += m;
            moment += m * (x - given.origin);
        });
        const Vec3d center = (1 / mass) * moment;
        Mat3d inertia;
        for_each_mass(root, [&](double m, const Vec3d& x, const Mat3d& own) {
            const Vec3d r = x - given.origin - center;
            const double rr = r.squared_norm();
            inertia += own + m * (Mat3d::diagonal({rr, rr, rr}) - Mat3d::outer(r, r));
        });
        const Vec3d v = (-1 / mass) * given.push, w = spin_of(inertia, center.cross(given.push) - given.spin);
        add_motion(root, given.origin + center, v, w);
    }
    void add_motion(int root, const Vec3d& center, const Vec3d& v, const Vec3d& w)
    {
        for (int b = root; b < count(); ++b) {
            if (all_.root[b] != root) continue;
            if (b >= first_rigid_) {
                const int i = b - first_rigid_;
                const Vec3d r = exact_position(bodies_.pose[i]) - center;
                bodies_.v[i] += (v + w.cross(r)).cast<Real>();
                bodies_.spin[i] += (inertia_of(i) * w).cast<Real>();
                bodies_.w[i] = times_inverse_inertia(bodies_, i, bodies_.spin[i]);
                continue;
            }
            const Range range = all_.particles[b];
            for (int i = range.first; i < range.end(); ++i)
                particles_.v[i] += (v + w.cross(particles_.position(i) - center)).cast<Real>();
        }
    }

    double per_h_;
    Particles& particles_;
    RigidBodies& bodies_;
    const Joints& joints_;
    Assemblies& all_;
    int first_rigid_;
};

}  // namespace

void keep_glue_momenta(Real h, World& world, Compiled& compiled)
{
    if (!compiled.joints.joints.empty()) MomentumBalance(h, world, compiled).run();
}

}  // namespace pliant
