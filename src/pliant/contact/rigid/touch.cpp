#include "pliant/contact/rigid/touch.h"

#include "pliant/contact/rigid/box_box.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

/// The signed distance to the body, in its frame.
SurfacePoint nearest_on_body(const RigidShape& shape, const Vec3& p)
{
    switch (shape.kind) {
        case RigidKind::box: return nearest_on_box(shape.half, p);
        case RigidKind::capsule: return nearest_on_capsule(shape.radius, shape.half_height, p);
        case RigidKind::cylinder: return nearest_on_cylinder(shape.radius, shape.half_height, p);
        default: return nearest_on_ball(p, shape.radius);
    }
}

/// Where a convex function of [0, 1] is smallest, by the golden section; to a thousandth, where it is flat to a
/// millionth.
template <class Function>
Real find_least(Real low, Real high, Function&& f)
{
    constexpr Real kGolden = Real(0.618033988749894848);
    Real a = high - kGolden * (high - low), b = low + kGolden * (high - low);
    Real fa = f(a), fb = f(b);
    for (int i = 0; i < 15; ++i) {
        if (fa <= fb) {
            high = b;
            b = a;
            fb = fa;
            a = high - kGolden * (high - low);
            fa = f(a);
        } else {
            low = a;
            a = b;
            fa = fb;
            b = low + kGolden * (high - low);
            fb = f(b);
        }
    }
    return fa <= fb ? a : b;
}

/// The deepest touch in each of 24 directions from the centre of the body; of those that are equally deep the outermost.
class Outermost {
  public:
    Outermost() { score_.fill(-std::numeric_limits<Real>::max()); }

    /// At p, in the body's frame.
    void add(const Vec3& p, const Touch& touch)
    {
        constexpr Real kOutermost = Real(1e-4);
        const Real ax = std::abs(p.x), ay = std::abs(p.y), az = std::abs(p.z);
        const int axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
        const int octant = (p.x < 0 ? 1 : 0) + (p.y < 0 ? 2 : 0) + (p.z < 0 ? 4 : 0);
        const auto direction = static_cast<std::size_t>(3 * octant + axis);
        const Real score = touch.depth + kOutermost * p.norm();
        if (!(score > score_[direction])) return;
        score_[direction] = score;
        best_[direction] = touch;
    }

    void move_to(Touches& touches) const
    {
        for (std::size_t i = 0; i < best_.size(); ++i)
            if (score_[i] > -std::numeric_limits<Real>::max()) touches.add(best_[i]);
    }

  private:
    std::array<Touch, 24> best_;
    std::array<Real, 24> score_;
};

/// One body and one collider.
class Pair {
  public:
    Pair(const RigidShape& shape, const Pose& pose, const Collider& collider, const ColliderPose& at, Real margin,
         Touches& touches)
        : shape_(shape),
          x_(pose.x),
          rotation_(pose.rotation()),
          collider_(collider),
          at_(at),
          margin_(margin),
          touches_(touches)
    {}

    void find()
    {
        const SurfacePoint center = nearest_surface(collider_, at_, x_);
        if (center.distance > shape_.extent + margin_) return;
        if (collider_.shape == ColliderShape::mesh && center.distance < 0 && is_deep_inside())
            return add({x_, center.normal, margin_ - center.distance});
        if (shape_.kind == RigidKind::mesh) return probe_vertices();
        switch (collider_.shape) {
            case ColliderShape::plane: return probe_ends();
            case ColliderShape::sphere: return probe_body(at_.position, collider_.radius);
            case ColliderShape::capsule: return meet_capsule();
            case ColliderShape::box: return meet_box();
            case ColliderShape::mesh: return meet_mesh();
        }
    }

  private:
    Vec3 world(const Vec3& p) const { return rotation_ * p + x_; }
    Vec3 of_collider(const Vec3& p) const { return at_.rotation * p + at_.position; }

    void add(const Touch& touch)
    {
        if (touch.depth > -margin_) touches_.add(touch);
    }

    /// Of a body whose centre is inside. There its points would be told to leave in all directions; so the centre goes
    /// first, and the rest with it. A ring around a peg is not deep inside.
    bool is_deep_inside() const
    {
        if (shape_.kind != RigidKind::mesh) return true;
        const auto inside = std::ranges::count_if(
            shape_.points, [&](const Vec3& p) { return nearest_surface(collider_, at_, world(p)).distance < 0; });
        return 2 * inside > std::ssize(shape_.points);
    }

    /// A ball at p, in the body's frame, against the collider.
    Touch touch_of_ball(const Vec3& p, Real radius) const
    {
        const Vec3 center = world(p);
        const SurfacePoint s = nearest_surface(collider_, at_, center);
        return {center - radius * s.normal, s.normal, radius - s.distance};
    }

    /// A ball of the collider at `center`, in the world, against the body.
    void probe_body(const Vec3& center, Real radius)
    {
        const SurfacePoint s = nearest_on_body(shape_, rotation_.transposed() * (center - x_));
        const Vec3 normal = rotation_ * s.normal;
        add({center - s.distance * normal, -normal, radius - s.distance});
    }

    /// Ends, corners or rims.
    void probe_ends()
    {
        const Real h = shape_.half_height;
        switch (shape_.kind) {
            case RigidKind::capsule:
                add(touch_of_ball({0, -h, 0}, shape_.radius));
                add(touch_of_ball({0, h, 0}, shape_.radius));
                break;
            case RigidKind::cylinder: probe_rims(); break;
            case RigidKind::box:
                for (int i = 0; i < 8; ++i) add(touch_of_ball(corner(shape_.half, i), 0));
                break;
            default: add(touch_of_ball({}, shape_.radius));
        }
    }

    static Vec3 corner(const Vec3& half, int i)
    {
        return {(i & 1) != 0 ? half.x : -half.x, (i & 2) != 0 ? half.y : -half.y, (i & 4) != 0 ? half.z : -half.z};
    }

    /// Four points of each rim, one of them the lowest as seen from the collider.
    void probe_rims()
    {
        const Vec3 n = rotation_.transposed() * nearest_surface(collider_, at_, x_).normal;
        Vec3 down{-n.x, 0, -n.z};
        const Real length = down.norm();
        down = length > Real(1e-6) ? down / length : Vec3{1, 0, 0};
        const Vec3 side{-down.z, 0, down.x};
        for (const Vec3& d : {down, side, -down, -side})
            for (const Real y : {-shape_.half_height, shape_.half_height})
                add(touch_of_ball(shape_.radius * d + Vec3{0, y, 0}, 0));
    }

    /// The deepest point of a rim: the deepest of eight, moved between its neighbours.
    void probe_rim(Real y)
    {
        constexpr Real kDiagonal = Real(0.70710678118654752);
        static constexpr Real kAround[8][2] = {{1, 0},  {kDiagonal, kDiagonal},   {0, 1},  {-kDiagonal, kDiagonal},
                                               {-1, 0}, {-kDiagonal, -kDiagonal}, {0, -1}, {kDiagonal, -kDiagonal}};
        const auto around = [](int i) { return Vec3{kAround[(i + 8) % 8][0], 0, kAround[(i + 8) % 8][1]}; };
        const auto at = [&](const Vec3& d) { return shape_.radius * d + Vec3{0, y, 0}; };
        int best = 0;
        for (int i = 1; i < 8; ++i)
            if (touch_of_ball(at(around(i)), 0).depth > touch_of_ball(at(around(best)), 0).depth) best = i;
        const Vec3 from = around(best - 1), to = around(best + 1);
        const auto between = [&](Real t) { return at((from + t * (to - from)).normalized()); };
        add(touch_of_ball(between(find_least(0, 1, [&](Real t) { return -touch_of_ball(between(t), 0).depth; })), 0));
    }

    void meet_capsule()
    {
        const Vec3 low = of_collider({0, -collider_.height / 2, 0}), high = of_collider({0, collider_.height / 2, 0});
        probe_body(low, collider_.radius);
        probe_body(high, collider_.radius);
        probe_collider_line(low, high, collider_.radius);
        if (shape_.kind != RigidKind::sphere) probe_ends();
    }

    /// The deepest points of the quarters of a line of the body.
    void probe_line(const Vec3& low, const Vec3& high, Real radius)
    {
        constexpr int kPieces = 4;
        const auto at = [&](Real t) { return low + t * (high - low); };
        for (int i = 0; i < kPieces; ++i) {
            const Real from = Real(i) / kPieces, to = Real(i + 1) / kPieces;
            add(touch_of_ball(
                at(find_least(from, to,
                              [&](Real t) { return nearest_surface(collider_, at_, world(at(t))).distance; })),
                radius));
        }
    }

    void meet_box()
    {
        const Real h = shape_.half_height;
        const Vec3 half = Real(0.5) * collider_.size;
        if (shape_.kind == RigidKind::box) {
            find_box_touches({x_, rotation_, shape_.half}, {at_.position, at_.rotation, half}, margin_, touches_);
            if (touches_.begin() != touches_.end()) return;
        }
        probe_ends();  // of boxes that meet beside their faces too
        if (shape_.kind == RigidKind::box)
            for (int i = 0; i < 8; ++i) probe_body(of_collider(corner(half, i)), 0);
        if (shape_.kind == RigidKind::capsule) probe_line({0, -h, 0}, {0, h, 0}, shape_.radius);
        if (shape_.kind == RigidKind::cylinder) {
            const Vec3 n = rotation_.transposed() * nearest_surface(collider_, at_, x_).normal;
            const Real across = Vec3{n.x, 0, n.z}.norm();
            if (across > Real(1e-6)) {
                const Vec3 side = (-shape_.radius / across) * Vec3{n.x, 0, n.z};
                probe_line(side - Vec3{0, h, 0}, side + Vec3{0, h, 0}, 0);
            }
            probe_rim(-h);
            probe_rim(h);
            probe_edges(half);
        }
    }

    void meet_mesh()
    {
        const Real h = shape_.half_height;
        probe_ends();
        if (shape_.kind == RigidKind::capsule) probe_line({0, -h, 0}, {0, h, 0}, shape_.radius);
        if (shape_.kind == RigidKind::cylinder) {
            probe_rim(-h);
            probe_rim(h);
        }
        probe_collider_vertices();
        if (shape_.kind == RigidKind::box) probe_box_edges();
    }

    /// The deepest point of each edge of the body, where that is neither of its ends.
    void probe_box_edges()
    {
        for (int axis = 0; axis < 3; ++axis) {
            for (int i = 0; i < 8; ++i) {
                if ((i >> axis & 1) != 0) continue;
                const Vec3 low = corner(shape_.half, i), high = corner(shape_.half, i | 1 << axis);
                const auto touch_at = [&](Real t) { return touch_of_ball(low + t * (high - low), 0); };
                const Touch deepest = touch_at(find_least(0, 1, [&](Real t) { return -touch_at(t).depth; }));
                const Real ends = std::max(touch_at(0).depth, touch_at(1).depth);
                if (deepest.depth > ends + Real(1e-3) * shape_.extent) add(deepest);
            }
        }
    }

    /// The vertices of the collider that are in the body and face the side through which they came in.
    void probe_collider_vertices()
    {
        constexpr Real kFacing = Real(0.5);
        const Mat3 turn = rotation_.transposed() * at_.rotation;
        const Vec3 shift = rotation_.transposed() * (at_.position - x_);
        Outermost best;
        for (std::size_t i = 0; i < collider_.mesh->points.size(); ++i) {
            const Vec3 p = turn * collider_.mesh->points[i] + shift;
            const SurfacePoint s = nearest_on_body(shape_, p);
            if (!(s.distance < margin_) || s.normal.dot(turn * collider_.mesh->normals[i]) > -kFacing) continue;
            const Vec3 normal = rotation_ * s.normal;
            best.add(p, {world(p) - s.distance * normal, -normal, -s.distance});
        }
        best.move_to(touches_);
    }

    /// The deepest point of each edge of a box against the body.
    void probe_edges(const Vec3& half)
    {
        for (int axis = 0; axis < 3; ++axis) {
            for (int i = 0; i < 8; ++i) {
                if ((i >> axis & 1) != 0) continue;
                probe_collider_line(of_collider(corner(half, i)), of_collider(corner(half, i | 1 << axis)), 0);
            }
        }
    }

    /// The deepest point of a line of the collider against the body.
    void probe_collider_line(const Vec3& low, const Vec3& high, Real radius)
    {
        const auto at = [&](Real t) { return low + t * (high - low); };
        const Real least = find_least(
            0, 1, [&](Real t) { return nearest_on_body(shape_, rotation_.transposed() * (at(t) - x_)).distance; });
        probe_body(at(least), radius);
    }

    void probe_vertices()
    {
        Outermost best;
        for (const Vec3& p : shape_.points) {
            const Touch touch = touch_of_ball(p, shape_.radius);
            if (touch.depth > -margin_) best.add(p, touch);
        }
        best.move_to(touches_);
    }

    const RigidShape& shape_;
    Vec3 x_;
    Mat3 rotation_;
    const Collider& collider_;
    const ColliderPose& at_;
    Real margin_;
    Touches& touches_;
};

}  // namespace

void find_touches(const RigidShape& shape, const Pose& pose, const Collider& collider, const ColliderPose& at,
                  Real margin, Touches& touches)
{
    Pair(shape, pose, collider, at, margin, touches).find();
}

}  // namespace pliant
