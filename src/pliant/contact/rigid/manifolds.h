#pragma once
// Manifolds: where two rigid bodies touch, or a rigid body and a collider, which is a body without mass. A manifold is a few
// points with a normal each, at most four where all normals are the same.
//
// They are found at the start of a frame, and again in a substep for pairs that have moved by more than a small part of their
// size since. In between a gap follows from the places of its two points in the frames of their bodies, with all digits of
// the poses. A point that is found again keeps its multipliers if it is near its old place on either body: on the ground
// alone, what slides fast would lose them in every substep. A pair that was found apart is not looked at again until it has
// used up its distance: it stays in the list without points.

#include "pliant/contact/colliders/colliders.h"
#include "pliant/contact/rigid/rigid_push.h"
#include "pliant/geometry/convex_touch.h"
#include "pliant/state/rigid_bodies.h"

#include <span>
#include <vector>

namespace pliant {

struct ManifoldPoint {
    Vec3d place[2];   // on a and on b, in their own frames [m]
    Vec3d n;          // from b to a, in the world
    double push = 0;  // multiplier along n, of one substep [kg m/s]
    Vec3d hold{};     // the same of friction, on a
    // in this substep:
    Vec3d arm[2];       // from the centres of a and b at its start [m]
    double gap = 0;     // at its start [m]
    Vec3d carried{};    // velocity of the collider's surface [m/s]
    double bounce = 0;  // speed at which it is to leave [m/s]
    // in the solution of its island:
    double aim = 0;                             // n . v + aim >= 0 [m/s]
    Vec3d acting{};                             // push on a that its velocity contains already [kg m/s]
    double load = 0;                            // multiplier of the current iteration
    Vec3d grip{};                               // the same of friction
    Vec3d slip{};                               // velocity across n in the last iteration [m/s]
    double across = 0;                          // stiffness across n, of that along n
    double along = 0;                           // the same along the slip
    double factored = -1, factored_along = -1;  // `across` and `along` in the factor; below 0: not in it
    int kept = 0;                               // iterations in which it stayed in the factor though it does not press
    bool pressed = false;
};

struct Manifold {
    int a = 0, b = 0;          // rigid bodies, a < b; b from their number on: colliders
    int first = 0, count = 0;  // of the points; none: the two are further apart than twice the skin
    double skin = 0;           // distance that the two keep [m]
    double floor = 0;          // distance down to which nothing pushes them further apart [m]
    double friction = 0, sliding = 0, restitution = 0;
    double travel = 0;   // of both bodies when it was found [m]
    bool found = false;  // in this substep
};

/// A rigid body or a collider in a substep.
struct Placed {
    const Shape* shape = nullptr;
    Mat3d start, end;   // rotations
    Vec3d from, to;     // positions [m]
    double travel = 0;  // how far any point of it has moved in this frame [m]
    double reach = 0;   // no point is further from its position [m]
    bool free = false;  // contact moves it, in an island
    bool takes_part = false;
};

/// What a pair of bodies has besides its points.
struct PairTraits {
    bool touch = true;
    double friction = 0, sliding = 0, restitution = 0;
};

struct Manifolds {
    std::vector<Placed> placed;  // rigid bodies, then colliders
    int bodies = 0;              // rigid bodies
    std::vector<Manifold> list;  // sorted by a, b
    std::vector<ManifoldPoint> points;
    // scratch
    std::vector<std::pair<int, int>> near;
    std::vector<Manifold> before;
    std::vector<ManifoldPoint> points_before;
    struct Span {
        double low, high;
        int number;
    };
    std::vector<Span> order;
    std::vector<Box3> boxes;
    std::vector<FacingPoints> facing;
    std::vector<ManifoldPoint> stored;
};

/// Pairs that may touch in the substep, sorted: boxes around start and end overlap, grown by `margin` times the smaller reach.
void find_near_pairs(Manifolds& manifolds);

/// Brings all manifolds up to date with the poses at the start of the substep. `traits(a, b)` says how two touch, and
/// `pushes` are multipliers from before the frame, divided by the length of a substep; only used where a pair is new.
template <class Traits>
void update_manifolds(Real h, const Traits& traits, std::span<const RigidPush> pushes, Manifolds& manifolds);

/// Finds the points of one pair.
void find_points(Manifolds& manifolds, const Manifold& manifold, std::vector<ManifoldPoint>& points);
/// Gives new points the multipliers of old ones.
void match_points(std::span<const ManifoldPoint> before, double near, std::span<ManifoldPoint> points);
void set_distances(const Manifolds& manifolds, Manifold& manifold);

/// Whether a pair that was found apart is so at the start and the end of the substep.
bool is_still_apart(const Manifolds& manifolds, const Manifold& manifold);

/// The smallest extent of two, of which a plane has none [m].
double narrow_of(const Placed& a, const Placed& b);

template <class Traits>
void update_manifolds(Real h, const Traits& traits, std::span<const RigidPush> pushes, Manifolds& m)
{
    constexpr double kStale = 1e-3;      // of the smallest extent: a pair that has moved by more is found again
    constexpr double kSamePlace = 0.05;  // of the smallest extent
    find_near_pairs(m);
    m.before.swap(m.list);
    m.points_before.swap(m.points);
    m.list.clear();
    m.points.clear();
    std::size_t old = 0, push = 0;
    for (const auto& [a, b] : m.near) {
        const PairTraits pair = traits(a, b);
        if (!pair.touch) continue;
        const auto name = std::pair(a, b);
        while (old < m.before.size() && std::pair(m.before[old].a, m.before[old].b) < name) ++old;
        const bool known = old < m.before.size() && std::pair(m.before[old].a, m.before[old].b) == name;
        Manifold manifold = known ? m.before[old] : Manifold{.a = a, .b = b};
        manifold.friction = pair.friction;
        manifold.sliding = pair.sliding;
        manifold.restitution = pair.restitution;
        const std::span<const ManifoldPoint> kept =
            std::span(m.points_before).subspan(known ? manifold.first : 0, known ? manifold.count : 0);
        const double travel = m.placed[a].travel + m.placed[b].travel;
        manifold.first = static_cast<int>(m.points.size());
        manifold.found = !known || (manifold.count == 0 && !is_still_apart(m, manifold)) ||
                         travel - manifold.travel > kStale * narrow_of(m.placed[a], m.placed[b]);
        if (!manifold.found) {
            m.points.insert(m.points.end(), kept.begin(), kept.end());
            m.list.push_back(manifold);
            continue;
        }
        manifold.travel = travel;
        set_distances(m, manifold);
        find_points(m, manifold, m.points);
        manifold.count = static_cast<int>(m.points.size()) - manifold.first;
        const std::span<ManifoldPoint> points = std::span(m.points).subspan(manifold.first);
        const double near = kSamePlace * narrow_of(m.placed[a], m.placed[b]);
        if (known) {
            match_points(kept, near, points);
        } else {
            while (push < pushes.size() && std::pair(pushes[push].a, pushes[push].b) < name) ++push;
            m.stored.clear();
            for (; push < pushes.size() && std::pair(pushes[push].a, pushes[push].b) == name; ++push)
                m.stored.push_back({.place = {pushes[push].place[0].template cast<double>(),
                                              pushes[push].place[1].template cast<double>()},
                                    .push = static_cast<double>(pushes[push].push * h),
                                    .hold = static_cast<double>(h) * pushes[push].hold.template cast<double>()});
            match_points(m.stored, near, points);
        }
        m.list.push_back(manifold);
    }
}

}  // namespace pliant
