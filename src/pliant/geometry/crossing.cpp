#include "pliant/geometry/crossing.h"

#include "pliant/math/wide.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

template <class T>
T determinant(const Vector3<T>& a, const Vector3<T>& b, const Vector3<T>& c)
{
    return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) + a.z * (b.x * c.y - b.y * c.x);
}

/// The permanent of the determinant, all terms taken as positive: its rounding error is proportional to it.
template <class T>
T sum_of_terms(const Vector3<T>& a, const Vector3<T>& b, const Vector3<T>& c)
{
    const auto abs = [](T t) { return t < 0 ? -t : t; };
    return abs(a.x) * (abs(b.y * c.z) + abs(b.z * c.y)) + abs(a.y) * (abs(b.z * c.x) + abs(b.x * c.z)) +
           abs(a.z) * (abs(b.x * c.y) + abs(b.y * c.x));
}

/// 0 for a volume within a limit. By the area of the triangle a, b, c a volume is the distance of d from its plane, by
/// that of ab and cd it is the distance of these two lines.
int side_of(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, double limit)
{
    if (limit == 0) return pliant::side_of(a, b, c, d);
    const Vec3d from = d.cast<double>();
    const double volume = determinant(a.cast<double>() - from, b.cast<double>() - from, c.cast<double>() - from);
    return volume > limit ? 1 : volume < -limit ? -1 : 0;
}

double area_of(const Vec3& a, const Vec3& b) { return a.cast<double>().cross(b.cast<double>()).norm(); }

}  // namespace

template <class S>
int side_of(const Vector3<S>& a, const Vector3<S>& b, const Vector3<S>& c, const Vector3<S>& d)
{
    const Vec3d from = d.template cast<double>(), u = a.template cast<double>() - from,
                v = b.template cast<double>() - from, w = c.template cast<double>() - from;
    const double fast = determinant(u, v, w);
    const auto size = [](const Vec3d& p) { return std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}); };
    if (std::abs(fast) > 1e-14 * size(u) * size(v) * size(w)) return fast > 0 ? 1 : -1;

    // In 128 bits differences and products of floats are exact; those of doubles are not quite.
    const auto difference = [&](const Vector3<S>& p) {
        return Vector3<WideReal>{WideReal(p.x) - d.x, WideReal(p.y) - d.y, WideReal(p.z) - d.z};
    };
    const Vector3<WideReal> x = difference(a), y = difference(b), z = difference(c);
    const WideReal slow = determinant(x, y, z);
    const WideReal rounding = sizeof(S) == 4 ? 0 : 1e-32 * sum_of_terms(x, y, z);
    return slow > rounding ? 1 : slow < -rounding ? -1 : 0;
}
template int side_of(const Vector3<float>&, const Vector3<float>&, const Vector3<float>&, const Vector3<float>&);
template int side_of(const Vec3d&, const Vec3d&, const Vec3d&, const Vec3d&);

bool CrossingSigns::are_apart() const
{
    const auto [low, high] = std::minmax({side[0], side[1], side[2]});
    return end[0] * end[1] > 0 || (end[0] == 0 && end[1] == 0) || (low < 0 && high > 0) || (low == 0 && high == 0);
}

bool CrossingSigns::are_strict() const
{
    return end[0] * end[1] < 0 && side[0] != 0 && side[0] == side[1] && side[1] == side[2];
}

CrossingSigns crossing_signs(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c, Real tolerance)
{
    const double t = static_cast<double>(tolerance);
    const double plane = t == 0 ? 0 : t * area_of(b - a, c - a);
    CrossingSigns signs{{side_of(a, b, c, p, plane), side_of(a, b, c, q, plane)}, {0, 0, 0}};
    if (signs.end[0] * signs.end[1] > 0 || (signs.end[0] == 0 && signs.end[1] == 0)) return signs;  // are apart
    const auto side = [&](const Vec3& from, const Vec3& to) {
        return side_of(p, q, from, to, t == 0 ? 0 : t * area_of(q - p, to - from));
    };
    signs.side[0] = side(a, b);
    signs.side[1] = side(b, c);
    signs.side[2] = side(c, a);
    return signs;
}

}  // namespace pliant
