#include "pliant/contact/pairs/convex_sheet.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace pliant {

double area(const Flat& a, const Flat& b, const Flat& c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/// Andrew's monotone chain.
std::vector<Flat> hull_of(std::vector<Flat> points)
{
    std::ranges::sort(points);
    std::vector<Flat> hull;
    for (int side = 0; side < 2; ++side) {
        const std::size_t first = hull.size();
        for (const Flat& p : points) {
            while (hull.size() >= first + 2 && area(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
            hull.push_back(p);
        }
        hull.pop_back();
        std::ranges::reverse(points);
    }
    return hull;
}

bool are_beside(const std::vector<Flat>& polygon, const std::vector<Flat>& points, double rounding)
{
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Flat &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
        const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
        if (std::ranges::all_of(points, [&](const Flat& p) { return area(a, b, p) <= rounding * length; })) return true;
    }
    return false;
}

bool is_convex_sheet(const ContactSurface& surface, const std::vector<int>& triangles, const Vec3 axis[3])
{
    constexpr double kAreaRounding = 1e-4;  // of the hull
    if (triangles.empty()) return false;
    const auto flat = [&](int p) {
        const Vec3d x = surface.rest[p].cast<double>();
        return Flat{axis[0].cast<double>().dot(x), axis[1].cast<double>().dot(x)};
    };
    std::vector<Flat> points;
    std::map<std::pair<int, int>, int> sides;  // how often each is passed, in either direction
    double covered = 0, absolute = 0;
    for (const int t : triangles) {
        const auto& point = surface.triangles[t].point;
        for (std::size_t k = 0; k < 3; ++k) {
            points.push_back(flat(point[k]));
            ++sides[{point[k], point[(k + 1) % 3]}];
        }
        const double signed_area = area(flat(point[0]), flat(point[1]), flat(point[2]));
        covered += signed_area;
        absolute += std::abs(signed_area);
    }
    const std::vector<Flat> hull = hull_of(points);
    if (hull.size() < 3 || std::abs(std::abs(covered) - absolute) > 1e-9 * absolute) return false;
    double whole = 0;
    for (std::size_t k = 1; k + 1 < hull.size(); ++k) whole += area(hull[0], hull[k], hull[k + 1]);
    if (std::abs(absolute - whole) > kAreaRounding * whole) return false;
    for (const auto& [side, times] : sides) {
        if (times > 1) return false;
        if (sides.contains({side.second, side.first})) continue;
        const Flat a = flat(side.first), b = flat(side.second);
        for (const Flat& corner : hull)
            if (std::copysign(1., covered) * area(a, b, corner) < -kAreaRounding * whole) return false;
    }
    return true;
}

}  // namespace pliant
