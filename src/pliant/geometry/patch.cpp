#include "pliant/geometry/patch.h"

#include "pliant/base/check.h"
#include "pliant/base/message.h"
#include "pliant/geometry/shapes.h"

#include <algorithm>

namespace pliant {

namespace {

double length_of(const std::vector<Vec3d>& line)
{
    double length = 0;
    for (std::size_t k = 1; k < line.size(); ++k) length += (line[k] - line[k - 1]).norm();
    return length;
}

/// n + 1 points that divide a line evenly, its ends among them.
std::vector<Vec3d> divide(const std::vector<Vec3d>& line, int n)
{
    const double length = length_of(line);
    std::vector<Vec3d> points;
    std::size_t k = 1;
    double before = 0;  // length up to point k - 1
    for (int i = 0; i < n; ++i) {
        const double wanted = length * i / n;
        double step = (line[k] - line[k - 1]).norm();
        while (before + step < wanted && k + 1 < line.size()) {
            before += step;
            ++k;
            step = (line[k] - line[k - 1]).norm();
        }
        const double share = step > 0 ? std::min(1.0, (wanted - before) / step) : 0;
        points.push_back(line[k - 1] + share * (line[k] - line[k - 1]));
    }
    points.push_back(line.back());
    return points;
}

void check_patch(std::span<const std::vector<Vec3d>> sides, int nx, int ny)
{
    if (sides.size() != 4) throw InputError(message("patch: it has {} sides; give four", sides.size()));
    if (nx < 1 || ny < 1) throw InputError(message("patch: {} x {} cells; give 1 or more", nx, ny));
    for (std::size_t s = 0; s < 4; ++s) {
        if (sides[s].size() < 2) throw InputError(message("patch: side {} needs two points or more", s));
        if (!(length_of(sides[s]) > 0)) throw InputError(message("patch: side {} has no length", s));
    }
    for (std::size_t s = 0; s < 4; ++s) {
        const std::size_t next = (s + 1) % 4;
        if ((sides[s].back() - sides[next].front()).norm() > 1e-6 * length_of(sides[s]))
            throw InputError(
                message("patch: side {} does not start where side {} ends; the sides go around it", next, s));
    }
}

}  // namespace

SurfaceMesh make_patch(std::span<const std::vector<Vec3d>> sides, int nx, int ny)
{
    check_patch(sides, nx, ny);
    const std::vector<Vec3d> below = divide(sides[0], nx), right = divide(sides[1], ny);
    std::vector<Vec3d> above = divide(sides[2], nx), left = divide(sides[3], ny);
    std::ranges::reverse(above);
    std::ranges::reverse(left);

    SurfaceMesh patch = make_grid(1, 1, nx, ny);  // for its triangles
    for (int j = 0; j <= ny; ++j)
        for (int i = 0; i <= nx; ++i) {
            const double u = 1.0 * i / nx, v = 1.0 * j / ny;
            const Vec3d lines = (1 - v) * below[i] + v * above[i] + (1 - u) * left[j] + u * right[j];
            const Vec3d corners =
                (1 - u) * ((1 - v) * below[0] + v * above[0]) + u * ((1 - v) * below[nx] + v * above[nx]);
            patch.vertices[j * (nx + 1) + i] = lines - corners;
        }
    for (std::array<int, 3>& t : patch.triangles) std::swap(t[1], t[2]);  // z of the grid points down, seen from above
    return patch;
}

}  // namespace pliant
