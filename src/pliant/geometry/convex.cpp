#include "pliant/geometry/convex.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The point of the core of a shape that is furthest along d, in its own frame.
Vec3d core_support(const Shape& shape, const Vec3d& d)
{
    const auto sign = [](double x) { return x < 0 ? -1. : 1.; };
    const auto h = static_cast<double>(shape.half_height), r = static_cast<double>(shape.radius);
    switch (shape.kind) {
        case Shape::Kind::plane:
        case Shape::Kind::sphere: return {};
        case Shape::Kind::box: {
            const Vec3d half = shape.half.cast<double>();
            return {sign(d.x) * half.x, sign(d.y) * half.y, sign(d.z) * half.z};
        }
        case Shape::Kind::capsule: return {0, sign(d.y) * h, 0};
        case Shape::Kind::cylinder: {
            const double across = std::sqrt(d.x * d.x + d.z * d.z);
            const double s = across > 0 ? r / across : 0;
            return {s * d.x, sign(d.y) * h, s * d.z};
        }
        case Shape::Kind::mesh: {
            Vec3d best{};
            double most = -kInfinity;
            for (const Vec3& p : shape.mesh->points) {
                const Vec3d x = p.cast<double>();
                if (const double along = d.dot(x); along > most) {
                    most = along;
                    best = x;
                }
            }
            return best;
        }
    }
    return {};
}

Vec3d core_support(const ConvexAt& at, const Vec3d& d)
{
    return at.rotation * core_support(*at.shape, at.rotation.transposed() * d) + at.position;
}

/// A point of the difference of two shapes.
struct Difference {
    Vec3d x, on_a, on_b;
};

/// Up to four of them, and the point of their hull that is nearest to the origin.
class Simplex {
  public:
    bool has(const Vec3d& x) const
    {
        return std::any_of(p_.begin(), p_.begin() + count_, [&](const Difference& d) { return d.x == x; });
    }
    void add(const Difference& p) { p_[count_++] = p; }
    bool is_full() const { return count_ == 4; }

    /// Keeps the points that the nearest one lies between.
    Difference nearest()
    {
        double least = kInfinity;
        unsigned best = 1;
        Difference at{};
        for (unsigned set = 1; set < 1U << count_; ++set) {
            Difference p;
            if (!nearest_of(set, p) || !(p.x.squared_norm() < least)) continue;
            least = p.x.squared_norm();
            best = set;
            at = p;
        }
        std::size_t kept = 0;
        for (std::size_t k = 0; k < 4; ++k)
            if (k < count_ && (best >> k & 1) != 0) p_[kept++] = p_[k];
        count_ = kept;
        return at;
    }

  private:
    /// The nearest point of the flat through a set of points; false if it is outside of their hull.
    bool nearest_of(unsigned set, Difference& nearest) const
    {
        std::array<const Difference*, 4> q{};
        std::size_t n = 0;
        for (std::size_t k = 0; k < count_; ++k)
            if ((set >> k & 1) != 0) q[n++] = &p_[k];
        std::array<double, 4> share{1, 0, 0, 0};
        if (n == 2) {
            const Vec3d e = q[1]->x - q[0]->x;
            const double t = -q[0]->x.dot(e), all = e.squared_norm();
            if (!(t > 0 && t < all)) return false;
            share = {1 - t / all, t / all, 0, 0};
        } else if (n == 3) {
            const Vec3d normal = (q[1]->x - q[0]->x).cross(q[2]->x - q[0]->x);
            const double all = normal.squared_norm();
            for (std::size_t k = 0; k < 3; ++k) {
                const double part = normal.dot(q[(k + 1) % 3]->x.cross(q[(k + 2) % 3]->x));
                if (!(part > 0)) return false;
                share[k] = part / all;
            }
        } else if (n == 4) {
            nearest = {};
            return contains_origin(q);
        }
        nearest = {};
        for (std::size_t k = 0; k < n; ++k) {
            nearest.x += share[k] * q[k]->x;
            nearest.on_a += share[k] * q[k]->on_a;
            nearest.on_b += share[k] * q[k]->on_b;
        }
        return true;
    }
    static bool contains_origin(const std::array<const Difference*, 4>& q)
    {
        const Vec3d &a = q[0]->x, &b = q[1]->x, &c = q[2]->x, &d = q[3]->x;
        const double sign = (b - a).dot((c - a).cross(d - a)) < 0 ? -1 : 1;
        return sign * b.dot(c.cross(d)) > 0 && -sign * a.dot(c.cross(d)) > 0 && sign * a.dot(b.cross(d)) > 0 &&
               -sign * a.dot(b.cross(c)) > 0;
    }

    std::array<Difference, 4> p_;
    std::size_t count_ = 0;
};

}  // namespace

double rounding_radius(const Shape& shape)
{
    const bool is_round = shape.kind == Shape::Kind::sphere || shape.kind == Shape::Kind::capsule;
    return is_round || shape.kind == Shape::Kind::mesh ? static_cast<double>(shape.radius) : 0;
}

bool is_convex(const Shape& shape) { return shape.kind != Shape::Kind::mesh || !shape.mesh->faces.normal.empty(); }

double reach_along(const ConvexAt& at, const Vec3d& n)
{
    if (at.shape->kind == Shape::Kind::plane) {
        const Vec3d up = at.rotation.c[1].normalized();
        return up.dot(n) > 1 - 1e-12 ? n.dot(at.position) : kInfinity;
    }
    return n.dot(core_support(at, n)) + rounding_radius(*at.shape);
}

double separation_along(const ConvexAt& a, const ConvexAt& b, const Vec3d& n)
{
    return -reach_along(a, -n) - reach_along(b, n);
}

Separation find_separation(const ConvexAt& a, const ConvexAt& b)
{
    constexpr int kMaxRounds = 40;
    constexpr double kConverged = 1e-12;  // of the squared distance
    if (b.shape->kind == Shape::Kind::plane) {
        const Vec3d up = b.rotation.c[1].normalized();
        return {up, separation_along(a, b, up), {}, {}};
    }
    const auto difference = [&](const Vec3d& d) {
        const Vec3d on_a = core_support(a, d), on_b = core_support(b, -d);
        return Difference{on_a - on_b, on_a, on_b};
    };
    Simplex simplex;
    Difference nearest = difference(b.position - a.position);
    simplex.add(nearest);
    for (int round = 0; round < kMaxRounds; ++round) {
        const double square = nearest.x.squared_norm();
        if (!(square > 0)) return {};
        const Difference next = difference(-nearest.x);
        if (square - nearest.x.dot(next.x) <= kConverged * square || simplex.has(next.x)) break;
        simplex.add(next);
        nearest = simplex.nearest();
        if (simplex.is_full()) return {};  // the origin is inside: they overlap
    }
    if (!(nearest.x.squared_norm() > 0)) return {};
    const Vec3d n = nearest.x.normalized();
    return {n, separation_along(a, b, n), nearest.on_a - rounding_radius(*a.shape) * n,
            nearest.on_b + rounding_radius(*b.shape) * n};
}

namespace {

/// Calls visit(n) for the normal of every face of a shape, in the world.
template <class Visit>
void for_each_face(const ConvexAt& at, const Visit& visit)
{
    switch (at.shape->kind) {
        case Shape::Kind::box:
            for (const Vec3d& axis : {at.rotation.c[0], at.rotation.c[1], at.rotation.c[2]}) {
                visit(axis);
                visit(-axis);
            }
            return;
        case Shape::Kind::cylinder:
            visit(at.rotation.c[1]);
            visit(-at.rotation.c[1]);
            return;
        case Shape::Kind::mesh:
            for (const Vec3& n : at.shape->mesh->faces.normal) visit((at.rotation * n.cast<double>()).normalized());
            return;
        case Shape::Kind::plane: visit(at.rotation.c[1].normalized()); return;
        case Shape::Kind::sphere:
        case Shape::Kind::capsule: return;
    }
}

}  // namespace

Separation find_least_overlap(const ConvexAt& a, const ConvexAt& b)
{
    Separation least{{}, -kInfinity, {}, {}};
    const auto look_along = [&](const Vec3d& n) {
        if (const double gap = separation_along(a, b, n); gap > least.gap) least = {n, gap, {}, {}};
    };
    const Vec3d between = a.position - b.position;
    look_along(between.norm() > 0 ? between.normalized() : Vec3d{0, 1, 0});
    for_each_face(b, look_along);
    for_each_face(a, [&](const Vec3d& n) { look_along(-n); });
    least.on_a = core_support(a, -least.n) - rounding_radius(*a.shape) * least.n;
    least.on_b = least.on_a - least.gap * least.n;
    return least;
}

Box3 box_around(const ConvexAt& at)
{
    const Shape& shape = *at.shape;
    const Mat3d& r = at.rotation;
    const auto h = static_cast<double>(shape.half_height), radius = static_cast<double>(shape.radius);
    Vec3d half{};
    for (int i = 0; i < 3; ++i) {
        const double up = std::abs(r(i, 1));
        switch (shape.kind) {
            case Shape::Kind::plane: half[i] = kInfinity; break;
            case Shape::Kind::sphere: half[i] = radius; break;
            case Shape::Kind::box:
                half[i] = std::abs(r(i, 0)) * static_cast<double>(shape.half.x) +
                          up * static_cast<double>(shape.half.y) +
                          std::abs(r(i, 2)) * static_cast<double>(shape.half.z);
                break;
            case Shape::Kind::capsule: half[i] = up * h + radius; break;
            case Shape::Kind::cylinder: half[i] = up * h + radius * std::sqrt(std::max(0., 1 - up * up)); break;
            case Shape::Kind::mesh: half[i] = static_cast<double>(shape.extent); break;
        }
    }
    return {at.position - half, at.position + half};
}

}  // namespace pliant
