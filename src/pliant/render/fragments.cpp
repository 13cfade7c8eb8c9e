#include "pliant/render/fragments.h"

#include <cmath>

namespace pliant {

namespace {

constexpr double kCreaseCosine = 0.766;  // a corner whose normal is more than 40 degrees off its face is on a crease
constexpr double kSmoothCosine = 0.94;   // faces whose normals differ by less are shaded as one

bool alike(int a, int b, const Drawing& drawing)
{
    if (a == b) return true;
    const int faces = drawing.face_count();
    if (a == kNothing || b == kNothing || a >= faces || b >= faces) return false;
    const Drawing::Face &f = drawing.faces[a], &g = drawing.faces[b];
    return f.material == g.material && f.normal.dot(g.normal) > kSmoothCosine;
}

/// Whether all samples of the pixel that begins at `corner` see the same surface.
bool is_uniform(const int* corner, int stride)
{
    int different = 0;
    for (int j = 0; j < kPixelSide; ++j) {
        for (int i = 0; i < kPixelSide; ++i) different |= corner[j * stride + i] ^ *corner;
    }
    return different == 0;
}

void append_fragments(int x, int y, const DepthBuffer& samples, const Drawing& drawing,
                      std::vector<Fragment>& fragments)
{
    constexpr float kOne = 1.0f / (kPixelSide * kPixelSide);
    const int pixel = y * (samples.width / kPixelSide) + x;
    const int* corner = &samples.id[samples.index(kPixelSide * x, kPixelSide * y)];
    if (is_uniform(corner, samples.width)) {
        const float middle = 0.5f * kPixelSide;
        fragments.push_back({pixel, *corner, 1, static_cast<float>(kPixelSide * x) + middle,
                             static_cast<float>(kPixelSide * y) + middle});
        return;
    }
    const std::size_t first = fragments.size();
    for (int j = kPixelSide * y; j < kPixelSide * (y + 1); ++j) {
        for (int i = kPixelSide * x; i < kPixelSide * (x + 1); ++i) {
            const int id = samples.id[samples.index(i, j)];
            std::size_t k = first;
            while (k < fragments.size() && !alike(fragments[k].id, id, drawing)) ++k;
            if (k == fragments.size()) fragments.push_back({pixel, id, 0, 0, 0});
            Fragment& fragment = fragments[k];
            fragment.share += kOne;
            fragment.x += kOne * (static_cast<float>(i) + 0.5f);
            fragment.y += kOne * (static_cast<float>(j) + 0.5f);
        }
    }
    for (std::size_t k = first; k < fragments.size(); ++k) {
        fragments[k].x /= fragments[k].share;
        fragments[k].y /= fragments[k].share;
    }
}

/// Barycentric coordinates of the point of the face that the ray hits, or comes nearest to.
Vec3d meet(const Drawing::Face& face, const Vec3d& eye, const Vec3d& ray, const Drawing& drawing)
{
    const Vec3d& n = face.normal;
    const Vec3d a = drawing.points[face.corners[0]] - eye, b = drawing.points[face.corners[1]] - eye,
                c = drawing.points[face.corners[2]] - eye;
    const Vec3d p = (n.dot(a) / n.dot(ray)) * ray;
    Vec3d share = {n.dot((b - p).cross(c - p)), n.dot((c - p).cross(a - p)), n.dot((a - p).cross(b - p))};
    for (int k = 0; k < 3; ++k) share[k] = share[k] > 0 ? share[k] : 0;
    const double sum = share.x + share.y + share.z;
    return sum > 0 && std::isfinite(sum) ? share / sum : Vec3d{1, 0, 0};
}

}  // namespace

std::vector<Fragment> make_fragments(const DepthBuffer& samples, const Drawing& drawing)
{
    std::vector<Fragment> fragments;
    fragments.reserve(samples.id.size() / (kPixelSide * kPixelSide) * 5 / 4);
    for (int y = 0; y < samples.height / kPixelSide; ++y) {
        for (int x = 0; x < samples.width / kPixelSide; ++x) append_fragments(x, y, samples, drawing, fragments);
    }
    return fragments;
}

VisiblePoint locate(const Fragment& fragment, const View& view, const Drawing& drawing)
{
    const Vec3d ray = view.ray(fragment.x, fragment.y);
    if (fragment.id >= drawing.face_count()) {
        const Drawing::Ball& ball = drawing.balls[fragment.id - drawing.face_count()];
        const double nearest = ray.dot(ball.center - view.eye) / ray.squared_norm();
        const Vec3d point = view.eye + hit_ball(view.eye, ray, ball).value_or(nearest) * ray;
        return {point, (point - ball.center).normalized(), {}};
    }
    const Drawing::Face& face = drawing.faces[fragment.id];
    const Vec3d share = meet(face, view.eye, ray, drawing);
    Vec3d point, normal;
    std::array<double, 2> place{};
    for (int k = 0; k < 3; ++k) {
        for (int i = 0; i < 2; ++i) place[i] += share[k] * static_cast<double>(drawing.places[face.corners[k]][i]);
        const Vec3d& smooth = drawing.normals[face.corners[k]];
        point += share[k] * drawing.points[face.corners[k]];
        normal += share[k] * (smooth.dot(face.normal) > kCreaseCosine ? smooth : face.normal);
    }
    const double side = face.normal.dot(ray) > 0 ? -1 : 1;
    return {point, (side / normal.norm()) * normal, place};
}

}  // namespace pliant
