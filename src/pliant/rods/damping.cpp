#include "pliant/rods/damping.h"

#include "pliant/base/parallel.h"
#include "pliant/rods/tip.h"
#include "pliant/state/damping.h"

#include <algorithm>
#include <span>

namespace pliant {

namespace {

/// The angular velocity of a clamp during a substep.
Vec3d spin_of(const Motion& motion, double time, double h)
{
    const Mat3d r = motion_at(motion, time + h).rotation * motion_at(motion, time).rotation.transposed();
    return (0.5 / h) * Vec3d{r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
}

/// Rises linearly from 0 at `from` to 1 at `to`, constant outside.
double ramp(int i, int from, int to) { return std::clamp(static_cast<double>(i - from) / (to - from), 0.0, 1.0); }

/// One strand in one substep. Points are counted along it: point i is the first one of edge i.
class StrandDamper {
  public:
    StrandDamper(double h, double time, int strand, const Rod& rod, Particles& particles, RodDamping& scratch)
        : h_(h),
          time_(time),
          strand_(strand),
          parent_(rod.parent_edge[strand]),
          edges_(edges_of(rod, strand)),
          rod_(rod),
          p_(particles),
          spin_(edges_.of(scratch.spin)),
          turn_(edges_.of(scratch.turn)),
          u_(scratch.velocity)
    {
        const auto share = [h](double rate) { return h * rate / (1 + h * rate); };
        const RodDampingRates rates = damping_rates_of(rod);
        bend_ = share(rates.bend);
        twist_ = share(rates.twist);
    }

    void damp(const RodDamping& scratch)
    {
        if (!find_spins()) return;
        find_holds(scratch);
        sum_turns();
        sum_velocities();
        if (holds_ == 0) free_momentum();
        anchor();
        for (int e = 0; e < edges_.count; ++e) u_[edge(e).ghost] = ghost_velocity(e);
        remove();
    }

  private:
    struct Hold {  // an edge whose rotation is prescribed
        int edge;
        Vec3d spin;  // of what holds it [rad/s]
        Vec3d turn;  // angular velocity to remove [rad/s]
    };

    static Range edges_of(const Rod& rod, int strand)
    {
        return {rod.first_edge[strand], rod.first_edge[strand + 1] - rod.first_edge[strand]};
    }
    const Rod::Edge& edge(int e) const { return rod_.edges[edges_.first + e]; }
    int point(int i) const { return i < edges_.count ? edge(i).p0 : edge(edges_.count - 1).p1; }
    bool closed() const { return rod_.closed[strand_] != 0; }
    int points() const { return closed() ? edges_.count : edges_.count + 1; }
    Vec3d x(int p) const { return p_.x[rod_.particles.first + p].cast<double>(); }
    Vec3d v(int p) const { return p_.v[rod_.particles.first + p].cast<double>(); }
    bool is_pinned(int p) const
    {
        return p_.inv_mass[rod_.particles.first + p] == 0 || (parent_ >= 0 && p == rod_.edges[parent_].p1);
    }
    double mass(int p) const { return static_cast<double>(p_.mass[rod_.particles.first + p]); }
    Vec3d along(int e) const { return (x(edge(e).p1) - x(edge(e).p0)).normalized(); }

    /// Calls body(particle) for points and ghosts.
    template <class Body>
    void for_each_particle(const Body& body) const
    {
        for (int i = 0; i < points(); ++i) body(point(i));
        for (int e = 0; e < edges_.count; ++e) body(edge(e).ghost);
    }

    /// The part to remove of a difference of angular velocities; t is the unit tangent.
    Vec3d damped(const Vec3d& difference, const Vec3d& t) const
    {
        return bend_ * difference + (twist_ - bend_) * difference.dot(t) * t;
    }
    Vec3d damped_joint(int a, int b) const
    {
        const Vec3d t = along(a) + along(b);
        const double length = t.norm();
        return damped(spin_[b] - spin_[a], length > 0 ? t / length : Vec3d{});
    }

    bool find_spins()
    {
        for (int k = 0; k < edges_.count; ++k) {
            if (!has_frame(edge(k))) return false;
            spin_[k] = spin_at(edge(k));
        }
        return parent_ < 0 || has_frame(rod_.edges[parent_]);
    }
    EdgeFrame<double> frame_at(const Rod::Edge& e) const { return frame_of(x(e.p0), x(e.p1), x(e.ghost)); }
    bool has_frame(const Rod::Edge& e) const
    {
        const EdgeFrame<double> f = frame_at(e);
        const double least = 1e-3 * static_cast<double>(e.length);
        return f.length > least && f.height > least;
    }
    Vec3d spin_at(const Rod::Edge& e) const
    {
        const EdgeFrame<double> f = frame_at(e);
        const FrameGradient<double> g = gradient_of(f);
        return f.d * (g.matrix(0) * v(e.p0) + g.matrix(1) * v(e.p1) + g.matrix(2) * v(e.ghost));
    }

    /// Finds the first and the last edge whose rotation clamps or pins prescribe; the edges between have to fit in.
    void find_holds(const RodDamping& scratch)
    {
        const auto add = [&](int e, const Vec3d& spin, const Vec3d& turn) {
            hold_[holds_ < 2 ? holds_++ : 1] = {e, spin, turn};
        };
        const auto add_tip = [&](int tip, int e) {
            if (tip < 0) return;
            const Vec3d spin = spin_of(rod_.tips[tip].motion, time_, h_);
            add(e, spin, damped(spin_[e] - spin, along(e)));
        };
        add_tip(scratch.start_tip[strand_], 0);
        if (parent_ >= 0) {  // a branch is damped relative to its parent, which has been damped before it
            const Vec3d spin = spin_at(rod_.edges[parent_]);
            add(0, spin, damped(spin_[0] - spin, along(0)));
        }
        for (int e = 0; e < edges_.count; ++e)
            if (is_pinned(edge(e).p0) && is_pinned(edge(e).p1)) add(e, spin_[e], {});
        add_tip(scratch.end_tip[strand_], edges_.count - 1);
    }

    void sum_turns()
    {
        const int n = edges_.count;
        turn_[0] = {};
        for (int e = 1; e < n; ++e) turn_[e] = turn_[e - 1] + damped_joint(e - 1, e);
        if (closed()) {
            const Vec3d gap = turn_[n - 1] + damped_joint(n - 1, 0);
            for (int e = 0; e < n; ++e) turn_[e] -= ramp(e, 0, n) * gap;
        }
        if (holds_ == 0) return;
        const auto [from, from_spin, from_turn] = hold_[0];
        const Vec3d shift = from_turn - turn_[from];
        for (Vec3d& t : turn_) t += shift;
        if (holds_ == 1 || hold_[1].edge == from) return;
        const Vec3d gap = turn_[hold_[1].edge] - hold_[1].turn;
        for (int e = 0; e < n; ++e) turn_[e] -= ramp(e, from, hold_[1].edge) * gap;
    }

    void sum_velocities()
    {
        const int n = edges_.count;
        Vec3d sum;
        for (int e = 0; e < n; ++e) {
            u_[point(e)] = sum;
            sum += turn_[e].cross(x(edge(e).p1) - x(edge(e).p0));
        }
        if (!closed()) u_[point(n)] = sum;
        else
            for (int i = 0; i < n; ++i) u_[point(i)] -= ramp(i, 0, n) * sum;
    }

    Vec3d ghost_velocity(int e) const
    {
        const Rod::Edge& at = edge(e);
        return 0.5 * (u_[at.p0] + u_[at.p1]) + turn_[e].cross(x(at.ghost) - 0.5 * (x(at.p0) + x(at.p1)));
    }

    /// A pinned point counts as far heavier than the strand, which may still rotate about it.
    void free_momentum()
    {
        const Vec3d origin = x(point(0));
        double total = 0;
        for_each_particle([&](int p) { total += mass(p); });
        const auto weight = [&](int p) { return is_pinned(p) ? 1e6 * total : mass(p); };
        MotionSum sum;
        for (int i = 0; i < points(); ++i) add_motion(weight(point(i)), x(point(i)) - origin, u_[point(i)], sum);
        for (int e = 0; e < edges_.count; ++e)
            add_motion(weight(edge(e).ghost), x(edge(e).ghost) - origin, ghost_velocity(e), sum);
        const RigidVelocity rigid = rigid_motion(sum);
        for (int i = 0; i < points(); ++i) u_[point(i)] -= rigid.base + rigid.spin.cross(x(point(i)) - origin);
        for (Vec3d& t : turn_) t -= rigid.spin;
    }

    void anchor()
    {
        int last = -1;
        for (int i = 0; i < points(); ++i) {
            if (!is_pinned(point(i))) continue;
            if (root_ < 0) root_ = i;
            last = i;
        }
        if (root_ < 0) return;
        const Vec3d shift = u_[point(root_)];
        for (int i = 0; i < points(); ++i) u_[point(i)] -= shift;
        if (last == root_) return;
        const Vec3d gap = u_[point(last)];
        for (int i = 0; i < points(); ++i) u_[point(i)] -= ramp(i, root_, last) * gap;
    }

    /// v -= part u, with the largest part <= 1 that does not add energy: bend, twist and pins are not quite
    /// independent. The energy is that relative to the first pinned point.
    void remove()
    {
        Vec3d x_root, v_root, spin;
        if (root_ >= 0) {
            x_root = x(point(root_));
            v_root = v(point(root_));
            if (holds_ > 0) spin = hold_[0].spin;
        }
        double gain = 0, cost = 0;
        for_each_particle([&](int p) {
            if (is_pinned(p)) return;
            gain += mass(p) * u_[p].dot(v(p) - v_root - spin.cross(x(p) - x_root));
            cost += mass(p) * u_[p].squared_norm();
        });
        if (!(gain > 0)) return;
        const double part = std::min(1.0, gain / cost);
        for_each_particle([&](int p) {
            if (!is_pinned(p)) p_.v[rod_.particles.first + p] -= (part * u_[p]).cast<Real>();
        });
    }

    double h_, time_;
    double bend_, twist_;  // s of bend and of twist
    int strand_;
    int parent_;  // the edge that the strand grows from; -1 for none
    Range edges_;
    const Rod& rod_;
    Particles& p_;
    std::span<Vec3d> spin_, turn_;  // per edge
    std::span<Vec3d> u_;            // per particle of the rod: velocity to remove
    Hold hold_[2];
    int holds_ = 0;
    int root_ = -1;  // the first pinned point
};

}  // namespace

void RodDamping::resize(const Rod& rod)
{
    if (!damping_rates_of(rod).any()) return;
    spin.resize(rod.edges.size());
    turn.resize(rod.edges.size());
    velocity.resize(rod.mass.size());
    start_tip.assign(rod.closed.size(), -1);
    end_tip.assign(rod.closed.size(), -1);
    for (std::size_t t = 0; t < rod.tips.size(); ++t) {
        const auto after = std::ranges::upper_bound(rod.first_edge, rod.tips[t].edge);
        const auto strand = static_cast<std::size_t>(after - rod.first_edge.begin() - 1);
        (rod.tips[t].end == RodEnd::start ? start_tip : end_tip)[strand] = static_cast<int>(t);
    }
}

void damp_bend_and_twist(Real h, double time, const Rod& rod, Particles& particles, RodDamping& scratch)
{
    if (!damping_rates_of(rod).any()) return;
    parallel_for(rod.strands(), rod.grain(16), [&](int begin, int end) {
        for (int s = begin; s < end; ++s)
            StrandDamper(static_cast<double>(h), time, s, rod, particles, scratch).damp(scratch);
    });
}

}  // namespace pliant
