#include "pliant/contact/pairs/guard.h"

#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/guard_kernels.h"
#include "pliant/contact/pairs/take_back.h"
#include "pliant/state/mobility.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr int kPushRounds = 4;  // rounds that push failing pairs apart, before any point is taken back
constexpr int kMaxRounds = 12;  // after these, the points of failing pairs go back to their start

class Guarding {
  public:
    Guarding(const GuardScope& scope, Guard& guard)
        : surface_(scope.surface),
          pairs_(scope.pairs),
          counting_(scope.pairs),
          points_(scope.points),
          rigids_(scope.rigids),
          colliders_(scope.colliders),
          guard_(guard),
          in_pairs_(scope.in_pairs),
          back_(scope, guard)
    {}

    bool in_budget() const
    {
        return !in_pairs_ || std::ranges::none_of(surface_.vertices,
                                                  [&](const auto& vertex) { return points_.used[vertex.point] > 1; });
    }
    void stay_in_budget()
    {
        if (!in_pairs_) return;
        for (const auto& [p, body] : surface_.vertices) {
            if (points_.now[p].w == 0 || points_.used[p] <= 1) continue;
            const Real budget = points_.budget(p);
            const Vec3 x = points_.now[p].position(), start = points_.start[p].position();
            const Vec3 reference = points_.reference[p].position();
            if ((x - reference).squared_norm() <= budget * budget) continue;
            const Real used = (start - reference).norm(), way = (x - start).norm();
            back_.take(p, std::max(kStepFraction * (budget - used) / way, Real(0)));
        }
        back_.move();
    }

    /// Whether something had to be pushed, or could not.
    bool push_apart()
    {
        bool all_hold = true;
        for_each_failing([&](const PairBlock& block, PairKind kind, int l) {
            push_apart(block, kind == PairKind::vertex_triangle ? 1 : 2, l);
            all_hold = false;
        });
        for_each_hold([&](const ColliderHold& hold) {
            push_out(hold);
            all_hold = false;
        });
        for_each_rigid_hold([&](const RigidHold& hold) {
            back_.shift_body(hold.body, (hold.least - hold.left) * hold.n);
            all_hold = false;
        });
        return !all_hold;
    }

    /// Whether something had to go back.
    bool round(bool for_good)
    {
        for_each_failing([&](const PairBlock& block, PairKind kind, int l) { take_back(block, kind, l, for_good); });
        for_each_hold([&](const ColliderHold& hold) {
            const int carrier =
                guard_.carriers.of_collider(colliders_.placed[hold.collider], hold.collider, points_.origin);
            const Real least = least_of(hold);
            const Real factor = for_good ? Real(0) : factor_of(hold.clearance, hold.left, least);
            for (const int p : hold.point)
                if (!colliders_.stays(p)) back_.take(p, factor, carrier);
        });
        for_each_rigid_hold([&](const RigidHold& hold) {
            const int carrier =
                guard_.carriers.of_collider(colliders_.placed[hold.collider], hold.collider, points_.origin);
            back_.take_body(hold.body, for_good ? Real(0) : factor_of(hold.clearance, hold.left, hold.least), carrier);
        });
        return back_.move();
    }

    int count_failing()
    {
        int count = 0;
        const auto note = [&](int first, int second) {
            ++count;
            if (guard_.squeezed[0] == -1) guard_.squeezed = {first, second};
        };
        for_each_failing([&](const PairBlock& block, PairKind kind, int l) {
            if (holds_carried(block, kind, l)) return;
            int by[2] = {-1, -1};
            for (int k = 0; k < 4; ++k)
                if (const int c = carrier_at(block.point[k][l]); c >= 0 && c != by[0]) by[by[0] < 0 ? 0 : 1] = c;
            note(by[0], by[1]);
        });
        for_each_hold([&](const ColliderHold& hold) { note(carrier_at(hold.point[0]), -2 - hold.collider); });
        for_each_rigid_hold([&](const RigidHold& hold) { note(guard_.body_carrier[hold.body], -2 - hold.collider); });
        return count;
    }

  private:
    /// The motion that a point is carried along by, or that it is part of; -1 if none.
    int carrier_at(int p)
    {
        if (points_.now[p].w == 0) return guard_.carriers.of_point(surface_, points_, rigids_, p);
        return surface_.is_carried(p) ? guard_.body_carrier[surface_.carrier(p).body] : guard_.carrier[p];
    }

    /// What carries one of the points of a pair along; -1 if nothing does.
    int carrier_of(const PairBlock& block, int l)
    {
        int carrier = -1;
        for (int k = 0; k < 4 && carrier < 0; ++k) carrier = carrier_at(block.point[k][l]);
        return carrier;
    }

    void take_back(const PairBlock& block, PairKind kind, int l, bool for_good)
    {
        if (holds_carried(block, kind, l)) return;
        const int carrier = carrier_of(block, l);
        const Real left = clearance_along(normal_of(block, l, carrier), block, kind, l);
        const Real factor = for_good ? Real(0) : factor_of(block.clearance[l], left, least_of(block, l));
        for (int k = 0; k < 4; ++k) back_.take(block.point[k][l], factor, carrier);
    }

    /// Turned with what carries the points along; next to a keyed body it is turned already.
    Vec3 normal_of(const PairBlock& block, int l, int carrier) const
    {
        const bool keyed = std::ranges::any_of(
            block.point, [&](const IndexLanes& p) { return surface_.is_carried(p[l]) && points_.now[p[l]].w == 0; });
        const Vec3 n = lane(block.n, l);
        return carrier < 0 || keyed ? n : guard_.carriers[carrier].turn * n;
    }

    /// Whether a pair that fails is apart all the same, because its points are carried along together.
    bool holds_carried(const PairBlock& block, PairKind kind, int l)
    {
        const int carrier = carrier_of(block, l);
        if (carrier < 0) return false;
        const Vec3 n = normal_of(block, l, carrier);
        const Real rounding = rounding_at(points_.now[block.point[0][l]].position().norm());
        return clearance_along(n, block, kind, l) >= least_of(block, l) - 4 * rounding;
    }

    Real clearance_along(const Vec3& n, const PairBlock& block, PairKind kind, int l) const
    {
        const int second = kind == PairKind::vertex_triangle ? 1 : 2;
        Real low = std::numeric_limits<Real>::max(), high = -low;
        for (int k = 0; k < 4; ++k) {
            const Real along = n.dot(points_.now[block.point[k][l]].position());
            if (k < second) low = std::min(low, along);
            else high = std::max(high, along);
        }
        return low - high;
    }

    /// Points before number `second` of the pair are on one side, the others on the other. With friction.
    void push_apart(const PairBlock& block, int second, int l)
    {
        const Vec3 n = lane(block.n, l);
        Real along[4], mobility[2] = {0, 0}, low = std::numeric_limits<Real>::max(), high = -low;
        Vec3 slip{};
        for (int k = 0; k < 4; ++k) {
            const int i = block.point[k][l];
            const bool is_free_rigid = surface_.is_carried(i) && points_.now[i].w > 0;
            if (is_free_rigid) return;  // it goes back as a whole
            const Vec3 x = points_.now[i].position();
            along[k] = n.dot(x);
            Real& most = mobility[k < second ? 0 : 1];
            most = std::max(most, points_.now[i].w);
            if (k < second) low = std::min(low, along[k]);
            else high = std::max(high, along[k]);
            slip += block.w[k][l] * (x - points_.start[i].position());
        }
        const Real missing = pushed_to(block.distance[l], block.clearance[l]) - (low - high);
        const Real all = mobility[0] + mobility[1];
        if (missing <= 0 || all <= 0) return;
        slip -= n.dot(slip) * n;
        const Real length = slip.norm(), most = block.friction[l] * missing;
        if (length > most) slip = (most / length) * slip;
        low += missing * mobility[0] / all;
        high -= missing * mobility[1] / all;
        for (int k = 0; k < 4; ++k) {
            const int i = block.point[k][l];
            Point& point = points_.now[i];
            const Real way = k < second ? std::max(low - along[k], Real(0)) : std::min(high - along[k], Real(0));
            if (way == 0 || point.w == 0) continue;
            const Real back = k < second ? -mobility[0] / all : mobility[1] / all;
            point = point_at(point.position() + way * n + back * slip, point.w);
            guard_.moved.push_back(i);
        }
    }

    /// Moves the corners of a feature beyond the plane, with friction against the collider.
    void push_out(const ColliderHold& hold)
    {
        const PlacedCollider& collider = colliders_.placed[hold.collider];
        const Real least = pushed_to(hold.radius, hold.clearance);
        for (const int p : hold.point) {
            Point& point = points_.now[p];
            const Vec3 x = point.position();
            const Real missing = hold.offset + least - hold.n.dot(x);
            if (missing <= 0 || point.w == 0 || colliders_.stays(p)) continue;
            if (surface_.is_carried(p)) {
                back_.shift_body(surface_.carrier(p).body, missing * hold.n);
                continue;
            }
            Vec3 slip = x - points_.start[p].position() - surface_motion(collider.pose, x + points_.origin);
            slip -= hold.n.dot(slip) * hold.n;
            const Real length = slip.norm(), most = collider.friction * missing;
            if (length > most) slip = (most / length) * slip;
            point = point_at(x + missing * hold.n - slip, point.w);
            guard_.moved.push_back(p);
        }
    }

    /// Calls found(block, kind, lane).
    template <class Found>
    void for_each_failing(const Found& found)
    {
        list_failing();
        for (const std::vector<int>& part : guard_.parts) {
            for (const int b : part) {
                const auto [list, number] = counting_[b];
                const PairBlock& block = pairs_.lists[list].blocks[number];
                for (unsigned lanes = check_one(b); lanes != 0; lanes &= lanes - 1)
                    with_kind(list, [&]<PairKind kind>() { found(block, kind, std::countr_zero(lanes)); });
            }
        }
    }
    template <class Found>
    void for_each_hold(const Found& found)
    {
        if (colliders_.near.near.empty()) return;
        find_holds(*colliders_.features, colliders_.placed, places_of(surface_, points_), kTouchShare, colliders_.near);
        if (!colliders_.listed) list_touching(colliders_);
        for (const auto& part : colliders_.near.parts)
            for (const ColliderHold& hold : part)
                if (hold.left < least_of(hold) - rounding_at(hold.offset)) found(hold);
    }
    template <class Found>
    void for_each_rigid_hold(const Found& found)
    {
        for (const auto& [body, c] : colliders_.near_rigids.near)
            if (const auto hold = check_rigid(rigids_, body, colliders_.placed[c], c)) found(*hold);
    }

    unsigned check_one(int number) const
    {
        const auto [list, b] = counting_[number];
        const PairBlock& block = pairs_.lists[list].blocks[b];
        return with_kind(list, [&]<PairKind kind>() { return check<kind>(block, points_.now.data()); });
    }
    void list_failing()
    {
        const int all = counting_.size(), parts = (all + kPairPart - 1) / kPairPart;
        guard_.parts.resize(std::max<std::size_t>(guard_.parts.size(), parts));
        for (std::vector<int>& part : guard_.parts) part.clear();
        parallel_for(parts, 1, [&](int begin, int end) {
            for (int part = begin; part < end; ++part)
                for (int b = kPairPart * part; b < std::min(kPairPart * (part + 1), all); ++b)
                    if (check_one(b) != 0) guard_.parts[part].push_back(b);
        });
    }

    const ContactSurface& surface_;
    const Pairs& pairs_;
    const CountingBlocks counting_;
    PairPoints& points_;
    RigidBodies& rigids_;
    GuardedColliders& colliders_;
    Guard& guard_;
    bool in_pairs_;
    TakeBack back_;
};

}  // namespace

void list_touching(GuardedColliders& colliders)
{
    colliders.touching.clear();
    for (const auto& part : colliders.near.parts)
        colliders.touching.insert(colliders.touching.end(), part.begin(), part.end());
    colliders.listed = true;
}

bool push_pairs_apart(const GuardScope& scope, Guard& guard)
{
    guard.moved.clear();
    guard.held = guard.open = 0;
    begin_take_back(scope, guard);
    Guarding guarding(scope, guard);
    bool held = true;
    for (int k = 0; guarding.push_apart(); held = false)
        if (++k == kPushRounds) return false;
    return held && guarding.in_budget();
}

void guard_pairs(const GuardScope& scope, Guard& guard)
{
    guard.open = 0;
    guard.squeezed = {-1, -1};
    Guarding guarding(scope, guard);
    guarding.stay_in_budget();
    // it ends: each round after the first few takes something back for good, or to where something carries it, once
    for (int k = 0; guarding.round(k >= kMaxRounds); ++k) {}
    guard.open = guarding.count_failing();
}

}  // namespace pliant
