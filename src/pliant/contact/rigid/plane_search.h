#pragma once
// A plane between two convex shapes that move in a substep (see rigid_guard.h).

#include "pliant/contact/rigid/manifolds.h"
#include "pliant/geometry/convex.h"
#include "pliant/math/rotation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

/// The motion of a body in a substep: along a line, and turning about an axis.
class Path {
  public:
    explicit Path(const Placed& placed) : p_(placed) {}
    void set_turn(const Vec3d& turn) { turn_ = turn; }

    ConvexAt at(double t) const
    {
        if (t == 0) return {p_.shape, p_.start, p_.from};
        const Vec3d x = p_.from + t * (p_.to - p_.from);
        if (t == 1) return {p_.shape, p_.end, p_.to};
        return {p_.shape, turned(t) * p_.start, x};
    }
    const Shape& shape() const { return *p_.shape; }
    double turn() const { return turn_.norm(); }
    Vec3d shift() const { return p_.to - p_.from; }
    /// Of what its points are from its centre, a ball does not turn [m].
    double core_reach() const { return p_.shape->kind == Shape::Kind::sphere ? 0 : p_.reach; }
    /// At most, of any point [m].
    double way() const { return shift().norm() + turn() * core_reach(); }
    /// A normal at the start, at the end, if it turns with the body.
    Vec3d carried(const Vec3d& n) const { return (p_.end * (p_.start.transposed() * n)).normalized(); }
    bool is_still() const { return p_.from == p_.to && turn_ == Vec3d{}; }

  private:
    /// Cayley map of the vector 2 tan(angle / 2) along the axis, as in change_by_turn.
    Mat3d turned(double t) const
    {
        const Quatd q{1, 0.5 * t * turn_};
        return (1 / std::sqrt(q.dot(q)) * q).matrix();
    }
    const Placed& p_;
    Vec3d turn_;
};

/// An edge of a shape that lies across a direction, in its own frame; zero if it has none.
inline Vec3d edge_across(const Shape& shape, const Vec3d& n)
{
    switch (shape.kind) {
        case Shape::Kind::box: {
            const double x = std::abs(n.x), y = std::abs(n.y), z = std::abs(n.z);
            return x <= y && x <= z ? Vec3d{1, 0, 0} : y <= z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
        }
        case Shape::Kind::capsule:
        case Shape::Kind::cylinder: return {0, 1, 0};
        case Shape::Kind::mesh: {
            const Feature3 f = feature_along({&shape, Mat3d::identity(), {}}, n);
            return f.count == 2 ? f.at(1) - f.at(0) : Vec3d{};
        }
        case Shape::Kind::plane:
        case Shape::Kind::sphere: break;
    }
    return {};
}

inline constexpr double kKeptClearance = 0.999;  // of one at the start that is less than is asked for
inline constexpr int kMaxPieces = 16;            // into which a motion is cut

/// Looks for a plane between two shapes that move: still, carried along by one of them, or along an edge of each. Where there
/// is none for the whole way, for parts of it. Where the two have no gap at the start, they may overlap by the rounding of their
/// coordinates.
class PlaneSearch {
  public:
    PlaneSearch(const Path& a, const Path& b, double rounding, double clearance)
        : a_(a), b_(b), rounding_(rounding), clearance_(clearance)
    {}

    bool separated = false;  // at the start
    double safe = 0;         // part of the motion that planes were found for

    /// Of the clearance, where the gap is this [m].
    double missing(double gap) const { return least_ - gap - extra_; }
    /// How the two are apart at the end, or how far they overlap along the normal at the start.
    Separation find_end() const
    {
        const Separation end = find_separation(a_.at(1), b_.at(1));
        if (end.n != Vec3d{}) return end;
        Separation least{.n = {}, .gap = -std::numeric_limits<double>::infinity(), .on_a = {}, .on_b = {}};
        for (const Vec3d& n : {start_, a_.carried(start_), b_.carried(start_)})
            if (const double gap = separation_along(a_.at(1), b_.at(1), n); gap > least.gap) least = {n, gap, {}, {}};
        return least;
    }

    /// With the normal n at the start.
    bool holds_along(const Vec3d& n)
    {
        begin(separation_along(a_.at(0), b_.at(0), n));
        start_ = n;
        return separated && try_normal(n, 0, 0, 1);
    }
    bool holds()
    {
        const Separation at = find_separation(a_.at(0), b_.at(0));
        if (at.n == Vec3d{}) return false;
        start_ = at.n;
        begin(at.gap);
        return separated && holds_between(0, 1, 0);
    }

  private:
    void begin(double gap)
    {
        extra_ = gap > 0 ? 0 : rounding_;
        separated = separated || gap + extra_ > 0;
        least_ = std::min(clearance_, kKeptClearance * (gap + extra_));
    }

    bool holds_between(double from, double to, int depth)
    {
        constexpr int kMaxDepth = 5;
        for (const double t : {from, to}) {
            const Separation at = find_separation(a_.at(t), b_.at(t));
            if (at.n == Vec3d{} || at.gap + extra_ < least_) break;
            if (!try_normal(at.n, t, from, to)) continue;
            safe = to;
            return true;
        }
        if (depth == kMaxDepth) return false;
        const double middle = 0.5 * (from + to);
        return holds_between(from, middle, depth + 1) && holds_between(middle, to, depth + 1);
    }

    /// With the normal n at time t.
    bool try_normal(const Vec3d& n, double t, double from, double to) const
    {
        const double part = (to - from) * (to - from);
        const auto still = [&](double) { return n; };
        if (holds_with(still, from, to, part * arcs_in_world())) return true;
        if (b_.shape().kind == Shape::Kind::plane) return false;
        const auto carried_by = [&](const Path& path) {
            const Vec3d local = path.at(t).rotation.transposed() * n;
            return [&path, local](double at) { return (path.at(at).rotation * local).normalized(); };
        };
        if (b_.turn() > 0 && holds_with(carried_by(b_), from, to, part * arcs_in_frame(a_, b_))) return true;
        if (a_.turn() > 0 && holds_with(carried_by(a_), from, to, part * arcs_in_frame(b_, a_))) return true;
        return (a_.turn() > 0 || b_.turn() > 0) && try_edges(n, t, from, to, part);
    }
    bool try_edges(const Vec3d& n, double t, double from, double to, double part) const
    {
        constexpr double kMinSine = 0.2;
        const Vec3d ea = edge_across(a_.shape(), a_.at(t).rotation.transposed() * n),
                    eb = edge_across(b_.shape(), b_.at(t).rotation.transposed() * n);
        if (ea == Vec3d{} || eb == Vec3d{}) return false;
        const auto across = [&](double at) { return (a_.at(at).rotation * ea).cross(b_.at(at).rotation * eb); };
        const double sine = across(t).norm() / (ea.norm() * eb.norm());
        if (sine < kMinSine) return false;
        const double sign = across(t).dot(n) < 0 ? -1 : 1;
        const double rate = (a_.turn() + b_.turn()) / sine, reach = a_.core_reach() + b_.core_reach();
        const double arcs = (3 * rate * rate * reach + 2 * rate * (a_.shift() - b_.shift()).norm()) / 8;
        return holds_with([&](double at) { return (sign * across(at)).normalized(); }, from, to, part * arcs);
    }

    /// How far paths are from straight ones [m], at most: an eighth of their acceleration.
    double arcs_in_world() const
    {
        return (a_.turn() * a_.turn() * a_.core_reach() + b_.turn() * b_.turn() * b_.core_reach()) / 8;
    }
    static double arcs_in_frame(const Path& of, const Path& frame)
    {
        const double both = of.turn() + frame.turn(), apart = (frame.at(0).position - of.at(0).position).norm();
        return (both * both * of.core_reach() + frame.turn() * frame.turn() * apart +
                2 * frame.turn() * (of.shift() - frame.shift()).norm()) /
               8;
    }

    template <class Normal>
    bool holds_with(const Normal& normal, double from, double to, double arcs) const
    {
        const int pieces = static_cast<int>(std::ceil(std::sqrt(2 * arcs / least_)));
        if (pieces > kMaxPieces) return false;
        const double part = (to - from) / std::max(pieces, 1), off = pieces > 0 ? arcs / (pieces * pieces) : 0;
        for (int k = 0; k <= std::max(pieces, 1); ++k) {
            const double t = k == std::max(pieces, 1) ? to : from + k * part;
            const double left = separation_along(a_.at(t), b_.at(t), normal(t)) + extra_;
            if (left < (t == to ? least_ : off)) return false;
        }
        return true;
    }

    const Path &a_, &b_;
    double rounding_, clearance_;
    double extra_ = 0, least_ = 0;
    Vec3d start_;  // normal at the start
};

}  // namespace pliant
