#include "pliant/contact/pairs/calm.h"

#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/guard_kernels.h"
#include "pliant/contact/pairs/pair_lists.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>

namespace pliant {

namespace {

constexpr Real kOwnShare = Real(0.25);    // of an edge: points may leave the motion of their body by this at most,
constexpr Real kLeastOwn = Real(0.005);   // and by this at least
constexpr Real kAcceleration = 10;        // for which a course allows, besides an edge [m/s^2]
constexpr Real kRigidShare = Real(0.05);  // of the extent of a rigid body, in place of an edge
constexpr Real kTurnShare = Real(0.02);   // the same, for turning
constexpr int kDeviationGrain = 4096;     // particles that are looked at together
constexpr Real kNowhere = std::numeric_limits<Real>::infinity();

Box grown(const Box& box, Real by)
{
    const Vec3 more{by, by, by};
    return {box.low - more, box.high + more};
}
bool overlap(const Box& a, const Box& b)
{
    for (int k = 0; k < 3; ++k)
        if (a.low[k] > b.high[k] || b.low[k] > a.high[k]) return false;
    return true;
}
Box around(const TileMotion& m) { return join({m.at[0].low, m.at[0].high}, {m.at[1].low, m.at[1].high}); }

class Proof {
  public:
    Proof(Real h, const CalmScene& scene, Calm& calm)
        : h_(h), surface_(scene.surface), particles_(scene.particles), rigids_(scene.rigids), calm_(calm)
    {}

    bool find(Real horizon)
    {
        ++calm_.proofs;
        calm_.horizon = horizon;
        calm_.passed = 0;
        take_courses();
        look_at_bodies();
        return look_at_tiles();
    }

  private:
    const Tiles& tiles() const { return *calm_.tiles; }
    Real horizon() const { return calm_.horizon; }

    void take_courses()
    {
        calm_.x.resize(particles_.x.size());
        calm_.v.resize(particles_.x.size());
        parallel_for(particles_.size(), kDeviationGrain, [&](int begin, int end) {
            for (int i = begin; i < end; ++i) {
                calm_.x[i] = particles_.x_prev[i];
                calm_.v[i] = (particles_.x[i] - particles_.x_prev[i]) / h_;
            }
        });
        calm_.courses.resize(tiles().bodies.size());
        parallel_for(size_of(calm_.courses), 1, [&](int begin, int end) {
            for (int b = begin; b < end; ++b) {
                const TiledBody& body = tiles().bodies[b];
                BodyCourse& course = calm_.courses[b];
                course.in_tiles = false;
                if (body.range.count > 0) take_soft(b, body, course);
                else if (body.rigid >= 0) take_rigid(body, course);
                else take_nothing(course);
            }
        });
    }
    void take_soft(int b, const TiledBody& body, BodyCourse& course) const
    {
        for (int end = 0; end < 2; ++end)
            course.whole.at[end] = fit_tile(tiles(), body.whole, calm_.x, calm_.v, static_cast<Real>(end) * horizon());
        course.own = kOwnShare * body.edge;
        course.allowance = body.edge + kAcceleration * horizon() * horizon();
        course.box = grown(around(course.whole), course.allowance + body.distance / 2);
        if (!surface_.pairing(b, b).on) {
            course.as_one = true;
            course.own = course.allowance;
            return;
        }
        const Real slack = slack_of(body.whole, course.whole, body.whole, course.whole, body.whole_near, body.distance);
        course.as_one = with_rounding(slack, course.box) >= kLeastOwn * body.edge;
        if (course.as_one) course.own = std::min(course.own, with_rounding(slack, course.box));
    }
    static void take_nothing(BodyCourse& course)
    {
        course.box = {{kNowhere, kNowhere, kNowhere}, {-kNowhere, -kNowhere, -kNowhere}};
        course.as_one = true;
    }
    void take_rigid(const TiledBody& body, BodyCourse& course) const
    {
        const Pose &before = rigids_.pose_prev[body.rigid], &now = rigids_.pose[body.rigid];
        const Real extent = rigids_.shape[body.rigid].extent;
        course.pose = before;
        course.v = shift_between(before, now) / h_;
        course.turn = extent * (turn_between(before, now).norm() / h_ * horizon() + kTurnShare);
        course.allowance = kRigidShare * extent + kAcceleration * horizon() * horizon();
        const Vec3 first = to_world(before, surface_.carried[body.first_carried].place);
        Box box{first, first};
        for (int c = body.first_carried; c < body.first_carried + body.carried; ++c) {
            const Vec3 x = to_world(before, surface_.carried[c].place);
            box = join(box, {x, x});
        }
        const Vec3 way = horizon() * course.v;
        course.box =
            grown(join(box, {box.low + way, box.high + way}), course.allowance + course.turn + body.distance / 2);
        course.as_one = true;
    }
    /// A slack less the rounding of places.
    static Real with_rounding(Real slack, const Box& box)
    {
        Real most = 0;
        for (int k = 0; k < 3; ++k) most = std::max({most, std::abs(box.low[k]), std::abs(box.high[k])});
        return slack - 2 * rounding_at(most);
    }

    bool may_touch(int body, int other) const
    {
        return body != other && surface_.pairing(body, other).on && !surface_.are_in_islands(body, other);
    }

    /// Tiles of bodies that are far from each other, and do not bend much, need no look.
    void look_at_bodies()
    {
        std::vector<BodyCourse>& courses = calm_.courses;
        if (calm_.body_tree.size() != size_of(courses)) calm_.body_tree = BoxTree(size_of(courses));
        calm_.body_tree.refit([&](int b) { return courses[b].box; });
        for (int b = 0; b < size_of(courses); ++b) {
            courses[b].in_tiles = courses[b].in_tiles || !courses[b].as_one;
            calm_.body_tree.find(courses[b].box, b + 1, [&](int other) {
                if (may_touch(b, other)) courses[b].in_tiles = courses[other].in_tiles = true;
            });
        }
    }

    bool look_at_tiles()
    {
        const int count = size_of(tiles().tiles);
        calm_.motions.resize(static_cast<std::size_t>(count));
        calm_.boxes.resize(static_cast<std::size_t>(count));
        calm_.slack.assign(static_cast<std::size_t>(count), kNowhere);
        if (calm_.tile_tree.size() != count) calm_.tile_tree = BoxTree(count);
        if (std::ranges::none_of(calm_.courses, &BodyCourse::in_tiles)) return true;
        parallel_for(count, 8, [&](int begin, int end) {
            for (int t = begin; t < end; ++t) calm_.boxes[t] = take_tile(t);
        });
        calm_.tile_tree.refit([&](int t) { return calm_.boxes[t]; });
        std::atomic<bool> holds = true;
        parallel_for(count, 8, [&](int begin, int end) {
            for (int t = begin; t < end && holds; ++t)
                if (!(find_slack(t) >= kLeastOwn * body_of(t).edge)) holds = false;
        });
        if (!holds) return false;
        for (int t = 0; t < count; ++t) {
            Real& own = calm_.courses[tiles().tiles[t].body].own;
            own = std::min(own, calm_.slack[t]);
        }
        return true;
    }
    const TiledBody& body_of(int tile) const { return tiles().bodies[tiles().tiles[tile].body]; }

    Box take_tile(int t) const
    {
        const Tile& tile = tiles().tiles[t];
        const BodyCourse& course = calm_.courses[tile.body];
        if (!course.in_tiles) return {{kNowhere, kNowhere, kNowhere}, {-kNowhere, -kNowhere, -kNowhere}};
        if (tile.count == 0) return course.box;
        TileMotion& motion = calm_.motions[t];
        for (int end = 0; end < 2; ++end)
            motion.at[end] = fit_tile(tiles(), tile, calm_.x, calm_.v, static_cast<Real>(end) * horizon());
        return grown(around(motion), course.allowance + body_of(t).distance / 2);
    }

    /// Against all tiles from this one on.
    Real find_slack(int t)
    {
        const Tile& tile = tiles().tiles[t];
        const BodyCourse& course = calm_.courses[tile.body];
        if (!course.in_tiles) return kNowhere;
        Real& slack = calm_.slack[t];
        calm_.tile_tree.find(calm_.boxes[t], t, [&](int other) {
            const Tile& with = tiles().tiles[other];
            if (with.body == tile.body) slack = std::min(slack, own_slack(t, other));
            else if (may_touch(tile.body, with.body)) slack = -1;
        });
        return slack;
    }
    /// Of two tiles of one body.
    Real own_slack(int t, int o) const
    {
        const Tile &tile = tiles().tiles[t], &other = tiles().tiles[o];
        const BodyCourse& course = calm_.courses[tile.body];
        if (course.as_one) return kNowhere;
        const TileMotion &motion = calm_.motions[t], &others = calm_.motions[o];
        const TiledBody& body = body_of(t);
        const Real reach = kOwnShare * body.edge + body.distance / 2;
        if (t != o && !overlap(grown(around(motion), reach), grown(around(others), reach))) return kNowhere;
        Real slack = -1;
        if (const NearTile* near = tiles().find_near(tile, o))
            slack = near->least == kNowhere ? kNowhere : slack_of(tile, motion, other, others, *near, body.distance);
        if (const NearTile* near = t != o ? tiles().find_near(other, t) : nullptr; near != nullptr)
            slack = std::max(slack, slack_of(other, others, tile, motion, *near, body.distance));
        return with_rounding(slack, calm_.boxes[t]);
    }

    Real h_;
    const ContactSurface& surface_;
    const Particles& particles_;
    const RigidBodies& rigids_;
    Calm& calm_;
};

/// Of 24 consecutive numbers of the triples, eight in each.
struct Spread {
    Lanes low[3] = {Lanes(kNowhere), Lanes(kNowhere), Lanes(kNowhere)};
    Lanes high[3] = {Lanes(-kNowhere), Lanes(-kNowhere), Lanes(-kNowhere)};
};

PLIANT_INLINE Lanes pack_of(const Vec3* from, int pack)
{
    Lanes r;
    std::memcpy(&r.v, reinterpret_cast<const char*>(from) + pack * static_cast<int>(sizeof r.v), sizeof r.v);
    return r;
}

void find_deviation(const Calm& calm, Real passed, const std::vector<Vec3>& x, Deviation& d)
{
    Spread spread;
    int i = d.range.first;
    for (; i + kLanes <= d.range.end(); i += kLanes) {
        for (int pack = 0; pack < 3; ++pack) {
            const Lanes off =
                pack_of(&x[i], pack) - (pack_of(&calm.x[i], pack) + Lanes(passed) * pack_of(&calm.v[i], pack));
            spread.low[pack] = min(spread.low[pack], off);
            spread.high[pack] = max(spread.high[pack], off);
        }
    }
    d.low = {kNowhere, kNowhere, kNowhere};
    d.high = -d.low;
    for (int k = 0; k < 3 * kLanes; ++k) {
        d.low[k % 3] = std::min(d.low[k % 3], spread.low[k / kLanes][k % kLanes]);
        d.high[k % 3] = std::max(d.high[k % 3], spread.high[k / kLanes][k % kLanes]);
    }
    for (; i < d.range.end(); ++i) {
        const Vec3 off = x[i] - (calm.x[i] + passed * calm.v[i]);
        for (int k = 0; k < 3; ++k) {
            d.low[k] = std::min(d.low[k], off[k]);
            d.high[k] = std::max(d.high[k], off[k]);
        }
    }
}

bool keeps_course(Real passed, const RigidBodies& rigids, int body, const BodyCourse& course)
{
    const Pose& pose = rigids.pose[body];
    const Quat &q = pose.q, &p = course.pose.q;
    const Real squared = (q.w - p.w) * (q.w - p.w) + (q.v - p.v).squared_norm();
    const Real way = (pose.x - (course.pose.x + passed * course.v)).norm();
    return way <= course.allowance && 2 * std::sqrt(squared) * rigids.shape[body].extent <= course.turn;
}

bool all_keep_course(Real h, const CalmScene& scene, Calm& calm)
{
    const Real passed = calm.passed + h;
    parallel_for(size_of(calm.deviations), 1, [&](int begin, int end) {
        for (Deviation& d : std::span(calm.deviations).subspan(begin, end - begin))
            find_deviation(calm, passed, scene.particles.x, d);
    });
    const std::vector<TiledBody>& bodies = calm.tiles->bodies;
    for (int b = 0; b < size_of(bodies); ++b)
        if (bodies[b].rigid >= 0 && !keeps_course(passed, scene.rigids, bodies[b].rigid, calm.courses[b])) return false;
    for (std::size_t k = 0; k < calm.deviations.size();) {
        const int b = calm.deviations[k].body;
        Box all{calm.deviations[k].low, calm.deviations[k].high};
        for (; k < calm.deviations.size() && calm.deviations[k].body == b; ++k)
            all = join(all, {calm.deviations[k].low, calm.deviations[k].high});
        Vec3 most;
        for (int axis = 0; axis < 3; ++axis) most[axis] = std::max(std::abs(all.low[axis]), std::abs(all.high[axis]));
        const BodyCourse& course = calm.courses[b];
        if (!((all.high - all.low).norm() / 2 <= course.own && most.norm() <= course.allowance)) return false;
    }
    return true;
}

void list_parts(Calm& calm)
{
    calm.deviations.clear();
    for (int b = 0; b < size_of(calm.tiles->bodies); ++b) {
        const Range range = calm.tiles->bodies[b].range;
        for (int first = range.first; first < range.end(); first += kDeviationGrain)
            calm.deviations.push_back({b, {first, std::min(kDeviationGrain, range.end() - first)}, {}, {}});
    }
}

}  // namespace

void begin_calm_frame(Real dt, Calm& calm)
{
    calm.left = dt;
    calm.proven = false;
    calm.proofs = 0;
}

bool is_calm(Real h, const CalmScene& scene, Calm& calm)
{
    if (!calm.tiles) {
        calm.tiles = make_tiles(scene.surface, scene.reach);
        list_parts(calm);
    }
    constexpr Real kRounded = Real(1.001);
    if (calm.proven && calm.passed + h <= kRounded * calm.horizon && all_keep_course(h, scene, calm)) return true;
    calm.proven = false;
    Proof proof(h, scene, calm);
    for (const Real horizon : {std::max(calm.left, h), h}) {
        if (calm.proofs >= calm.most_proofs) return false;
        calm.proven = proof.find(horizon);
        if (calm.proven || !(calm.left > kRounded * h)) break;
    }
    return calm.proven;
}

void end_calm_substep(Real h, Calm& calm)
{
    calm.left -= h;
    calm.passed += h;
}

}  // namespace pliant
