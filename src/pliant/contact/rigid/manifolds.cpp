#include "pliant/contact/rigid/manifolds.h"

#include "pliant/geometry/convex_touch.h"
#include "pliant/geometry/touch.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

constexpr double kSkin = 5e-4;       // of the smallest extent
constexpr double kBodyFloor = 0.25;  // of the skin
constexpr double kSameNormal = 0.999;

bool is_everywhere(const Placed& placed, bool is_collider)
{
    return placed.shape->kind == Shape::Kind::plane || (is_collider && placed.shape->kind == Shape::Kind::mesh);
}

Box3 around(const Box3& a, const Box3& b)
{
    Box3 box = a;
    for (int k = 0; k < 3; ++k) {
        box.low[k] = std::min(a.low[k], b.low[k]);
        box.high[k] = std::max(a.high[k], b.high[k]);
    }
    return box;
}

/// Of all positions in the substep, and a little more.
Box3 swept_box(const Placed& p)
{
    constexpr double kMargin = 0.02;  // of its reach
    Box3 box = around(box_around({p.shape, p.start, p.from}), box_around({p.shape, p.end, p.to}));
    // a chord of the circle that a point moves on is at most r theta^2 / 8 from it
    const Vec3d turned = p.end.c[0] - p.start.c[0], other = p.end.c[1] - p.start.c[1];
    const double turn = turned.squared_norm() + other.squared_norm();
    const double more = p.reach * std::min(1., turn) + kMargin * p.reach;
    box.low -= Vec3d{more, more, more};
    box.high += Vec3d{more, more, more};
    return box;
}

bool overlap(const Box3& a, const Box3& b)
{
    for (int k = 0; k < 3; ++k)
        if (a.low[k] > b.high[k] || b.low[k] > a.high[k]) return false;
    return true;
}

/// The axis along which the centres are spread most.
int widest_axis(const std::vector<Box3>& boxes)
{
    Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    for (const Box3& box : boxes) {
        const Vec3d c = box.center();
        for (int k = 0; k < 3; ++k) {
            if (!(std::abs(c[k]) < 1e300)) continue;
            low[k] = std::min(low[k], c[k]);
            high[k] = std::max(high[k], c[k]);
        }
    }
    const Vec3d wide = high - low;
    return wide.x >= wide.y && wide.x >= wide.z ? 0 : wide.y >= wide.z ? 1 : 2;
}

double gap_of(const FacingPoints& p) { return p.n.dot(p.on_a - p.on_b); }

/// At most four of the points of a face: the nearest, the one furthest from it, and those furthest to both sides of the two.
void keep_four(std::vector<FacingPoints>& points)
{
    if (points.size() <= 4) return;
    for (const FacingPoints& p : points)
        if (p.n.dot(points[0].n) < kSameNormal) return;
    std::array<FacingPoints, 4> kept;
    kept[0] = *std::ranges::min_element(points, {}, gap_of);
    kept[1] =
        *std::ranges::max_element(points, {}, [&](const auto& p) { return (p.on_a - kept[0].on_a).squared_norm(); });
    const Vec3d across = (kept[1].on_a - kept[0].on_a).cross(kept[0].n);
    const auto aside = [&](const auto& p) { return across.dot(p.on_a - kept[0].on_a); };
    kept[2] = *std::ranges::max_element(points, {}, aside);
    kept[3] = *std::ranges::min_element(points, {}, aside);
    points.clear();
    for (const FacingPoints& p : kept)
        if (std::ranges::find(points, p.on_a, &FacingPoints::on_a) == points.end()) points.push_back(p);
}

/// Which of two shapes is the body in find_touches, and which the obstacle.
int rank(Shape::Kind kind)
{
    switch (kind) {
        case Shape::Kind::mesh: return 0;
        case Shape::Kind::sphere: return 1;
        case Shape::Kind::capsule: return 2;
        case Shape::Kind::cylinder: return 3;
        case Shape::Kind::box: return 4;
        case Shape::Kind::plane: return 5;
    }
    return 0;
}

/// Farthest that a point of it gets in the substep [m].
double way_of(const Placed& p)
{
    double turn = 0;
    for (int k = 0; k < 3; ++k) turn = std::max(turn, (p.end.c[k] - p.start.c[k]).norm());
    return (p.to - p.from).norm() + std::sqrt(2.) * turn * p.reach;
}

/// The same of a seen from b: what falls together does not come nearer.
double way_between(const Placed& a, const Placed& b)
{
    const Vec3d shift = (a.to - a.from) - (b.to - b.from);
    return shift.norm() + (way_of(a) - (a.to - a.from).norm()) + (way_of(b) - (b.to - b.from).norm());
}

}  // namespace

bool is_still_apart(const Manifolds& m, const Manifold& manifold)
{
    const Placed &a = m.placed[manifold.a], &b = m.placed[manifold.b];
    return manifold.count == 0 && a.travel + b.travel - manifold.travel + way_between(a, b) < manifold.skin;
}

double narrow_of(const Placed& a, const Placed& b)
{
    const auto narrow = [](const Placed& p) {
        return p.shape->narrow > 0 ? static_cast<double>(p.shape->narrow) : std::numeric_limits<double>::max();
    };
    return std::min(narrow(a), narrow(b));
}

void set_distances(const Manifolds& m, Manifold& manifold)
{
    const Placed &a = m.placed[manifold.a], &b = m.placed[manifold.b];
    // gaps have to be larger than the rounding of coordinates
    const double rounding = 64 * static_cast<double>(std::numeric_limits<Real>::epsilon()) * (a.from.norm() + a.reach);
    manifold.skin = std::max(kSkin * narrow_of(a, b), rounding);
    manifold.floor = manifold.b >= m.bodies ? 0 : kBodyFloor * manifold.skin;
}

void find_near_pairs(Manifolds& m)
{
    const int count = static_cast<int>(m.placed.size());
    m.near.clear();
    m.boxes.resize(m.placed.size());
    m.order.clear();
    const auto add = [&](int a, int b) {
        if (!m.placed[a].takes_part || !m.placed[b].takes_part || !(m.placed[a].free || m.placed[b].free)) return;
        m.near.emplace_back(std::min(a, b), std::max(a, b));
    };
    for (int i = 0; i < count; ++i) {
        const Placed& p = m.placed[i];
        if (!p.takes_part) continue;
        if (is_everywhere(p, i >= m.bodies)) {
            for (int body = 0; body < m.bodies; ++body) add(body, i);
            continue;
        }
        m.boxes[i] = swept_box(p);
        m.order.push_back({0, 0, i});
    }
    std::vector<Box3>& boxes = m.boxes;
    const int axis = widest_axis(boxes);
    for (auto& span : m.order) {
        span.low = boxes[span.number].low[axis];
        span.high = boxes[span.number].high[axis];
    }
    std::ranges::sort(
        m.order, [](const auto& a, const auto& b) { return a.low != b.low ? a.low < b.low : a.number < b.number; });
    for (std::size_t i = 0; i < m.order.size(); ++i)
        for (std::size_t k = i + 1; k < m.order.size() && m.order[k].low <= m.order[i].high; ++k)
            if (overlap(boxes[m.order[i].number], boxes[m.order[k].number])) add(m.order[i].number, m.order[k].number);
    std::ranges::sort(m.near);
}

namespace {

/// For shapes that overlap, planes and distance fields. Places are relative to the body: its own size then says how they round.
void find_touching_points(const Placed& body, const Placed& obstacle, double margin, std::vector<FacingPoints>& points)
{
    Touches touches;
    find_touches(*body.shape, {body.start.cast<Real>(), {}}, *obstacle.shape,
                 {obstacle.start.cast<Real>(), (obstacle.from - body.from).cast<Real>()}, static_cast<Real>(margin),
                 touches);
    for (const Touch& touch : touches) {
        const Vec3d n = touch.normal.cast<double>().normalized(), on_body = touch.point.cast<double>() + body.from;
        points.push_back({on_body, on_body + static_cast<double>(touch.depth) * n, n});
    }
}

/// All corners of a hull near a plane: which of them are kept depends on where they are, not on small differences in depth.
void find_corners_near(const Placed& hull, const Placed& plane, double margin, std::vector<FacingPoints>& points)
{
    const Vec3d n = plane.start.c[1].normalized();
    for (const Vec3& p : hull.shape->mesh->points) {
        const Vec3d on_hull = hull.start * p.cast<double>() + hull.from - rounding_radius(*hull.shape) * n;
        const double gap = n.dot(on_hull - plane.from);
        if (gap < margin) points.push_back({on_hull, on_hull - gap * n, n});
    }
}

}  // namespace

void find_points(Manifolds& m, const Manifold& manifold, std::vector<ManifoldPoint>& points)
{
    const Placed &a = m.placed[manifold.a], &b = m.placed[manifold.b];
    const double margin = 2 * manifold.skin + way_of(a) + way_of(b);
    std::vector<FacingPoints>& facing = m.facing;
    facing.clear();
    const bool plane = b.shape->kind == Shape::Kind::plane;
    const bool apart = !plane && is_convex(*a.shape) && is_convex(*b.shape) &&
                       find_facing_points({a.shape, a.start, a.from}, {b.shape, b.start, b.from}, margin, facing);
    if (plane && a.shape->kind == Shape::Kind::mesh && is_convex(*a.shape)) {
        find_corners_near(a, b, margin, facing);
    } else if (!apart) {
        const bool swapped = manifold.b < m.bodies && rank(a.shape->kind) > rank(b.shape->kind);
        find_touching_points(swapped ? b : a, swapped ? a : b, margin, facing);
        if (swapped)
            for (FacingPoints& p : facing) p = {p.on_b, p.on_a, -p.n};
    }
    keep_four(facing);
    for (const FacingPoints& f : facing) {
        ManifoldPoint p;
        p.n = f.n;
        p.place[0] = a.start.transposed() * (f.on_a - a.from);
        p.place[1] = b.start.transposed() * (f.on_b - b.from);
        points.push_back(p);
    }
}

void match_points(std::span<const ManifoldPoint> before, double near, std::span<ManifoldPoint> points)
{
    const auto take = [](const ManifoldPoint& from, ManifoldPoint& to) {
        to.push = from.push;
        to.hold = from.hold - to.n.dot(from.hold) * to.n;
    };
    if (before.size() == 1 && points.size() == 1) return take(before[0], points[0]);
    std::array<char, Touches::kMax> taken{};
    for (ManifoldPoint& p : points) {
        double least = near * near;
        std::size_t best = before.size();
        for (std::size_t k = 0; k < before.size() && k < taken.size(); ++k) {
            if (taken[k] != 0) continue;
            const double apart = std::min((p.place[0] - before[k].place[0]).squared_norm(),
                                          (p.place[1] - before[k].place[1]).squared_norm());
            if (!(apart < least)) continue;
            least = apart;
            best = k;
        }
        if (best == before.size()) continue;
        taken[best] = 1;
        take(before[best], p);
    }
}

}  // namespace pliant
