#include "pliant/contact/pairs/calm.h"

#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/calm_course.h"
#include "pliant/contact/pairs/guard_kernels.h"
#include "pliant/contact/pairs/pair_lists.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>

namespace pliant {

namespace {

constexpr Real kOwnShare = Real(0.25);    // of an edge: points may leave the motion of their body by this at most,
constexpr Real kLeastOwn = Real(0.005);   // and by this at least
constexpr Real kAcceleration = 10;        // for which a course allows, besides an edge [m/s^2]
constexpr Real kRigidShare = Real(0.05);  // of the extent of a rigid body, in place of an edge
constexpr Real kTurnShare = Real(0.02);   // the same, for turning
constexpr Real kUneven = Real(0.02);      // of an edge: a tile with larger residuals is not bent evenly
constexpr int kMostAwake = 2;             // when more than one point in so many is awake, all are

Box around(const TileMotion& m) { return join({m.at[0].low, m.at[0].high}, {m.at[1].low, m.at[1].high}); }

class Proof {
  public:
    Proof(Real h, const CalmScene& scene, Calm& calm)
        : h_(h), surface_(scene.surface), particles_(scene.particles), rigids_(scene.rigids), calm_(calm)
    {}

    Awake find(Real horizon)
    {
        ++calm_.proofs;
        calm_.horizon = horizon;
        calm_.passed = 0;
        calm_.state.assign(tiles().tiles.size(), kCalmTile);
        take_courses();
        look_at_bodies();
        look_at_tiles();
        if (std::ranges::find(calm_.state, kTouchingTile) == calm_.state.end()) return Awake::none;
        wake_neighbours();
        if (is_most_awake()) return Awake::all;
        set_loose();
        return Awake::some;
    }

  private:
    const Tiles& tiles() const { return *calm_.tiles; }
    Real horizon() const { return calm_.horizon; }

    void take_courses()
    {
        calm_.x.resize(particles_.x.size());
        calm_.v.resize(particles_.x.size());
        parallel_for(particles_.size(), kCourseGrain, [&](int begin, int end) {
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
        course.box = {{kNeverNear, kNeverNear, kNeverNear}, {-kNeverNear, -kNeverNear, -kNeverNear}};
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
        return body != other && surface_.pairing(body, other).on && !surface_.are_in_islands(body, other) &&
               !are_joined(tiles().bodies[body], tiles().bodies[other]);
    }
    /// Rigid bodies with glue between them do not touch each other.
    bool are_joined(const TiledBody& a, const TiledBody& b) const
    {
        return a.rigid >= 0 && b.rigid >= 0 &&
               surface_.are_glued(surface_.particles + a.first_carried, surface_.particles + b.first_carried);
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

    /// Tiles that may touch something; how far points of the others may leave the course.
    void look_at_tiles()
    {
        const int count = size_of(tiles().tiles);
        calm_.motions.resize(static_cast<std::size_t>(count));
        calm_.boxes.resize(static_cast<std::size_t>(count));
        calm_.slack.assign(static_cast<std::size_t>(count), kNeverNear);
        if (calm_.tile_tree.size() != count) calm_.tile_tree = BoxTree(count);
        if (std::ranges::none_of(calm_.courses, &BodyCourse::in_tiles)) return;
        parallel_for(count, 8, [&](int begin, int end) {
            for (int t = begin; t < end; ++t) calm_.boxes[t] = take_tile(t);
        });
        look_at_gradients();
        calm_.tile_tree.refit([&](int t) { return calm_.boxes[t]; });
        parallel_for(count, 8, [&](int begin, int end) {
            for (int t = begin; t < end; ++t) find_slack(t);
        });
        for (int t = 0; t < count; ++t) {
            Real& own = calm_.courses[tiles().tiles[t].body].own;
            own = std::min(own, calm_.slack[t]);
        }
    }
    /// Tiles of the same body that what touches may come near to, since it need not keep its course.
    void wake_neighbours()
    {
        for (int t = 0; t < size_of(calm_.state); ++t) {
            if (calm_.state[t] != kTouchingTile) continue;
            calm_.tile_tree.find(calm_.boxes[t], 0, [&](int other) {
                const bool same = tiles().tiles[other].body == tiles().tiles[t].body;
                if (same && calm_.state[other] == kCalmTile) calm_.state[other] = kBesideTouching;
            });
        }
    }
    bool is_most_awake() const
    {
        int awake = 0, all = 0;
        for (int t = 0; t < size_of(calm_.state); ++t) {
            const Tile& tile = tiles().tiles[t];
            const int points = tile.count > 0 ? tile.count : tiles().bodies[tile.body].carried;
            all += points;
            if (calm_.state[t] != kCalmTile) awake += points;
        }
        return kMostAwake * awake > all;
    }
    /// Corners that a tile that touches has in common with one that does not have to keep the course too.
    void set_loose()
    {
        calm_.loose.assign(calm_.x.size(), Vec3{});
        for (BodyCourse& course : calm_.courses) course.loose = false;
        const auto set = [&](char state, const Vec3& to) {
            for (int t = 0; t < size_of(calm_.state); ++t) {
                if (calm_.state[t] != state) continue;
                const Tile& tile = tiles().tiles[t];
                if (state == kTouchingTile) calm_.courses[tile.body].loose = true;
                for (int i = tile.first; i < tile.first + tile.count; ++i) calm_.loose[tiles().point[i]] = to;
            }
        };
        set(kTouchingTile, {kNeverNear, kNeverNear, kNeverNear});
        set(kBesideTouching, {});
    }
    const TiledBody& body_of(int tile) const { return tiles().bodies[tiles().tiles[tile].body]; }

    Box take_tile(int t) const
    {
        const Tile& tile = tiles().tiles[t];
        const BodyCourse& course = calm_.courses[tile.body];
        if (!course.in_tiles) return {{kNeverNear, kNeverNear, kNeverNear}, {-kNeverNear, -kNeverNear, -kNeverNear}};
        if (tile.count == 0) return course.box;
        TileMotion& motion = calm_.motions[t];
        for (int end = 0; end < 2; ++end)
            motion.at[end] = fit_tile(tiles(), tile, calm_.x, calm_.v, static_cast<Real>(end) * horizon());
        return grown(around(motion), course.allowance + body_of(t).distance / 2);
    }

    /// Of bodies with tiles that are not bent evenly.
    void look_at_gradients()
    {
        const auto& all = tiles().tiles;
        const auto is_uneven = [&](int t) {
            const TileMotion& motion = calm_.motions[t];
            return std::max(motion.at[0].inside, motion.at[1].inside) > kUneven * body_of(t).edge;
        };
        for (BodyCourse& course : calm_.courses) course.uneven = false;
        for (int t = 0; t < size_of(all); ++t) {
            BodyCourse& course = calm_.courses[all[t].body];
            course.uneven = course.uneven || (course.in_tiles && all[t].ring > 0 && is_uneven(t));
        }
        calm_.rings.assign(all.size(), {kNeverNear, kNeverNear});
        if (std::ranges::none_of(calm_.courses, &BodyCourse::uneven)) return;
        const auto is_looked_at = [&](int t) { return calm_.courses[all[t].body].uneven; };
        parallel_for(size_of(all), 8, [&](int begin, int end) {
            for (int t = begin; t < end; ++t) {
                if (!is_looked_at(t)) continue;
                for (int e = 0; e < 2; ++e)
                    measure_gradients(tiles(), all[t], calm_.x, calm_.v, static_cast<Real>(e) * horizon(),
                                      calm_.motions[t].at[e]);
            }
        });
        parallel_for(size_of(all), 8, [&](int begin, int end) {
            for (int t = begin; t < end; ++t)
                if (is_looked_at(t)) calm_.rings[t] = bound_ring(tiles(), all[t], calm_.motions);
        });
    }

    /// Against all tiles from this one on.
    void find_slack(int t)
    {
        const Tile& tile = tiles().tiles[t];
        if (!calm_.courses[tile.body].in_tiles) return;
        calm_.tile_tree.find(calm_.boxes[t], t, [&](int other) {
            const Tile& with = tiles().tiles[other];
            Real slack = kNeverNear;
            if (with.body == tile.body) slack = own_slack(t, other);
            else if (may_touch(tile.body, with.body)) slack = -1;
            if (slack >= kLeastOwn * body_of(t).edge) calm_.slack[t] = std::min(calm_.slack[t], slack);
            else
                for (const int touching : {t, other})  // the same whoever writes it
                    std::atomic_ref(calm_.state[touching]).store(kTouchingTile, std::memory_order_relaxed);
        });
    }
    /// Of two tiles of one body.
    Real own_slack(int t, int o) const
    {
        const Tile &tile = tiles().tiles[t], &other = tiles().tiles[o];
        const BodyCourse& course = calm_.courses[tile.body];
        if (course.as_one) return kNeverNear;
        const TileMotion &motion = calm_.motions[t], &others = calm_.motions[o];
        const TiledBody& body = body_of(t);
        const Real reach = kOwnShare * body.edge + body.distance / 2;
        if (t != o && !overlap(grown(around(motion), reach), grown(around(others), reach))) return kNeverNear;
        const NearTile* near = tiles().find_near(tile, o);
        if (near != nullptr && near->least == kNeverNear) return kNeverNear;
        const NearTile* back = t != o ? tiles().find_near(other, t) : nullptr;
        Real slack = -1;
        if (near != nullptr && near->in_ring) slack = slack_in_ring(tile, motion, calm_.rings[t], *near, body.distance);
        if (back != nullptr && back->in_ring)
            slack = std::max(slack, slack_in_ring(other, others, calm_.rings[o], *back, body.distance));
        if (slack < kOwnShare * body.edge) {  // no more than that is needed
            if (near != nullptr) slack = std::max(slack, slack_of(tile, motion, other, others, *near, body.distance));
            if (back != nullptr) slack = std::max(slack, slack_of(other, others, tile, motion, *back, body.distance));
        }
        return with_rounding(slack, calm_.boxes[t]);
    }

    Real h_;
    const ContactSurface& surface_;
    const Particles& particles_;
    const RigidBodies& rigids_;
    Calm& calm_;
};

}  // namespace

void begin_calm_frame(Real dt, Calm& calm)
{
    calm.left = dt;
    calm.proven = false;
    calm.proofs = 0;
    calm.awake = Awake::none;
}

bool keeps_calm(Real h, const CalmScene& scene, Calm& calm)
{
    constexpr Real kRounded = Real(1.001);
    return calm.proven && calm.passed + h <= kRounded * calm.horizon && all_keep_course(h, scene, calm);
}

Awake find_awake(Real h, const CalmScene& scene, Calm& calm)
{
    if (!calm.tiles) {
        calm.tiles = make_tiles(scene.surface, scene.reach);
        list_parts(calm);
    }
    if (calm.awake == Awake::all || keeps_calm(h, scene, calm)) return calm.awake;
    constexpr Real kRounded = Real(1.001);
    calm.awake = Awake::all;
    Proof proof(h, scene, calm);
    for (const Real horizon : {std::max(calm.left, h), h}) {
        if (calm.proofs >= calm.most_proofs) break;
        calm.awake = proof.find(horizon);
        if (calm.awake != Awake::all || !(calm.left > kRounded * h)) break;
    }
    calm.proven = calm.awake != Awake::all;
    return calm.awake;
}

void take_awake(const ContactSurface& surface, Calm& calm, ContactSurface& part)
{
    const Tiles& tiles = *calm.tiles;
    part.in_islands = surface.in_islands;
    part.only_islands = surface.only_islands;
    calm.corner.assign(static_cast<std::size_t>(surface.points()), 0);
    const auto is_awake = [&](int tile) { return calm.state[tile] != kCalmTile; };
    for (int t = 0; t < size_of(tiles.tiles); ++t) {
        if (!is_awake(t)) continue;
        const Tile& tile = tiles.tiles[t];
        const TiledBody& body = tiles.bodies[tile.body];
        for (int i = tile.first; i < tile.first + tile.count; ++i) calm.corner[tiles.point[i]] = 1;
        for (int c = 0; tile.count == 0 && c < body.carried; ++c)
            calm.corner[surface.particles + body.first_carried + c] = 1;
    }
    part.vertices.clear();
    part.edges.clear();
    part.triangles.clear();
    std::ranges::copy_if(surface.vertices, std::back_inserter(part.vertices),
                         [&](const auto& v) { return calm.corner[v.point] != 0; });
    for (int e = 0; e < size_of(surface.edges); ++e)
        if (is_awake(tiles.of_edge[e])) part.edges.push_back(surface.edges[e]);
    for (int t = 0; t < size_of(surface.triangles); ++t)
        if (is_awake(tiles.of_triangle[t])) part.triangles.push_back(surface.triangles[t]);
}

void end_calm_substep(Real h, Calm& calm)
{
    calm.left -= h;
    calm.passed += h;
}

}  // namespace pliant
