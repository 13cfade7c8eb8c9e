#include "pliant/geometry/touch_probes.h"

#include "pliant/base/check.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

/// Where a convex function on [0, 1] has its minimum, by golden-section search; to a thousandth, where it is flat to a
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

/// A direction across the axis y that looks most along n, or any.
Vec3 across_axis(const Vec3& n)
{
    const Vec3 across{n.x, 0, n.z};
    const Real length = across.norm();
    return length > Real(1e-6) ? across / length : Vec3{1, 0, 0};
}

}  // namespace

Touch TouchProbes::touch_of_ball(const Vec3& p, Real radius) const
{
    const Vec3 center = pose_.to_world(p);
    const SurfacePoint s = nearest_surface(obstacle_, at_, center);
    return {center - radius * s.normal, s.normal, radius - s.distance};
}

Touch TouchProbes::exact_touch_of_ball(const Vec3& p, Real radius) const
{
    const Touch near = touch_of_ball(p, radius);
    if (obstacle_.kind != Shape::Kind::mesh) return near;
    const ShapeMesh& mesh = *obstacle_.mesh;
    const Real off = Real(1.75) * mesh.field.voxel;  // of the field, between its points
    if (near.depth < -margin_ - off) return near;
    const Vec3 center = pose_.to_world(p);
    const SurfacePoint s = mesh.triangles.nearest(at_.to_shape(center), std::abs(radius - near.depth) + off);
    const Vec3 normal = at_.rotation * s.normal;
    return {center - radius * normal, normal, radius - s.distance};
}

void TouchProbes::probe_body(const Vec3& center, Real radius)
{
    const SurfacePoint s = nearest_on_shape(body_, pose_.to_shape(center));
    const Vec3 normal = pose_.rotation * s.normal;
    add({center - s.distance * normal, -normal, radius - s.distance});
}

void TouchProbes::probe_ends()
{
    const Real h = body_.half_height;
    switch (body_.kind) {
        case Shape::Kind::plane: PLIANT_ASSERT(false); return;  // nothing that moves
        case Shape::Kind::sphere: return add_ball({}, body_.radius);
        case Shape::Kind::box:
            for (int i = 0; i < 8; ++i) add_ball(corner_of_box(body_.half, i), 0);
            return;
        case Shape::Kind::capsule: add_ball({0, -h, 0}, body_.radius); return add_ball({0, h, 0}, body_.radius);
        case Shape::Kind::cylinder: return probe_rims();
        case Shape::Kind::mesh: return probe_vertices();
    }
}

void TouchProbes::probe_vertices()
{
    const std::vector<Vec3>& points = body_.mesh->points;
    const int count = static_cast<int>(points.size()), whole = count / kLanes * kLanes;
    const Matrix3<Lanes> rotation = spread(pose_.rotation);
    const Vector3<Lanes> position = spread(pose_.position);
    Outermost best;
    const auto probe = [&](int i) {
        const Touch touch = exact_touch_of_ball(points[i], body_.radius);
        if (touch.depth > -margin_) best.add(points[i], touch);
    };
    for (int first = 0; first < whole; first += kLanes) {  // most of eight vertices touch nothing
        const Vector3<Lanes> x = rotation * load_vectors(&points[first]) + position;
        unsigned near = bits_of(Lanes(body_.radius) - distance_to(obstacle_, at_, x) > Lanes(-margin_));
        for (; near != 0; near &= near - 1) probe(first + std::countr_zero(near));
    }
    for (int i = whole; i < count; ++i) probe(i);
    best.move_to(touches_);
}

void TouchProbes::probe_rims()
{
    const Vec3 n = pose_.rotation.transposed() * nearest_surface(obstacle_, at_, pose_.position).normal;
    const Vec3 down = across_axis(-n);
    const Vec3 side{-down.z, 0, down.x};
    for (const Vec3& d : {down, side, -down, -side})
        for (const Real y : {-body_.half_height, body_.half_height}) add_ball(body_.radius * d + Vec3{0, y, 0}, 0);
}

void TouchProbes::probe_rim(Real y)
{
    constexpr Real kDiagonal = Real(0.70710678118654752);
    static constexpr Real kAround[8][2] = {{1, 0},  {kDiagonal, kDiagonal},   {0, 1},  {-kDiagonal, kDiagonal},
                                           {-1, 0}, {-kDiagonal, -kDiagonal}, {0, -1}, {kDiagonal, -kDiagonal}};
    const auto around = [](int i) { return Vec3{kAround[(i + 8) % 8][0], 0, kAround[(i + 8) % 8][1]}; };
    const auto at = [&](const Vec3& d) { return body_.radius * d + Vec3{0, y, 0}; };
    int best = 0;
    for (int i = 1; i < 8; ++i)
        if (touch_of_ball(at(around(i)), 0).depth > touch_of_ball(at(around(best)), 0).depth) best = i;
    const Vec3 from = around(best - 1), to = around(best + 1);
    const auto between = [&](Real t) { return at((from + t * (to - from)).normalized()); };
    add_ball(between(find_least(0, 1, [&](Real t) { return -touch_of_ball(between(t), 0).depth; })), 0);
}

void TouchProbes::probe_line(const Vec3& low, const Vec3& high, Real radius)
{
    constexpr int kPieces = 4;
    const auto at = [&](Real t) { return low + t * (high - low); };
    const auto distance = [&](Real t) { return nearest_surface(obstacle_, at_, pose_.to_world(at(t))).distance; };
    for (int i = 0; i < kPieces; ++i) {
        const Real from = Real(i) / kPieces, to = Real(i + 1) / kPieces;
        add_ball(at(find_least(from, to, distance)), radius);
    }
}

void TouchProbes::probe_side()
{
    const Real h = body_.half_height;
    const Vec3 n = pose_.rotation.transposed() * nearest_surface(obstacle_, at_, pose_.position).normal;
    const Real across = Vec3{n.x, 0, n.z}.norm();
    if (!(across > Real(1e-6))) return;
    const Vec3 side = (-body_.radius / across) * Vec3{n.x, 0, n.z};
    probe_line(side - Vec3{0, h, 0}, side + Vec3{0, h, 0}, 0);
}

void TouchProbes::probe_box_edges()
{
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < 8; ++i) {
            if ((i >> axis & 1) != 0) continue;
            const Vec3 low = corner_of_box(body_.half, i), high = corner_of_box(body_.half, i | 1 << axis);
            const auto touch_at = [&](Real t) { return touch_of_ball(low + t * (high - low), 0); };
            const Real t = find_least(0, 1, [&](Real at) { return -touch_at(at).depth; });
            const Real ends = std::max(touch_at(0).depth, touch_at(1).depth);
            if (touch_at(t).depth > ends + Real(1e-3) * body_.extent) add_ball(low + t * (high - low), 0);
        }
    }
}

void TouchProbes::probe_obstacle_line(const Vec3& low, const Vec3& high, Real radius)
{
    const auto at = [&](Real t) { return low + t * (high - low); };
    const auto distance = [&](Real t) { return nearest_on_shape(body_, pose_.to_shape(at(t))).distance; };
    probe_body(at(find_least(0, 1, distance)), radius);
}

void TouchProbes::probe_obstacle_box_edges()
{
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < 8; ++i) {
            if ((i >> axis & 1) != 0) continue;
            probe_obstacle_line(at_.to_world(corner_of_box(obstacle_.half, i)),
                                at_.to_world(corner_of_box(obstacle_.half, i | 1 << axis)), 0);
        }
    }
}

void TouchProbes::probe_obstacle_cylinder()
{
    const Real h = obstacle_.half_height;
    const Vec3 up = across_axis(at_.to_shape(pose_.position));
    const Vec3 side{-up.z, 0, up.x};
    for (const Vec3& d : {up, side, -up, -side})
        for (const Real y : {-h, h}) probe_body(at_.to_world(obstacle_.radius * d + Vec3{0, y, 0}), 0);
    const Vec3 line = obstacle_.radius * up;
    probe_obstacle_line(at_.to_world(line - Vec3{0, h, 0}), at_.to_world(line + Vec3{0, h, 0}), 0);
}

void TouchProbes::probe_obstacle_vertices()
{
    constexpr Real kFacing = Real(0.5);
    const Mat3 turn = pose_.rotation.transposed() * at_.rotation;
    const Vec3 shift = pose_.rotation.transposed() * (at_.position - pose_.position);
    Outermost best;
    for (std::size_t i = 0; i < obstacle_.mesh->points.size(); ++i) {
        const Vec3 p = turn * obstacle_.mesh->points[i] + shift;
        const SurfacePoint s = nearest_on_shape(body_, p);
        if (!(s.distance < margin_) || s.normal.dot(turn * obstacle_.mesh->normals[i]) > -kFacing) continue;
        const Vec3 normal = pose_.rotation * s.normal;
        best.add(p, {pose_.to_world(p) - s.distance * normal, -normal, -s.distance});
    }
    best.move_to(touches_);
}

}  // namespace pliant
