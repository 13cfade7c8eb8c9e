#include "pliant/render/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

constexpr double kFieldOfView = 0.45;                 // [rad]
constexpr double kAzimuth = 0.55, kElevation = 0.30;  // of the eye [rad]; azimuth from z towards x
constexpr double kFilledShare = 0.82;                 // of the picture's width or height, by the bodies
constexpr double kMaxDistance = 1e6;                  // points beyond are ignored [m]
constexpr double kMinExtent = 1e-3;                   // of the bodies shown [m]

/// The eye e with forward f and sideways s sees p if |s.(p - e)| <= slope f.(p - e): two half-planes per point, of
/// which the tightest are kept.
struct Fit {
    double slope;
    double right = -std::numeric_limits<double>::max(), left = right;

    void include(double side, double depth)
    {
        right = std::max(right, side - slope * depth);
        left = std::max(left, -side - slope * depth);
    }
    double depth() const { return -(right + left) / (2 * slope); }  // of the nearest eye that sees everything
    double side() const { return (right - left) / 2; }
};

enum class Which { kBodies, kAll };

/// Calls `visit` with every point that can be seen, and returns their number.
template <class Visit>
int visit_points(const std::vector<Frame>& frames, Which which, Visit visit)
{
    int count = 0;
    for (const Frame& frame : frames) {
        for (const Layer& layer : frame.layers) {
            if (layer.scenery && which == Which::kBodies) continue;
            for (const Vec3& p : layer.points) {
                const Vec3d x = p.cast<double>();
                if (!(x.norm() < kMaxDistance)) continue;  // NaN, too
                visit(x);
                ++count;
            }
        }
    }
    return count;
}

double largest_radius(const std::vector<Frame>& frames)
{
    double radius = 0;
    for (const Frame& frame : frames) {
        for (const Layer& layer : frame.layers) {
            if (!layer.scenery && layer.radius < kMaxDistance) radius = std::max(radius, layer.radius);
        }
    }
    return radius;
}

}  // namespace

Camera frame_all(const std::vector<Frame>& frames, double aspect)
{
    const double level = std::cos(kElevation);
    const Vec3d forward = {-level * std::sin(kAzimuth), -std::sin(kElevation), -level * std::cos(kAzimuth)};
    const Vec3d right = forward.cross({0, 1, 0}).normalized(), up = right.cross(forward);

    const double slope = kFilledShare * std::tan(kFieldOfView / 2);
    Fit across{aspect * slope}, along{slope};
    double nearest = std::numeric_limits<double>::max(), farthest = -nearest;
    const auto include = [&](const Vec3d& p) {
        const double depth = forward.dot(p);
        across.include(right.dot(p), depth);
        along.include(up.dot(p), depth);
        nearest = std::min(nearest, depth);
        farthest = std::max(farthest, depth);
    };
    const bool something =
        visit_points(frames, Which::kBodies, include) > 0 || visit_points(frames, Which::kAll, include) > 0;
    if (!something) {
        include({-1, 0, -1});
        include({1, 1, 1});
    }

    const double room = std::max(largest_radius(frames), kMinExtent) / std::sin(std::atan(slope));
    const double depth = std::min(across.depth(), along.depth()) - room;
    const double distance = 0.5 * (nearest + farthest) - depth;
    const Vec3d eye = across.side() * right + along.side() * up + depth * forward;
    return {eye, eye + distance * forward, kFieldOfView};
}

Camera frame_with_ground(const Frame& frame, double aspect)
{
    Vec3d low, high;
    bool empty = true;
    visit_points({frame}, Which::kBodies, [&](const Vec3d& p) {
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = empty ? p[axis] : std::min(low[axis], p[axis]);
            high[axis] = empty ? p[axis] : std::max(high[axis], p[axis]);
        }
        empty = false;
    });
    std::vector<Frame> seen = {frame};
    for (const Layer& layer : frame.layers) {
        if (!layer.scenery || layer.points.empty() || empty) continue;
        const double height = static_cast<double>(layer.points[0].y);
        const bool level = std::ranges::all_of(layer.points, [&](const Vec3& p) { return p.y == layer.points[0].y; });
        if (!level || height > low.y || low.y - height > 1.5 * (high - low).norm()) continue;
        Layer below;
        for (const double x : {low.x, high.x})
            for (const double z : {low.z, high.z}) below.points.push_back(Vec3d{x, height, z}.cast<Real>());
        seen.push_back({.layers = {below}});
    }
    return frame_all(seen, aspect);
}

}  // namespace pliant
