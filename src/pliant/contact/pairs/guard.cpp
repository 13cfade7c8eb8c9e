#include "pliant/contact/pairs/guard.h"

#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/pair_kernels.h"
#include "pliant/state/mobility.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr int kPushRounds = 4;                  // rounds that push failing pairs apart, before any point is taken back
constexpr int kMaxRounds = 12;                  // after these, the points of failing pairs go back to their start
constexpr Real kMinClearanceShare = Real(0.1);  // of the distance to keep: the clearance that is always left
constexpr Real kStepFraction = Real(0.99);      // of the motion that just keeps the clearance
constexpr Real kRoundingMargin = Real(0.99);    // of that clearance: what rounding may leave of it

struct Failing {
    Lanes factor;  // of the motion that stays
    unsigned lanes;
};

template <PairKind kind>
PLIANT_INLINE Failing check(const PairBlock& block, const Point* now)
{
    Vector3<Lanes> x[4];
    for (int k = 0; k < 4; ++k) x[k] = gather(now, block.point[k].data()).x;
    const Lanes left = clearance<kind>(block.n, x),
                least = min(Lanes(kMinClearanceShare) * block.distance, block.clearance);
    const auto fails = (left < least - Lanes(1 - kRoundingMargin) * abs(least)) & (block.distance > Lanes(0));
    const unsigned lanes = bits_of(fails);
    if (lanes == 0) return {1, 0};
    return {select(fails, Lanes(kStepFraction) * (block.clearance - least) / (block.clearance - left), Lanes(1)),
            lanes};
}

class Guarding {
  public:
    Guarding(const ContactSurface& surface, const Pairs& pairs, PairPoints& points, RigidBodies& rigids, Guard& guard)
        : surface_(surface), pairs_(pairs), counting_(pairs), points_(points), rigids_(rigids), guard_(guard)
    {}

    bool in_budget() const
    {
        return std::ranges::none_of(surface_.vertices,
                                    [&](const auto& vertex) { return points_.used[vertex.point] > 1; });
    }
    void stay_in_budget()
    {
        for (const auto& [p, body] : surface_.vertices) {
            if (points_.now[p].w == 0 || points_.used[p] <= 1) continue;
            const Real budget = points_.budget(p);
            const Vec3 x = points_.now[p].position(), start = points_.start[p].position();
            const Vec3 reference = points_.reference[p].position();
            if ((x - reference).squared_norm() <= budget * budget) continue;
            const Real used = (start - reference).norm(), way = (x - start).norm();
            take_back(p, std::max(kStepFraction * (budget - used) / way, Real(0)));
        }
        move_back();
    }

    /// Whether something had to be pushed, or could not.
    bool push_apart()
    {
        bool all_hold = true;
        for_each_failing([&](const PairBlock& block, PairKind kind, int l, Real) {
            push_apart(block, kind == PairKind::vertex_triangle ? 1 : 2, l);
            all_hold = false;
        });
        return !all_hold;
    }

    /// Whether something had to go back.
    bool round(bool for_good)
    {
        for_each_failing([&](const PairBlock& block, PairKind, int l, Real factor) {
            for (int k = 0; k < 4; ++k) take_back(block.point[k][l], for_good ? Real(0) : std::max(factor, Real(0)));
        });
        return move_back();
    }
    int count_failing()
    {
        int count = 0;
        for_each_failing([&](const PairBlock&, PairKind, int, Real) { ++count; });
        return count;
    }

  private:
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
        const Real missing = std::min(kMinClearanceShare * block.distance[l], block.clearance[l]) - (low - high);
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

    /// Calls found(block, kind, lane, factor of the motion that may stay).
    template <class Found>
    void for_each_failing(const Found& found)
    {
        list_failing();
        for (const std::vector<int>& part : guard_.parts) {
            for (const int b : part) {
                const auto [list, number] = counting_[b];
                const PairBlock& block = pairs_.lists[list].blocks[number];
                const Failing failing = check_one(b);
                for (int l = 0; l < kLanes; ++l)
                    if ((failing.lanes >> l & 1) != 0)
                        with_kind(list, [&]<PairKind kind>() { found(block, kind, l, failing.factor[l]); });
            }
        }
    }

    Failing check_one(int number) const
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
                    if (check_one(b).lanes != 0) guard_.parts[part].push_back(b);
        });
    }
    void take_back(int point, Real factor)
    {
        if (points_.now[point].w == 0 || guard_.back[point] != 0) return;
        if (surface_.is_carried(point)) {
            const int body = surface_.carrier(point).body;
            if (guard_.body_back[body] != 0) return;
            if (guard_.body_factor[body] == 1) guard_.touched_bodies.push_back(body);
            guard_.body_factor[body] = std::min(guard_.body_factor[body], factor);
            return;
        }
        if (guard_.factor[point] == 1) guard_.touched.push_back(point);
        guard_.factor[point] = std::min(guard_.factor[point], factor);
    }
    bool move_back()
    {
        if (guard_.touched.empty() && guard_.touched_bodies.empty()) return false;
        for (const int i : guard_.touched) {
            Point& now = points_.now[i];
            const Vec3 start = points_.start[i].position();
            const Vec3 x = start + guard_.factor[i] * (now.position() - start);
            now = point_at(x, now.w);
            guard_.back[i] = guard_.factor[i] == 0 ? 1 : 0;
            guard_.factor[i] = 1;
        }
        guard_.held += static_cast<int>(guard_.touched.size() + guard_.touched_bodies.size());
        guard_.moved.insert(guard_.moved.end(), guard_.touched.begin(), guard_.touched.end());
        guard_.touched.clear();
        if (guard_.touched_bodies.empty()) return true;
        for (const int body : guard_.touched_bodies) {
            const Real factor = guard_.body_factor[body];
            const Vec3 shift = shift_between(rigids_.pose_prev[body], rigids_.pose[body]),
                       turn = turn_between(rigids_.pose_prev[body], rigids_.pose[body]);
            rigids_.pose[body] = rigids_.pose_prev[body];
            guard_.body_back[body] = factor == 0 ? 1 : 0;
            if (factor > 0) move_pose(factor * shift, factor * turn, rigids_.pose[body]);
        }
        for (int p = surface_.particles; p < surface_.points(); ++p) {
            const auto& [body, place] = surface_.carrier(p);
            if (guard_.body_factor[body] == 1) continue;
            points_.now[p] = point_at(to_world(rigids_.pose[body], place) - points_.origin, points_.now[p].w);
        }
        for (const int body : guard_.touched_bodies) guard_.body_factor[body] = 1;
        guard_.touched_bodies.clear();
        return true;
    }

    const ContactSurface& surface_;
    const Pairs& pairs_;
    const CountingBlocks counting_;
    PairPoints& points_;
    RigidBodies& rigids_;
    Guard& guard_;
};

}  // namespace

bool push_pairs_apart(const ContactSurface& surface, const Pairs& pairs, PairPoints& points, RigidBodies& rigids,
                      Guard& guard)
{
    guard.moved.clear();
    Guarding guarding(surface, pairs, points, rigids, guard);
    for (int k = 0; guarding.push_apart();)
        if (++k == kPushRounds) return false;
    return guard.moved.empty() && guarding.in_budget();
}

void guard_pairs(const ContactSurface& surface, const Pairs& pairs, PairPoints& points, RigidBodies& rigids,
                 Guard& guard)
{
    guard.factor.resize(points.now.size(), 1);
    guard.body_factor.resize(rigids.pose.size(), 1);
    guard.back.assign(points.now.size(), 0);
    guard.body_back.assign(rigids.pose.size(), 0);
    guard.held = guard.open = 0;
    Guarding guarding(surface, pairs, points, rigids, guard);
    guarding.stay_in_budget();
    // it ends: each round after the first few takes something back for good
    for (int k = 0; guarding.round(k >= kMaxRounds); ++k) {}
    guard.open = guarding.count_failing();
}

}  // namespace pliant
