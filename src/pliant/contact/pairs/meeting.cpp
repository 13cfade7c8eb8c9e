#include "pliant/contact/pairs/meeting.h"

#include "pliant/geometry/crossing.h"
#include "pliant/math/portable.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

/// Added to each direction, because two that touch would stay in touch along an edge or a face.
constexpr Vec3d kOblique{0.0917, -0.0523, 0.0741};

class Meeting {
  public:
    Meeting(const Star& a, const Star& b, std::span<const Vec3> x) : a_(a), b_(b), x_(x) {}

    /// Tries motions along the normals of the faces, which separate stars that only touch, and in all directions.
    bool passes_wherever_moved(double little) const
    {
        for (const Star* star : {&a_, &b_}) {
            for (const auto& [i, j, k] : star->triangles) {
                const Vec3d n = (at(j) - at(i)).cross(at(k) - at(i));
                const double length = n.norm();
                if (!(length > 0)) continue;
                for (const double sign : {1., -1.})
                    if (!passes(little * (sign / length * n + kOblique))) return false;
            }
        }
        return all_directions([&](const Vec3d& direction) { return passes(little * direction); });
    }

    /// Whether a place near `where` is inside of both: in one of many directions from there, or towards the middle of one.
    bool insides_overlap(const Vec3d& where, double little, double tolerance) const
    {
        if (!a_.closed || !b_.closed) return false;
        const auto is_free = [&](const Vec3d& direction) {
            const Vec3d y = where + little * direction;
            return !is_inside(a_, y, tolerance) || !is_inside(b_, y, tolerance);
        };
        return !all_directions(is_free) || !is_free(towards_middle(a_, where)) || !is_free(towards_middle(b_, where));
    }

  private:
    Vec3d at(int point) const { return x_[point].cast<double>(); }

    template <class Holds>
    static bool all_directions(const Holds& holds)
    {
        for (int k = 0; k < 27; ++k)
            if (k != 13 && !holds(Vec3d{k % 3 - 1., k / 3 % 3 - 1., k / 9 - 1.} + kOblique)) return false;
        return true;
    }

    /// And a little inwards: the triangles may be in one plane.
    Vec3d towards_middle(const Star& star, const Vec3d& where) const
    {
        Vec3d sum{}, outwards{};
        for (const auto& [i, j, k] : star.triangles) {
            sum += at(i) + at(j) + at(k) - 3 * where;
            const Vec3d n = (at(j) - at(i)).cross(at(k) - at(i));
            if (n.squared_norm() > 0) outwards += n.normalized();
        }
        const auto unit = [](const Vec3d& a) { return a.squared_norm() > 0 ? a.normalized() : Vec3d{}; };
        return unit(sum) - 0.05 * unit(outwards);
    }

    /// With the first moved.
    bool passes(const Vec3d& shift) const { return any_crosses(a_, b_, shift) || any_crosses(b_, a_, -shift); }

    bool any_crosses(const Star& edges, const Star& triangles, const Vec3d& shift) const
    {
        for (const auto& e : edges.edges)
            for (const auto& t : triangles.triangles)
                if (std::ranges::count(t, e[0]) + std::ranges::count(t, e[1]) == 0 &&
                    crosses(at(e[0]) + shift, at(e[1]) + shift, at(t[0]), at(t[1]), at(t[2])))
                    return true;
        return false;
    }

    /// And nowhere nearer to the surface than the tolerance.
    bool is_inside(const Star& star, const Vec3d& y, double tolerance) const
    {
        if (tolerance == 0) return solid_angle(star, y) > 0;
        for (const Vec3d& e : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
            for (const double sign : {tolerance, -tolerance})
                if (!(solid_angle(star, y + sign * e) > 0)) return false;
        return true;
    }

    /// Of the triangles of a star as seen from y, half of it, positive where they face away [van Oosterom and Strackee 83].
    /// Near the middle of a star it is above 0 inside and below 0 outside.
    double solid_angle(const Star& star, const Vec3d& y) const
    {
        double sum = 0;
        for (const auto& [i, j, k] : star.triangles) {
            const Vec3d a = at(i) - y, b = at(j) - y, c = at(k) - y;
            const double la = a.norm(), lb = b.norm(), lc = c.norm();
            sum += portable::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
        }
        return sum;
    }

    const Star &a_, &b_;
    std::span<const Vec3> x_;
};

}  // namespace

bool pass_through(const Star& a, const Star& b, std::span<const Vec3> x, const Vec3d& where, double little,
                  double tolerance)
{
    const Meeting meeting(a, b, x);
    return meeting.passes_wherever_moved(little) || meeting.insides_overlap(where, 8 * little, tolerance);
}

}  // namespace pliant
