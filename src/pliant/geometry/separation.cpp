#include "pliant/geometry/separation.h"

#include "pliant/geometry/shape_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

constexpr int kMaxIterations = 64;
constexpr double kConverged = 1e-6;     // of the distance: what is left to gain
constexpr double kFlatSimplex = 1e-14;  // a simplex whose volume is less than this, relative to its sides, is flat

/// A point of A - B, and the point of A.
struct SupportDifference {
    Vec3d x, a;
    int number = 0;  // of a, where A is a list of points
};

struct SupportSimplex {
    std::array<SupportDifference, 4> corner;
    std::array<double, 4> w{};
    int count = 0;
    Vec3d nearest;  // to the origin: sum of w_i x_i
};

/// The weights of the point nearest to the origin on the line, plane or space through some corners. False if they are flat,
/// or if the point is outside.
bool find_weights(const SupportSimplex& s, const std::array<int, 4>& which, int count, std::array<double, 4>& w)
{
    const Vec3d& o = s.corner[which[0]].x;
    Vec3d side[3];
    for (int k = 1; k < count; ++k) side[k - 1] = s.corner[which[k]].x - o;
    double t[3] = {0, 0, 0};
    if (count == 2) {
        const double square = side[0].squared_norm();
        if (square <= 0) return false;
        t[0] = -side[0].dot(o) / square;
    } else if (count == 3) {
        const double aa = side[0].squared_norm(), bb = side[1].squared_norm(), ab = side[0].dot(side[1]);
        const double ao = -side[0].dot(o), bo = -side[1].dot(o), det = aa * bb - ab * ab;
        if (det <= kFlatSimplex * aa * bb) return false;
        t[0] = (bb * ao - ab * bo) / det;
        t[1] = (aa * bo - ab * ao) / det;
    } else if (count == 4) {
        const Vec3d bc = side[1].cross(side[2]);
        const double det = side[0].dot(bc);
        if (std::abs(det) <= kFlatSimplex * side[0].norm() * side[1].norm() * side[2].norm()) return false;
        t[0] = -o.dot(bc) / det;
        t[1] = -o.dot(side[2].cross(side[0])) / det;
        t[2] = -o.dot(side[0].cross(side[1])) / det;
    }
    w = {1 - t[0] - t[1] - t[2], t[0], t[1], t[2]};
    return std::all_of(w.begin(), w.begin() + count, [](double each) { return each >= 0; });
}

/// Keeps the corners whose hull has the point that is nearest to the origin. The newest corner, the last, is one of them.
void reduce(SupportSimplex& s)
{
    const int others = s.count - 1;
    double least = std::numeric_limits<double>::infinity();
    std::array<int, 4> best{};
    std::array<double, 4> best_w{};
    int best_count = 0;
    Vec3d nearest;
    for (int subset = 0; subset < 1 << others; ++subset) {
        std::array<int, 4> which{others};
        int count = 1;
        for (int k = 0; k < others; ++k)
            if ((subset >> k & 1) != 0) which[count++] = k;
        std::array<double, 4> w{};
        if (!find_weights(s, which, count, w)) continue;
        Vec3d at{};
        for (int k = 0; k < count; ++k) at += w[k] * s.corner[which[k]].x;
        if (const double square = at.squared_norm(); square < least) {
            least = square;
            best = which;
            best_w = w;
            best_count = count;
            nearest = at;
        }
    }
    SupportSimplex kept;
    for (int k = 0; k < best_count; ++k) {
        kept.corner[k] = s.corner[best[k]];
        kept.w[k] = best_w[k];
    }
    kept.count = best_count;
    kept.nearest = nearest;
    s = kept;
}

/// The core of a shape, without its radius, has the most n . x here.
Vec3d farthest_of_core(const Shape& shape, const Vec3d& n)
{
    const auto sign = [](double a, Real b) { return a < 0 ? -static_cast<double>(b) : static_cast<double>(b); };
    switch (shape.kind) {
        case Shape::Kind::box: return {sign(n.x, shape.half.x), sign(n.y, shape.half.y), sign(n.z, shape.half.z)};
        case Shape::Kind::capsule: return {0, sign(n.y, shape.half_height), 0};
        case Shape::Kind::cylinder: {
            const double across = std::sqrt(n.x * n.x + n.z * n.z), r = static_cast<double>(shape.radius);
            const double per = across > 0 ? r / across : 0;
            return {per * n.x, sign(n.y, shape.half_height), per * n.z};
        }
        case Shape::Kind::mesh: {
            const auto along = [&](const Vec3& p) { return n.dot(p.cast<double>()); };
            return std::ranges::max_element(shape.mesh->points, {}, along)->cast<double>();
        }
        case Shape::Kind::plane:
        case Shape::Kind::sphere: break;
    }
    return {};
}
double radius_of_core(const Shape& shape)
{
    const bool round =
        shape.kind == Shape::Kind::sphere || shape.kind == Shape::Kind::capsule || shape.kind == Shape::Kind::mesh;
    return round ? static_cast<double>(shape.radius) : 0;
}

/// `lowest(n)` is the SupportDifference of A - B with the least n . x.
template <class Lowest>
SeparatingPlane separate_cores(const Lowest& lowest, const Vec3d& first, double radii)
{
    SupportSimplex s;
    Vec3d v = first.norm() > 0 ? first : Vec3d{0, 1, 0};
    SeparatingPlane best;
    best.clearance = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < kMaxIterations; ++k) {
        const double length = v.norm();
        const Vec3d n = v / length;
        const SupportDifference next = lowest(n);
        const double bound = n.dot(next.x);
        if (bound > best.clearance) {
            best.clearance = bound;
            best.n = n;
        }
        if (k > 0 && length - best.clearance <= kConverged * length) break;
        const auto same = [&](const SupportDifference& d) { return d.x == next.x; };
        if (std::any_of(s.corner.begin(), s.corner.begin() + s.count, same)) break;
        s.corner[s.count++] = next;
        reduce(s);
        v = s.nearest;
        if (s.count == 4 || v.norm() <= 1e-12 * next.x.norm()) break;  // the origin is inside: they overlap
    }
    best.clearance -= radii;
    for (int k = 0; k < s.count; ++k) best.w[s.corner[k].number] += s.w[k];
    return best;
}

}  // namespace

namespace {

int lowest_of(std::span<const Vec3d> points, const Vec3d& n)
{
    int least = 0;
    for (int k = 1; k < static_cast<int>(points.size()); ++k)
        if (n.dot(points[k]) < n.dot(points[least])) least = k;
    return least;
}

}  // namespace

namespace {

Vec3d farthest_of(std::span<const Vec3d> points, const Vec3d& n)
{
    int most = 0;
    for (int k = 1; k < static_cast<int>(points.size()); ++k)
        if (n.dot(points[k]) > n.dot(points[most])) most = k;
    return points[most];
}

/// Of some points from something else, whose farthest(n) has the most n . x.
template <class Farthest>
SeparatingPlane separate_points(std::span<const Vec3d> points, const Farthest& farthest, const Vec3d& first,
                                double radius)
{
    const auto lowest = [&](const Vec3d& n) {
        const int k = lowest_of(points, n);
        return SupportDifference{points[k] - farthest(n), points[k], k};
    };
    return separate_cores(lowest, first, radius);
}

/// The lowest point along n of a shape at several places, without its radius.
Vec3d lowest_of(const Shape& shape, std::span<const SeenPose> at, const Vec3d& n)
{
    Vec3d best{};
    double least = std::numeric_limits<double>::infinity();
    for (const SeenPose& pose : at) {
        const Vec3d x = pose.position + pose.rotation * farthest_of_core(shape, pose.rotation.transposed() * -n);
        if (const double along = n.dot(x); along < least) {
            least = along;
            best = x;
        }
    }
    return best;
}

template <class Farthest>
SeparatingPlane separate_shape(const Shape& shape, std::span<const SeenPose> at, const Farthest& farthest,
                               const Vec3d& first, double radius)
{
    const auto lowest = [&](const Vec3d& n) {
        const Vec3d a = lowest_of(shape, at, n);
        return SupportDifference{a - farthest(n), a, 0};
    };
    return separate_cores(lowest, first, radius + radius_of_core(shape));
}

}  // namespace

SeparatingPlane separate(std::span<const Vec3d> points, const Shape& shape)
{
    if (shape.kind == Shape::Kind::plane) {
        const Vec3d up{0, 1, 0};
        const int lowest = lowest_of(points, up);
        SeparatingPlane out{up, points[lowest].y, {}};
        out.w[static_cast<std::size_t>(lowest)] = 1;
        return out;
    }
    return separate_points(
        points, [&](const Vec3d& n) { return farthest_of_core(shape, n); }, points[0], radius_of_core(shape));
}

SeparatingPlane separate(std::span<const Vec3d> points, std::span<const Vec3d> others)
{
    return separate_points(points, [&](const Vec3d& n) { return farthest_of(others, n); }, points[0] - others[0], 0);
}

SeparatingPlane separate_hull(std::span<const Vec3d> points, const Shape& shape)
{
    if (shape.kind == Shape::Kind::plane) {
        const Vec3d up{0, 1, 0};
        return {up, points[lowest_of(points, up)].y, {}};
    }
    const auto lowest = [&](const Vec3d& n) {
        const Vec3d& a = points[lowest_of(points, n)];
        return SupportDifference{a - farthest_of_core(shape, n), a, 0};
    };
    return separate_cores(lowest, points[0], radius_of_core(shape));
}

SeparatingPlane separate(const Shape& shape, std::span<const SeenPose> at, const Shape& other)
{
    if (other.kind == Shape::Kind::plane) {
        const Vec3d up{0, 1, 0};
        return {up, lowest_of(shape, at, up).y - radius_of_core(shape), {}};
    }
    return separate_shape(
        shape, at, [&](const Vec3d& n) { return farthest_of_core(other, n); }, at[0].position, radius_of_core(other));
}

SeparatingPlane separate(const Shape& shape, std::span<const SeenPose> at, std::span<const Vec3d> others)
{
    return separate_shape(
        shape, at, [&](const Vec3d& n) { return farthest_of(others, n); }, at[0].position - others[0], 0);
}

}  // namespace pliant
