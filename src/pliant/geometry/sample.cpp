#include "pliant/geometry/sample.h"

#include "pliant/base/check.h"
#include "pliant/base/message.h"
#include "pliant/geometry/surplus.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

namespace pliant {

namespace {

constexpr double kLargestCoordinate = 1e100;  // products of three stay finite
constexpr double kMostRows = 1e6;             // grid points along an axis
constexpr double kMostLines = 1e9;            // grid lines, also for a thin plate that holds few points

/// The one real root of x^3 = v for v > 0. Newton's method from above; std::cbrt may differ between machines.
double cube_root(double v)
{
    double x = std::max(v, 1.0);
    for (;;) {
        const double next = (2 * x + v / (x * x)) / 3;
        if (next >= x) return x;
        x = next;
    }
}

/// A checked surface and its measurements.
struct Body {
    const SurfaceMesh& mesh;
    Box3 box;
    bool closed;
    double volume;  // enclosed; of the box if the surface is not closed [m^3]
};

void check_triangles(const SurfaceMesh& mesh)
{
    if (mesh.triangles.empty()) {
        throw InputError("fill: the surface has no triangles; give a mesh with faces, or use points instead");
    }
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            const double c = mesh.vertices[i][axis];
            if (std::abs(c) <= kLargestCoordinate) continue;  // false for NaN
            throw InputError(message("fill: coordinate {} of vertex {} is {}; repair the mesh", "xyz"[axis], i, c));
        }
    }
    const int n = static_cast<int>(mesh.vertices.size());
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        for (const int v : mesh.triangles[i]) {
            if (v >= 0 && v < n) continue;
            throw InputError(message("fill: triangle {} uses vertex {}, but vertices are 0 to {}", i, v, n - 1));
        }
    }
}

Body make_body(const SurfaceMesh& mesh)
{
    check_triangles(mesh);
    std::vector<Vec3d> used;  // vertices without a triangle must not widen the box
    for (const std::array<int, 3>& t : mesh.triangles) {
        for (const int v : t) used.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
    }
    Body body{mesh, bounding_box(used), open_edges(mesh) == 0, 0};
    const Vec3d extent = body.box.extent();
    body.volume = body.closed ? std::abs(volume(mesh)) : extent.x * extent.y * extent.z;
    const double size = extent.norm();
    if (body.volume <= 1e-12 * size * size * size) {
        throw InputError(
            message("fill: the surface, {} x {} x {} m, encloses no volume; close it, turn all its "
                    "parts the same way, or make it a cloth",
                    extent.x, extent.y, extent.z));
    }
    return body;
}

Filling scan_body(const Body& body, double spacing)
{
    Filling filling{make_grid_around(body.box, spacing), {}, 0};
    filling.runs = body.closed ? scan_inside(body.mesh, filling.grid) : scan_inside_by_vote(body.mesh, filling.grid);
    filling.count = count_points(filling.runs);
    return filling;
}

/// What a filling would cost, estimated before it is made.
struct Cost {
    double points;  // an estimate; an upper bound if the surface is not closed
    double rows;    // grid points along the longest side
    double lines;   // through the largest face of the bounding box
};

Cost cost_at(const Body& body, double spacing)
{
    std::array<double, 3> n{};
    for (int axis = 0; axis < 3; ++axis) {
        n[static_cast<std::size_t>(axis)] = std::max(1.0, body.box.extent()[axis] / spacing);
    }
    std::sort(n.begin(), n.end());
    const double points = body.closed ? body.volume / (spacing * spacing * spacing) : n[0] * n[1] * n[2];
    return {points, n[2], n[1] * n[2]};
}

bool is_affordable(const Cost& cost, double max_points)
{
    return cost.points <= max_points && cost.rows <= kMostRows && cost.lines <= kMostLines;
}

void check_cost(const Body& body, double spacing, const Cost& cost, std::int64_t max_points)
{
    const double limit = static_cast<double>(max_points);
    if (is_affordable(cost, limit)) return;
    const double enough = std::max({cube_root(body.volume / limit), spacing * cost.rows / kMostRows,
                                    spacing * std::sqrt(cost.lines / kMostLines)});
    throw InputError(
        message("fill: a spacing of {} m makes about {:.3g} points on {:.3g} lines; the limit is {} points on "
                "{:.3g} lines; use "
                "a spacing of {:.3g} m or more",
                spacing, cost.points, cost.lines, max_points, kMostLines, 1.01 * enough));
}

/// To two digits, for messages.
double rounded(double length)
{
    double scale = 1;
    while (length * scale < 10) scale *= 10;
    while (length * scale >= 100) scale /= 10;
    return std::floor(length * scale + 0.5) / scale;
}

/// The coarsest spacing tried, of two digits, that puts a point inside; 0 if none does.
double find_spacing_that_works(const Body& body, double spacing)
{
    spacing = std::min(spacing, spacing * cost_at(body, spacing).rows);
    for (int i = 0; i < 60; ++i) {
        spacing *= 0.8;
        const double s = rounded(spacing);
        if (!is_affordable(cost_at(body, s), 1e7)) break;
        if (scan_body(body, s).count > 0) return s;
    }
    return 0;
}

[[noreturn]] void fail_empty(const Body& body, double spacing)
{
    const double works = find_spacing_that_works(body, spacing);
    const Vec3d extent = body.box.extent();
    throw InputError(message(
        "fill: no point lies inside the surface, {:.3g} x {:.3g} x {:.3g} m, at a spacing of "
        "{:.3g} m; {}",
        extent.x, extent.y, extent.z, spacing,
        works > 0 ? message("a spacing of {} m works", works) : std::string("close its holes or make it thicker")));
}

std::vector<Vec3d> make_points(const Filling& filling)
{
    std::vector<Vec3d> points;
    points.reserve(static_cast<std::size_t>(filling.count));
    for (const Run& run : filling.runs) {
        for (int k = run.first; k < run.last; ++k) points.push_back(filling.grid.point(run.i, run.j, k));
    }
    return points;
}

/// The filling of at least `count` points with the fewest too many, among the spacings tried by bisection.
Filling find_filling(const Body& body, std::int64_t count)
{
    Filling best{};  // no points: none found yet
    const auto is_enough = [&](double spacing) {
        Filling filling = scan_body(body, spacing);
        const bool enough = filling.count >= count;
        if (enough && (best.count == 0 || filling.count < best.count)) best = std::move(filling);
        return enough;
    };
    const double most_points = std::min(1000.0 * static_cast<double>(count), 1e9);
    double fine = cube_root(body.volume / static_cast<double>(count)), coarse = 0;
    while (!is_enough(fine)) {
        coarse = fine;
        fine *= 0.9;
        if (is_affordable(cost_at(body, fine), most_points)) continue;
        throw InputError(
            message("fill: the surface does not hold {} points; close its holes, make it thicker or "
                    "ask for fewer",
                    count));
    }
    if (coarse == 0) {
        const Vec3d extent = body.box.extent();
        const double longest = std::max({extent.x, extent.y, extent.z});
        coarse = 1.1 * fine;
        while (coarse < 2 * longest && is_enough(coarse)) coarse *= 1.1;
    }
    for (int i = 0; i < 30 && best.count > count; ++i) {
        const double middle = 0.5 * (fine + coarse);
        (is_enough(middle) ? fine : coarse) = middle;
    }
    return best;
}

}  // namespace

std::vector<Vec3d> fill_by_spacing(const SurfaceMesh& mesh, double spacing, std::int64_t max_points)
{
    if (!std::isfinite(spacing) || spacing <= 0) {
        throw InputError(message("fill: spacing is {}; give a length above 0 metres", spacing));
    }
    const Body body = make_body(mesh);
    Cost cost = cost_at(body, spacing);
    check_cost(body, spacing, cost, max_points);
    const Filling filling = scan_body(body, spacing);
    cost.points = static_cast<double>(filling.count);
    check_cost(body, spacing, cost, max_points);
    if (filling.count == 0) fail_empty(body, spacing);
    return make_points(filling);
}

std::vector<Vec3d> fill_by_count(const SurfaceMesh& mesh, int count, double* spacing_out, std::int64_t max_points)
{
    if (count < 1 || count > max_points) {
        throw InputError(message("fill: count is {}; give a number from 1 to {}", count, max_points));
    }
    const Body body = make_body(mesh);
    const Filling filling = find_filling(body, count);
    const double spacing = filling.grid.axes[0].spacing;
    if (spacing_out) *spacing_out = spacing;

    std::vector<Vec3d> points = make_points(filling);
    const std::size_t surplus = points.size() - static_cast<std::size_t>(count);
    if (surplus == 0) return points;
    const std::vector<bool> chosen = choose_surplus(mesh, filling, surplus);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!chosen[i]) points[kept++] = points[i];
    }
    points.resize(kept);
    return points;
}

}  // namespace pliant
