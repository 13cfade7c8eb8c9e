#include "pliant/render/paint.h"

#include "pliant/math/svd3.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

double fraction(double x) { return x - std::floor(x); }

/// From 0 to 1 within `width` of zero.
double smooth_edge(double x, double width)
{
    const double t = std::clamp(0.5 + 0.5 * x / width, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

double stripe(double x, double width) { return smooth_edge(std::abs(fraction(x) - 0.5) - 0.25, width); }

}  // namespace

std::vector<std::array<float, 2>> places_along_axes(std::span<const Vec3> points)
{
    Vec3d middle;
    for (const Vec3& p : points) middle += p.cast<double>() / static_cast<double>(points.size());
    Mat3d spread{};
    for (const Vec3& p : points) {
        const Vec3d d = p.cast<double>() - middle;
        spread += Mat3d::outer(d, d);
    }
    const Mat3d axes = signed_svd(spread).u;
    std::vector<std::array<float, 2>> places;
    for (const Vec3& p : points) {
        const Vec3d d = p.cast<double>() - middle;
        places.push_back({static_cast<float>(axes.c[0].dot(d)), static_cast<float>(axes.c[1].dot(d))});
    }
    return places;
}

float accent_at(Pattern pattern, double x, double y, double width)
{
    const double w = width + 1e-4;
    switch (pattern) {
        case Pattern::none: return 0;
        case Pattern::stripes: return static_cast<float>(stripe(x, w));
        case Pattern::checks: {
            const double a = stripe(x, w), b = stripe(y, w);
            return static_cast<float>(a * (1 - b) + b * (1 - a));
        }
        case Pattern::dots: {  // every second row is shifted
            const double shift = 0.5 * std::floor(y) - std::floor(0.5 * std::floor(y));
            const double dx = fraction(x + shift) - 0.5, dy = fraction(y) - 0.5;
            return static_cast<float>(1 - smooth_edge(std::sqrt(dx * dx + dy * dy) - 0.22, w));
        }
    }
    return 0;
}

}  // namespace pliant
