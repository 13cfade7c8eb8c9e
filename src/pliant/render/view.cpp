#include "pliant/render/view.h"

namespace pliant {

namespace {

void draw_ball(const Drawing::Ball& ball, int id, const View& view, DepthBuffer& buffer)
{
    const Vec3d c = view.to_view(ball.center);
    if (c.z < 1.01 * ball.radius) return;  // behind the eye, or around it
    // |x/z - cx/cz| = |(x - cx) - (cx/cz) (z - cz)| / z <= r (1 + |cx/cz|) / (cz - r)
    const double bound = view.scale * ball.radius / (c.z - ball.radius);
    const double x = view.middle_x + view.scale * c.x / c.z, y = view.middle_y - view.scale * c.y / c.z;
    const double half_width = bound * (1 + std::abs(c.x / c.z)), half_height = bound * (1 + std::abs(c.y / c.z));
    const SampleRange range = samples_near(x, y, half_width, half_height, buffer);
    for (int j = range.y0; j < range.y1; ++j) {
        for (int i = range.x0; i < range.x1; ++i) {
            const std::optional<double> depth = hit_ball(view.eye, view.ray(i + 0.5, j + 0.5), ball);
            if (depth) buffer.put(buffer.index(i, j), static_cast<float>(1 / *depth), id);
        }
    }
}

}  // namespace

DepthBuffer draw(const Drawing& drawing, const View& view, int width, int height)
{
    DepthBuffer buffer(width, height);
    std::vector<Corner> corners;
    corners.reserve(drawing.points.size());
    for (const Vec3d& p : drawing.points) corners.push_back(view.project(p));
    for (int id = 0; id < drawing.face_count(); ++id) {
        const auto [a, b, c] = drawing.faces[id].corners;
        draw_triangle({corners[a], corners[b], corners[c]}, id, buffer);
    }
    for (int id = drawing.face_count(); id < drawing.surface_count(); ++id) {
        draw_ball(drawing.balls[id - drawing.face_count()], id, view, buffer);
    }
    return buffer;
}

}  // namespace pliant
