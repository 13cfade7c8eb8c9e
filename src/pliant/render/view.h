#pragma once
// A camera over a grid of samples.

#include "pliant/render/drawing.h"
#include "pliant/render/picture.h"
#include "pliant/render/raster.h"

#include <cmath>
#include <optional>

namespace pliant {

struct View {
    Vec3d eye, right, up, forward;
    double scale, middle_x, middle_y;  // [samples]

    View(const Camera& camera, int width, int height) : eye(camera.eye), middle_x(0.5 * width), middle_y(0.5 * height)
    {
        scale = middle_y / std::tan(camera.field_of_view / 2);
        const Vec3d d = camera.target - camera.eye;
        forward = d.norm() > 0 ? d.normalized() : Vec3d{0, 0, -1};
        const Vec3d side = forward.cross({0, 1, 0});
        right = side.norm() > 1e-6 ? side.normalized() : Vec3d{1, 0, 0};  // straight down, or up
        up = right.cross(forward);
    }

    Vec3d to_view(const Vec3d& p) const { return {right.dot(p - eye), up.dot(p - eye), forward.dot(p - eye)}; }
    Corner project(const Vec3d& p) const
    {
        const Vec3d v = to_view(p);
        return {{middle_x * v.z + scale * v.x, middle_y * v.z - scale * v.y, v.z}, 1};
    }
    /// The ray through (x, y) on the grid, of length 1 in depth.
    Vec3d ray(double x, double y) const
    {
        return forward + ((x - middle_x) / scale) * right - ((y - middle_y) / scale) * up;
    }
};

/// The first hit with a ball, as a multiple of the ray. Computed from the point of the ray nearest to the center, which
/// loses no digits when the ball is far away.
inline std::optional<double> hit_ball(const Vec3d& eye, const Vec3d& ray, const Drawing::Ball& ball)
{
    const Vec3d to_center = ball.center - eye;
    const double ray2 = ray.squared_norm(), middle = ray.dot(to_center) / ray2;
    const double half2 = ball.radius * ball.radius - (to_center - middle * ray).squared_norm();
    if (half2 < 0) return std::nullopt;
    return middle - std::sqrt(half2 / ray2);
}

/// Which surface of the drawing each sample sees, with nearness 1 / depth [1/m].
DepthBuffer draw(const Drawing& drawing, const View& view, int width, int height);

}  // namespace pliant
