#include "pliant/contact/rigid/rigid_guard.h"

#include "pliant/contact/pairs/carriers.h"
#include "pliant/contact/pairs/crossings.h"
#include "pliant/contact/rigid/plane_search.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace pliant {

namespace {

constexpr double kMinClearance = 0.1;  // of the skin: what is always left
constexpr int kPushRounds = 4;         // in these, pairs that come a little too near are pushed apart
constexpr Real kStalled = Real(0.03);  // of its speed: what a body loses in a round that takes it back to its start
constexpr double kPushed = 0.25;       // of the way of both: the most that they are pushed apart by
constexpr int kMaxRounds = 12;         // after these, failing pairs go back to their start

struct Check {
    bool holds = true;
    double factor = 1;   // of the motion that may stay
    int carrier = -1;    // a body or collider that moves regardless: what is in its way goes along
    double missing = 0;  // of the clearance at the end, if that is little [m]
    Real share = 0;      // of the most that may be missing
    Vec3d n{};           // along which it is missing
};

class IslandGuard {
  public:
    IslandGuard(const RigidScene& scene, Islands& islands)
        : scene_(scene),
          m_(islands.manifolds),
          factor_(islands.factors),
          moved_in_(islands.moved_in),
          guarded_(islands.guarded),
          carriers_(islands.carriers),
          homes_(islands.homes),
          joints_(islands.joints)
    {
        moved_in_.assign(scene.bodies.pose.size(), -1);
        for (const Island& island : std::span(islands.list).first(static_cast<std::size_t>(islands.count))) {
            const auto driven = [&](int n) { return is_driven(m_.list[n].a) || is_driven(m_.list[n].b); };
            if (island.joints.empty() && std::ranges::none_of(island.manifolds, driven)) continue;
            for (const int body : island.bodies) guarded_[body] = AfterGuard::joined;
        }
    }

    /// Returns how many bodies it has moved.
    int round(int number)
    {
        round_ = number;
        int pushed = 0;
        factor_.assign(scene_.bodies.pose.size(), 1);
        for (const auto& [a, b] : m_.near) {
            const Placed &pa = m_.placed[a], &pb = m_.placed[b];
            if (!is_convex(*pa.shape) || !is_convex(*pb.shape) || !touch(a, b)) continue;
            if (!first_ && !has_moved(a) && !has_moved(b)) continue;
            const Check check = check_pair(a, b);
            if (check.holds) continue;
            if (round_ < kPushRounds && check.missing > 0) {
                push_apart(a, b, check);
                ++pushed;
                continue;
            }
            for (const int i : {a, b}) {
                if (!m_.placed[i].free) continue;
                factor_[i] = std::min(factor_[i], round_ < kMaxRounds ? check.factor : 0);
                if (carriers_[i] < 0) carriers_[i] = check.carrier;
            }
        }
        first_ = false;
        return pushed + take_back();
    }

    /// Two that are not apart, though everything has gone back: both are keyed or carried along, by different things.
    OpenPairs find_open() const
    {
        OpenPairs open;
        for (const auto& [a, b] : m_.near) {
            if (!is_convex(*m_.placed[a].shape) || !is_convex(*m_.placed[b].shape) || !touch(a, b)) continue;
            if (check_pair(a, b).holds) continue;
            if (open.count++ == 0) open.between = {root_of(a), root_of(b)};
        }
        return open;
    }

  private:
    /// Both by the same rigid motion: they are as far apart as at the start, however little that is.
    bool move_as_one(int a, int b) const { return root_of(a) == root_of(b) && is_at_home(a) && is_at_home(b); }
    bool is_at_home(int i) const
    {
        if (!m_.placed[i].free) return true;
        const Pose home = home_of(i), &now = scene_.bodies.pose[i];
        return home.x == now.x && home.x_low == now.x_low && home.q.w == now.q.w && home.q.v == now.q.v &&
               home.q_low.w == now.q_low.w && home.q_low.v == now.q_low.v;
    }
    int root_of(int i) const { return i < m_.bodies && carriers_[i] >= 0 ? carriers_[i] : i; }

    /// In the round before, or in this one.
    bool has_moved(int i) const { return i < m_.bodies && moved_in_[i] >= round_ - 1; }
    bool touch(int a, int b) const
    {
        if (b >= m_.bodies) return true;
        const int first = scene_.surface == nullptr ? 0 : scene_.surface->bodies - m_.bodies;
        return scene_.surface != nullptr && scene_.surface->pairing(first + a, first + b).on &&
               scene_.surface->are_in_islands(first + a, first + b) && !scene_.surface->are_glued_rigids(a, b);
    }
    Path path_of(int i) const
    {
        Path path(m_.placed[i]);
        const Placed& p = m_.placed[i];
        if (i < m_.bodies)
            path.set_turn(turn_between(scene_.bodies.pose_prev[i], scene_.bodies.pose[i]).cast<double>());
        else path.set_turn(turn_of(p.end * p.start.transposed()));
        return path;
    }
    const Manifold* manifold_of(int a, int b) const
    {
        const auto at = std::ranges::lower_bound(m_.list, std::pair(a, b), {},
                                                 [](const Manifold& m) { return std::pair(m.a, m.b); });
        return at != m_.list.end() && at->a == a && at->b == b ? &*at : nullptr;
    }

    /// Of the coordinates of two bodies [m].
    double rounding_at(int a, int b) const
    {
        const auto extent = [&](int i) { return m_.placed[i].from.norm() + m_.placed[i].reach; };
        return rounding_of_places(static_cast<Real>(std::max(extent(a), extent(b))));
    }

    Check check_pair(int a, int b) const
    {
        if (move_as_one(a, b)) return {};
        Manifold distances{.a = a, .b = b};
        set_distances(m_, distances);
        const Path pa = path_of(a), pb = path_of(b);
        PlaneSearch search(pa, pb, rounding_at(a, b), kMinClearance * distances.skin);
        const Manifold* manifold = manifold_of(a, b);
        if (manifold != nullptr && is_still_apart(m_, *manifold)) return {};
        if (manifold != nullptr && manifold->count > 0 && m_.placed[b].shape->kind != Shape::Kind::plane &&
            search.holds_along(m_.points[manifold->first].n))
            return {};
        if (search.holds()) return {};
        if (!search.separated) return {};  // what overlaps at the start is exempt
        constexpr double kCarriedFactor = 0.5;
        const int carrier = carrier_of(a, pa, b, pb);
        Check check{false, carrier < 0 ? search.safe : kCarriedFactor, carrier};
        if (carrier >= 0) return check;
        const Separation end = search.find_end();
        const double missing = search.missing(end.gap);
        const double most = distances.skin + (follows(a) || follows(b) ? 0 : kPushed * (pa.way() + pb.way()));
        if (missing > most) return check;
        check.n = end.n;
        check.missing = missing;
        check.share = static_cast<Real>(missing / most);
        return check;
    }
    /// By what is missing, along the normal at the end of the substep; that keeps momentum.
    void push_apart(int a, int b, const Check& check)
    {
        constexpr double kMore = 1.01;
        const auto mobility = [&](int i) {
            return m_.placed[i].free ? static_cast<double>(scene_.bodies.inv_mass[i]) : 0;
        };
        const double all = mobility(a) + mobility(b);
        for (const int i : {a, b}) {
            if (!(mobility(i) > 0)) continue;
            const double by = (i == a ? kMore : -kMore) * check.missing * mobility(i) / all;
            const Pose before = scene_.bodies.pose[i];
            move_pose((by * check.n).cast<Real>(), {}, scene_.bodies.pose[i]);
            keep_velocity(i, before);
            slow_down(i, 1 - check.share * kStalled);
            m_.placed[i].to = exact_position(scene_.bodies.pose[i]);
            moved_in_[i] = round_;
        }
    }
    /// Of a body that has been moved, but for what joints hold or something else carries along.
    void keep_velocity(int i, const Pose& before)
    {
        if (carriers_[i] >= 0 || follows(i)) return;
        guarded_[i] = AfterGuard::moved;
        const Pose& now = scene_.bodies.pose[i];
        move_pose(shift_between(before, now), turn_between(before, now), scene_.predicted[i]);
    }
    bool is_driven(int i) const
    {
        const Placed& p = m_.placed[i];
        return !p.free && !(p.from == p.to && p.start.c[0] == p.end.c[0] && p.start.c[1] == p.end.c[1]);
    }
    /// Its velocity follows from where it is moved.
    bool follows(int i) const { return i < m_.bodies && guarded_[i] == AfterGuard::joined; }
    /// What is jammed would spin in its place for ever: contact does not see what stops it.
    void slow_down(int i, Real by)
    {
        if (guarded_[i] != AfterGuard::moved) return;
        RigidBodies& bodies = scene_.bodies;
        for (Vec3* motion : {&bodies.v[i], &bodies.w[i], &bodies.spin[i]}) *motion *= by;
    }
    /// What carries one of two along, or is it.
    int carrier_of(int a, const Path& pa, int b, const Path& pb) const
    {
        if (!m_.placed[a].free) return pa.is_still() ? carriers_[b] : a;
        if (!m_.placed[b].free) return pb.is_still() ? carriers_[a] : b;
        return std::max(carriers_[a], carriers_[b]);
    }

    /// Where a body goes back to: its start, carried along by what moves regardless.
    Pose home_of(int i) const
    {
        const Pose& home = scene_.bodies.pose_prev[i];
        const int c = carriers_[i];
        if (c < 0) return home;
        if (c == i) return homes_[i];
        const Placed& by = m_.placed[c];
        const bool carried = c < m_.bodies && by.free;  // it has a home itself
        const Mat3d turn = (carried ? exact_rotation(homes_[c]) : by.end) * by.start.transposed();
        const Vec3d to = carried ? exact_position(homes_[c]) : by.to;
        return ExactMotion{turn, by.from, to}(home);
    }
    /// What joints hold together goes back together, by the same part of its way: joints stay closed.
    void share_factors()
    {
        constexpr int kMaxPasses = 100;  // along the longest chain, there and back
        bool changed = true;
        for (int k = 0; changed && k < kMaxPasses; ++k) {
            changed = false;
            const auto share = [&](const IslandJoint& joint) {
                const int a = joint.end[0].body, b = joint.end[1].body;
                if (b < 0 || factor_[a] == factor_[b]) return;
                factor_[a] = factor_[b] = std::min(factor_[a], factor_[b]);
                carriers_[a] = carriers_[b] = std::max(carriers_[a], carriers_[b]);
                changed = true;
            };
            std::ranges::for_each(joints_, share);
            std::ranges::for_each(std::views::reverse(joints_), share);
        }
    }
    int take_back()
    {
        int count = 0;
        RigidBodies& bodies = scene_.bodies;
        if (std::ranges::any_of(factor_, [](double f) { return f != 1; })) share_factors();
        for (int i = 0; i < m_.bodies; ++i) {
            if (factor_[i] == 1) continue;
            ++count;
            moved_in_[i] = round_;
            const auto factor = static_cast<Real>(factor_[i]);
            const Pose home = home_of(i), end = bodies.pose[i];
            const Vec3 shift = shift_between(home, end), turn = turn_between(home, end);
            bodies.pose[i] = home;
            if (factor > 0) move_pose(factor * shift, factor * turn, bodies.pose[i]);
            keep_velocity(i, end);
            m_.placed[i].end = exact_rotation(bodies.pose[i]);
            m_.placed[i].to = exact_position(bodies.pose[i]);
        }
        return count;
    }

    const RigidScene& scene_;
    Manifolds& m_;
    std::vector<double>& factor_;       // per rigid body: of its motion that stays
    std::vector<int>& moved_in_;        // per rigid body: the round in which it was moved last
    std::vector<AfterGuard>& guarded_;  // per rigid body
    std::vector<int>& carriers_;        // per rigid body: what carries it along, or -1
    const std::vector<Pose>& homes_;
    std::span<const IslandJoint> joints_;
    int round_ = 0;
    bool first_ = true;
};

void place_ends(const RigidScene& scene, Manifolds& m)
{
    for (int i = 0; i < m.bodies; ++i) {
        if (scene.bodies.is_asleep(i)) continue;
        m.placed[i].end = exact_rotation(scene.bodies.pose[i]);
        m.placed[i].to = exact_position(scene.bodies.pose[i]);
    }
}

}  // namespace

int guard_islands(const RigidScene& scene, int round, Islands& islands)
{
    if (!islands.solved) return 0;
    Manifolds& m = islands.manifolds;
    place_ends(scene, m);
    if (round == 0) {
        islands.carriers.assign(scene.bodies.pose.size(), -1);
        islands.guarded.assign(scene.bodies.pose.size(), AfterGuard::no);
    }
    islands.homes.resize(scene.bodies.pose.size());
    find_near_pairs(m);
    IslandGuard guard(scene, islands);
    int held = 0;
    for (int k = round; const int taken = guard.round(k); ++k) {
        held += taken;
        if (k > kMaxRounds + m.bodies) break;
    }
    return held;
}

OpenPairs find_open_pairs(const RigidScene& scene, Islands& islands)
{
    if (!islands.solved || std::ranges::all_of(islands.carriers, [](int c) { return c < 0; })) return {};
    place_ends(scene, islands.manifolds);
    return IslandGuard(scene, islands).find_open();
}

void keep_poses(const RigidScene& scene, Islands& islands) { islands.kept = scene.bodies.pose; }

bool have_moved_since(const RigidScene& scene, const Islands& islands)
{
    for (int i = 0; i < islands.manifolds.bodies; ++i)
        if (islands.manifolds.placed[i].free &&
            (scene.bodies.pose[i].x != islands.kept[i].x || scene.bodies.pose[i].q.v != islands.kept[i].q.v))
            return true;
    return false;
}

}  // namespace pliant
