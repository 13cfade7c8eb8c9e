#include "pliant/geometry/convex_touch.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr double kSameNormal = 0.99999;
constexpr double kParallel = 0.17;  // sine of the angle up to which two edges touch along their length

/// Keeps the part with n . x <= d.
Feature3 clip(const Feature3& feature, const Vec3d& n, double d)
{
    Feature3 kept;
    const int sides = feature.count == 2 ? 1 : feature.count;
    for (int i = 0; i < feature.count; ++i) {
        const Vec3d& from = feature.at(i);
        const double a = n.dot(from) - d;
        if (a <= 0) kept.add(from);
        if (i >= sides) continue;
        const Vec3d& to = feature.at((i + 1) % feature.count);
        const double b = n.dot(to) - d;
        if ((a < 0 && b > 0) || (a > 0 && b < 0)) kept.add(from + (a / (a - b)) * (to - from));
    }
    return kept;
}

/// The part of `other` above a face.
Feature3 clip_to_face(const Feature3& face, Feature3 other)
{
    for (int i = 0; i < face.count && other.count > 0; ++i) {
        const Vec3d &from = face.at(i), &to = face.at((i + 1) % face.count);
        const Vec3d out = (to - from).cross(face.n);
        const double length = out.norm();
        if (length > 0) other = clip(other, out / length, out.dot(from) / length);
    }
    return other;
}

class Facing {
  public:
    Facing(const ConvexAt& a, const ConvexAt& b, const Separation& apart, double margin,
           std::vector<FacingPoints>& points)
        : apart_(apart),
          margin_(margin),
          radius_a_(rounding_radius(*a.shape)),
          radius_b_(rounding_radius(*b.shape)),
          a_(feature_along(a, -apart.n)),
          b_(feature_along(b, apart.n)),
          points_(points)
    {}

    void find()
    {
        const std::size_t before = points_.size();
        const bool face_a = a_.count > 2, face_b = b_.count > 2;
        const double along_a = face_a ? -apart_.n.dot(a_.n) : 0, along_b = face_b ? apart_.n.dot(b_.n) : 0;
        if (face_b && along_b >= along_a) above_b();
        else if (face_a) below_a();
        else if (a_.count == 2 && b_.count == 2) along_edges();
        // beside a face that looks nearly along the line between them, the nearest points count as well
        if (points_.size() == before || points_.back().n.dot(apart_.n) < kSameNormal)
            points_.push_back({apart_.on_a, apart_.on_b, apart_.n});
    }

  private:
    void add(const Vec3d& core_a, const Vec3d& core_b, const Vec3d& n)
    {
        const FacingPoints p{core_a - radius_a_ * n, core_b + radius_b_ * n, n};
        if (n.dot(p.on_a - p.on_b) < margin_) points_.push_back(p);
    }
    void above_b()
    {
        const Feature3 part = clip_to_face(b_, a_);
        for (int i = 0; i < part.count; ++i) {
            const Vec3d& x = part.at(i);
            add(x, x - b_.n.dot(x - b_.at(0)) * b_.n, b_.n);
        }
    }
    void below_a()
    {
        const Feature3 part = clip_to_face(a_, b_);
        for (int i = 0; i < part.count; ++i) {
            const Vec3d& x = part.at(i);
            add(x - a_.n.dot(x - a_.at(0)) * a_.n, x, -a_.n);
        }
    }
    /// Two that are nearly parallel touch at the ends of what they have in common.
    void along_edges()
    {
        const Vec3d u = a_.at(1) - a_.at(0), v = b_.at(1) - b_.at(0);
        const double uu = u.squared_norm(), vv = v.squared_norm();
        if (!(uu > 0 && vv > 0) || u.cross(v).squared_norm() > kParallel * kParallel * uu * vv) return;
        const double first = u.dot(b_.at(0) - a_.at(0)) / uu, second = u.dot(b_.at(1) - a_.at(0)) / uu;
        const double low = std::max(0., std::min(first, second)), high = std::min(1., std::max(first, second));
        if (!(high > low)) return;
        for (const double t : {low, high}) {
            const Vec3d x = a_.at(0) + t * u;
            const double s = std::clamp(v.dot(x - b_.at(0)) / vv, 0., 1.);
            add(x, b_.at(0) + s * v, apart_.n);
        }
    }

    const Separation& apart_;
    double margin_, radius_a_, radius_b_;
    Feature3 a_, b_;
    std::vector<FacingPoints>& points_;
};

}  // namespace

bool find_facing_points(const ConvexAt& a, const ConvexAt& b, double margin, std::vector<FacingPoints>& points)
{
    Separation apart = find_separation(a, b);
    const bool is_hull = a.shape->kind == Shape::Kind::mesh || b.shape->kind == Shape::Kind::mesh;
    if (!(apart.gap > 0) && is_hull) apart = find_least_overlap(a, b);
    else if (!(apart.gap > 0)) return false;
    if (apart.gap < margin) Facing(a, b, apart, margin, points).find();
    return true;
}

}  // namespace pliant
