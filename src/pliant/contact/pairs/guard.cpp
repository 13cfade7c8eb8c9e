#include "pliant/contact/pairs/guard.h"

#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/guard_kernels.h"
#include "pliant/contact/pairs/take_back.h"
#include "pliant/state/mobility.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr int kPushRounds = 5;              // rounds that push failing pairs apart, before any point is taken back
constexpr int kMaxRounds = 12;              // after these, the points of failing pairs go back to their start
constexpr int kSharedRounds = 2;            // of pushes, that rigid bodies and particles share by their masses
constexpr Real kBodyRecovery = Real(1e-4);  // of the distance: what a push of a rigid body adds

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
          joined_(scope.joined),
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

    /// Whether something had to be pushed, or could not. After the first rounds rigid bodies alone give way to what they press: it
    /// lies on something that does not. They turn, as pushes at points make them; what that leaves, the last round makes up for by
    /// shifts, which do not undo each other.
    bool push_apart(int round)
    {
        round_ = round;
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
            const int carrier = guard_.carriers.of_collider(colliders_.placed[hold.collider], hold.collider);
            const Real least = least_of(hold);
            const Real factor = for_good ? Real(0) : factor_of(hold.clearance, hold.left, least);
            for (const int p : hold.point)
                if (!colliders_.stays(p)) back_.take(p, factor, carrier);
        });
        for_each_rigid_hold([&](const RigidHold& hold) {
            const int carrier = guard_.carriers.of_collider(colliders_.placed[hold.collider], hold.collider);
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
            if (holds_carried(block, kind, l) || holds_by_rounding(block, kind, l)) return;
            int by[2] = {-1, -1};
            for (int k = 0; k < 4; ++k)
                if (const int c = carrier_at(block.point[k][l]); c >= 0 && c != by[0]) by[by[0] < 0 ? 0 : 1] = c;
            note(by[0], by[1]);
        });
        for_each_hold([&](const ColliderHold& hold) {
            if (hold.left < least_of(hold) - rounding_at(hold.offset))
                note(carrier_at(hold.point[0]), -2 - hold.collider);
        });
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
        const Real least = least_of(block, l, rounding_of(block, l));
        const Real factor = for_good ? Real(0) : factor_of(block.clearance[l], left, least);
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
        const Real rounding = rounding_of(block, l);
        return clearance_along(n, block, kind, l) >= least_of(block, l, rounding) - 4 * rounding;
    }

    bool holds_by_rounding(const PairBlock& block, PairKind kind, int l) const
    {
        const Real rounding = rounding_of(block, l);
        return clearance_along(lane(block.n, l), block, kind, l) >= least_of(block, l, rounding) - rounding;
    }
    Real rounding_of(const PairBlock& block, int l) const
    {
        return rounding_at(points_.now[block.point[0][l]].position());
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

    /// Where the points of a pair are along its normal, and how easily the two sides give way. Points before number `second` are
    /// on one side, the others on the other.
    struct Sides {
        Real along[4];
        Real mobility[2] = {0, 0};
        int body[2] = {-1, -1};  // a rigid body that moves as a whole
        Vec3 place[2];           // where the two are nearest
        Real low = std::numeric_limits<Real>::max(), high = -low;
        Vec3 slip{};
    };
    Sides sides_of(const PairBlock& block, const Vec3& n, int second, int l) const
    {
        Sides sides;
        for (int k = 0; k < 4; ++k) {
            const int i = block.point[k][l], side = k < second ? 0 : 1;
            if (surface_.is_carried(i) && points_.now[i].w > 0) sides.body[side] = surface_.carrier(i).body;
            const Vec3 x = points_.now[i].position();
            sides.along[k] = n.dot(x);
            sides.mobility[side] = std::max(sides.mobility[side], points_.now[i].w);
            if (side == 0) sides.low = std::min(sides.low, sides.along[k]);
            else sides.high = std::max(sides.high, sides.along[k]);
            sides.slip += block.w[k][l] * (x - points_.start[i].position());
            sides.place[side] += std::abs(block.w[k][l]) * x;
        }
        for (int side = 0; side < 2; ++side) {
            if (const int body = sides.body[side]; body >= 0 && !shifts())
                sides.mobility[side] = inverse_mass_at(rigids_, body, sides.place[side] + points_.origin, n);
            else if (body < 0 && std::max(sides.body[0], sides.body[1]) >= 0 && round_ >= kSharedRounds)
                sides.mobility[side] = 0;
        }
        return sides;
    }
    bool is_joined(int body) const { return body >= 0 && !joined_.empty() && joined_[body] != 0; }
    /// Rigid bodies, instead of pushing them at points.
    bool shifts() const { return round_ == kPushRounds - 1; }
    void move_body(int body, const Vec3& at, const Vec3& n, Real way)
    {
        if (shifts()) back_.shift_body(body, way * n);
        else back_.push_body(body, at, n, way);
    }

    /// Friction of a push on rigid bodies; what they press gives way to it.
    void rub(const Sides& sides, const Vec3& n, Real most)
    {
        const Vec3 slip = sides.slip - n.dot(sides.slip) * n;
        const Real length = slip.norm();
        if (!(length > 0)) return;
        const Vec3 along = slip / length;
        Real mobility = 0;
        for (int side = 0; side < 2; ++side)
            if (sides.body[side] >= 0)
                mobility += inverse_mass_at(rigids_, sides.body[side], sides.place[side] + points_.origin, along);
        const Vec3 push = std::min(most, length / mobility) * along;
        for (int side = 0; side < 2; ++side)
            if (sides.body[side] >= 0)
                move_at(sides.body[side], sides.place[side] + points_.origin, side == 0 ? -push : push, rigids_);
    }

    void push_apart(const PairBlock& block, int second, int l)
    {
        const Vec3 n = lane(block.n, l);
        const Sides sides = sides_of(block, n, second, l);
        const bool with_body = sides.body[0] >= 0 || sides.body[1] >= 0;
        const Real all = sides.mobility[0] + sides.mobility[1];
        const Real missing = (with_body ? body_pushed_to(block, l) : pushed_to(block.distance[l], block.clearance[l])) -
                             (sides.low - sides.high);
        if (missing <= 0 || all <= 0 || is_joined(sides.body[0]) || is_joined(sides.body[1])) return;
        const Real first = missing * sides.mobility[0] / all, other = missing * sides.mobility[1] / all;
        if (with_body && !shifts()) rub(sides, n, block.friction[l] * missing / all);
        if (sides.body[0] >= 0) move_body(sides.body[0], sides.place[0], n, first);
        if (sides.body[1] >= 0) move_body(sides.body[1], sides.place[1], n, -other);
        Vec3 slip = with_body ? Vec3{} : sides.slip - n.dot(sides.slip) * n;
        const Real length = slip.norm(), most = block.friction[l] * missing;
        if (length > most) slip = (most / length) * slip;
        for (int k = 0; k < 4; ++k) {
            const int i = block.point[k][l], side = k < second ? 0 : 1;
            Point& point = points_.now[i];
            if (sides.body[side] >= 0 || sides.mobility[side] == 0 || point.w == 0) continue;
            const Real way = side == 0 ? std::max(sides.low + first - sides.along[k], Real(0))
                                       : std::min(sides.high - other - sides.along[k], Real(0));
            if (way == 0) continue;
            const Real back = side == 0 ? -sides.mobility[0] / all : sides.mobility[1] / all;
            point = point_at(point.position() + way * n + back * slip, point.w);
            guard_.moved.push_back(i);
        }
    }
    /// No further than it has to: what pushes a rigid body gives it speed.
    Real body_pushed_to(const PairBlock& block, int l) const
    {
        const Real rounding = rounding_of(block, l), recovery = kBodyRecovery * block.distance[l];
        return least_of(block, l, 0) + std::max(recovery, rounding / 4);
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
                move_body(surface_.carrier(p).body, x, hold.n, missing);
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
                if (hold.left < least_of(hold)) found(hold);
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
    std::span<const char> joined_;
    bool in_pairs_;
    int round_ = 0;  // of pushes
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
    if (guard.rounds > kMaxPushingRounds) return false;
    bool held = true;
    for (int k = 0; guarding.push_apart(k); held = false)
        if (++k == kPushRounds) return false;
    return held && guarding.in_budget();
}

void guard_pairs(const GuardScope& scope, Guard& guard)
{
    guard.open = 0;
    guard.squeezed = {-1, -1};
    guard.carriers.set_origin(scope.points.origin);
    Guarding guarding(scope, guard);
    guarding.stay_in_budget();
    // it ends: each round after the first few takes something back for good, or to where something carries it, once
    for (int k = guard.rounds - 1; guarding.round(k >= kMaxRounds); ++k) {}
    guard.open = guarding.count_failing();
}

}  // namespace pliant
