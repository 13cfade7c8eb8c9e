#include "pliant/render/raster.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

/// The first sample whose centre is right of x, clamped to the grid. The cast rounds down since the value is not
/// negative, and is faster than a call of std::floor.
int first_sample(double x, int count)
{
    return static_cast<int>(std::min(std::max(x + 0.5, 0.0), static_cast<double>(count)));
}

/// The samples that may be inside, with a margin for rounding: the edge functions decide. All samples if a corner is
/// beside or behind the eye, where it has no image.
SampleRange samples_between(const std::array<Corner, 3>& corners, const DepthBuffer& buffer)
{
    constexpr double kMargin = 1e-3;
    const auto& [a, b, c] = corners;
    if (std::min({a.q.z, b.q.z, c.q.z}) < 1e-9) return {0, buffer.width, 0, buffer.height};
    return {first_sample(std::min({a.x, b.x, c.x}) - kMargin, buffer.width),
            first_sample(std::max({a.x, b.x, c.x}) + kMargin, buffer.width),
            first_sample(std::min({a.y, b.y, c.y}) - kMargin, buffer.height),
            first_sample(std::max({a.y, b.y, c.y}) + kMargin, buffer.height)};
}

/// Where an edge a x + b y + c >= 0 cuts a row: at x = slope y + offset, with the inside to the right, to the left, or,
/// for an edge along the row, everywhere or nowhere.
struct EdgeCut {
    enum class Inside { kRight, kLeft, kRow } inside;
    double slope, offset;

    explicit EdgeCut(const Vec3d& e) : inside(e.x > 0 ? Inside::kRight : e.x < 0 ? Inside::kLeft : Inside::kRow)
    {
        const double factor = inside == Inside::kRow ? 1 : -1 / e.x;
        slope = e.y * factor;
        offset = e.z * factor;
    }

    void narrow(double y, double& left, double& right) const
    {
        const double at = slope * y + offset;
        if (inside == Inside::kRight) left = std::max(left, at);
        if (inside == Inside::kLeft) right = std::min(right, at);
        if (inside == Inside::kRow && at < 0) right = left;
    }
};

}  // namespace

DepthBuffer::DepthBuffer(int columns, int rows)
    : width(columns),
      height(rows),
      nearness(static_cast<std::size_t>(columns) * rows, std::numeric_limits<float>::lowest()),
      id(nearness.size(), kNothing)
{}

void draw_triangle(const std::array<Corner, 3>& corners, int id, DepthBuffer& buffer)
{
    const SampleRange range = samples_between(corners, buffer);
    if (range.x0 >= range.x1 || range.y0 >= range.y1) return;

    const Vec3d &q0 = corners[0].q, &q1 = corners[1].q, &q2 = corners[2].q;
    Vec3d e[3] = {q1.cross(q2), q2.cross(q0), q0.cross(q1)};
    const double det = q0.dot(e[0]);
    if (det == 0 || !std::isfinite(det)) return;  // seen edge-on
    const Vec3d plane = (1 / det) * (corners[0].value * e[0] + corners[1].value * e[1] + corners[2].value * e[2]);
    if (det < 0) {
        for (Vec3d& edge : e) edge = -edge;
    }

    const EdgeCut cuts[3] = {EdgeCut(e[0]), EdgeCut(e[1]), EdgeCut(e[2])};
    for (int j = range.y0; j < range.y1; ++j) {
        const double y = j + 0.5;
        double left = range.x0, right = range.x1;
        for (const EdgeCut& cut : cuts) cut.narrow(y, left, right);
        const int begin = first_sample(left, buffer.width), end = first_sample(right, buffer.width);
        const double row = plane.y * y + plane.z;
        for (int i = begin; i < end; ++i) {
            buffer.put(buffer.index(i, j), static_cast<float>(plane.x * (i + 0.5) + row), id);
        }
    }
}

SampleRange samples_near(double x, double y, double half_width, double half_height, const DepthBuffer& buffer)
{
    return {first_sample(x - half_width, buffer.width), first_sample(x + half_width, buffer.width),
            first_sample(y - half_height, buffer.height), first_sample(y + half_height, buffer.height)};
}

}  // namespace pliant
