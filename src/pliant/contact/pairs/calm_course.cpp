#include "pliant/contact/pairs/calm_course.h"

#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/pair_lists.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pliant {

namespace {

constexpr Box kNothing{{kNeverNear, kNeverNear, kNeverNear}, {-kNeverNear, -kNeverNear, -kNeverNear}};

/// Of 24 consecutive numbers of the triples, eight in each.
struct Spread {
    Lanes low[3] = {Lanes(kNeverNear), Lanes(kNeverNear), Lanes(kNeverNear)};
    Lanes high[3] = {Lanes(-kNeverNear), Lanes(-kNeverNear), Lanes(-kNeverNear)};
};

PLIANT_INLINE Lanes pack_of(const Vec3* from, int pack)
{
    Lanes r;
    std::memcpy(&r.v, reinterpret_cast<const char*>(from) + pack * static_cast<int>(sizeof r.v), sizeof r.v);
    return r;
}

PLIANT_INLINE void widen(Spread& spread, int pack, const Lanes& low, const Lanes& high)
{
    spread.low[pack] = min(spread.low[pack], low);
    spread.high[pack] = max(spread.high[pack], high);
}
void widen(Box& box, const Vec3& low, const Vec3& high)
{
    for (int k = 0; k < 3; ++k) {
        box.low[k] = std::min(box.low[k], low[k]);
        box.high[k] = std::max(box.high[k], high[k]);
    }
}
Box box_around(const Spread& spread)
{
    Box box = kNothing;
    for (int k = 0; k < 3 * kLanes; ++k) {
        box.low[k % 3] = std::min(box.low[k % 3], spread.low[k / kLanes][k % kLanes]);
        box.high[k % 3] = std::max(box.high[k % 3], spread.high[k / kLanes][k % kLanes]);
    }
    return box;
}

template <bool loose>
void find_deviation(const Calm& calm, Real passed, const std::vector<Vec3>& x, Deviation& d)
{
    Spread spread, kept;
    int i = d.range.first;
    for (; i + kLanes <= d.range.end(); i += kLanes) {
        for (int pack = 0; pack < 3; ++pack) {
            const Lanes off =
                pack_of(&x[i], pack) - (pack_of(&calm.x[i], pack) + Lanes(passed) * pack_of(&calm.v[i], pack));
            widen(spread, pack, off, off);
            if constexpr (loose) {
                const Lanes left_out = pack_of(&calm.loose[i], pack);
                widen(kept, pack, off + left_out, off - left_out);
            }
        }
    }
    d.all = box_around(spread);
    d.kept = box_around(kept);
    for (; i < d.range.end(); ++i) {
        const Vec3 off = x[i] - (calm.x[i] + passed * calm.v[i]);
        widen(d.all, off, off);
        if constexpr (loose) widen(d.kept, off + calm.loose[i], off - calm.loose[i]);
    }
    if constexpr (!loose) d.kept = d.all;
}

bool keeps_course(Real passed, const RigidBodies& rigids, int body, const BodyCourse& course)
{
    const Pose& pose = rigids.pose[body];
    const Quat &q = pose.q, &p = course.pose.q;
    const Real squared = (q.w - p.w) * (q.w - p.w) + (q.v - p.v).squared_norm();
    const Real way = (pose.x - (course.pose.x + passed * course.v)).norm();
    return way <= course.allowance && 2 * std::sqrt(squared) * rigids.shape[body].extent <= course.turn;
}

/// Of all points of a body, and of those that are not loose.
bool keeps_course(const BodyCourse& course, const Box& all, const Box& kept)
{
    Vec3 most;
    for (int axis = 0; axis < 3; ++axis) most[axis] = std::max(std::abs(all.low[axis]), std::abs(all.high[axis]));
    const bool none_kept = kept.low.x > kept.high.x;
    return most.norm() <= course.allowance && (none_kept || (kept.high - kept.low).norm() / 2 <= course.own);
}

}  // namespace

bool all_keep_course(Real h, const CalmScene& scene, Calm& calm)
{
    const Real passed = calm.passed + h;
    parallel_for(size_of(calm.deviations), 1, [&](int begin, int end) {
        for (Deviation& d : std::span(calm.deviations).subspan(begin, end - begin)) {
            const bool loose = calm.awake == Awake::some && calm.courses[d.body].loose;
            if (loose) find_deviation<true>(calm, passed, scene.particles.x, d);
            else find_deviation<false>(calm, passed, scene.particles.x, d);
        }
    });
    const std::vector<TiledBody>& bodies = calm.tiles->bodies;
    for (int b = 0; b < size_of(bodies); ++b)
        if (bodies[b].rigid >= 0 && !keeps_course(passed, scene.rigids, bodies[b].rigid, calm.courses[b])) return false;
    for (std::size_t k = 0; k < calm.deviations.size();) {
        const int b = calm.deviations[k].body;
        Box all = kNothing, kept = kNothing;
        for (; k < calm.deviations.size() && calm.deviations[k].body == b; ++k) {
            all = join(all, calm.deviations[k].all);
            kept = join(kept, calm.deviations[k].kept);
        }
        if (!keeps_course(calm.courses[b], all, kept)) return false;
    }
    return true;
}

void list_parts(Calm& calm)
{
    calm.deviations.clear();
    for (int b = 0; b < size_of(calm.tiles->bodies); ++b) {
        const Range range = calm.tiles->bodies[b].range;
        for (int first = range.first; first < range.end(); first += kCourseGrain)
            calm.deviations.push_back({b, {first, std::min(kCourseGrain, range.end() - first)}, {}, {}});
    }
}

}  // namespace pliant
