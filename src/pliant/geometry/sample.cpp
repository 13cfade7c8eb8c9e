#include "pliant/geometry/sample.h"

#include "pliant/base/check.h"
#include "pliant/base/message.h"
#include "pliant/geometry/scan.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>

namespace pliant {

namespace {

constexpr double kLargestCoordinate = 1e100;  // products of three stay finite
constexpr double kMostRows = 1e6;             // grid points along an axis
constexpr double kMostLines = 1e9;            // through a plate, however thin

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

/// A checked surface and what is worth knowing about it.
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

struct Filling {
    Grid grid;
    std::vector<Run> runs;
    std::int64_t count = 0;
};

Filling scan_body(const Body& body, double spacing)
{
    Filling filling{make_grid_around(body.box, spacing), {}, 0};
    filling.runs = body.closed ? scan_inside(body.mesh, filling.grid) : scan_inside_by_vote(body.mesh, filling.grid);
    filling.count = count_points(filling.runs);
    return filling;
}

/// What a filling would cost, known before it is made.
struct Cost {
    double points;  // about; at most, if the surface is not closed: each cell has a vote
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
    Filling best{};  // without points as long as there is none
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

/// Squared distance from p to the triangle a, b, c: to a corner, an edge or the inside, whichever region p is in.
double squared_distance(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c)
{
    const auto to_edge = [&p](const Vec3d& from, const Vec3d& to) {
        const Vec3d edge = to - from, d = p - from;
        const double length = edge.squared_norm();
        const double t = length > 0 ? std::clamp(d.dot(edge) / length, 0.0, 1.0) : 0.0;
        return (d - t * edge).squared_norm();
    };
    const Vec3d normal = (b - a).cross(c - a);
    const bool above = normal.dot((b - a).cross(p - a)) > 0 && normal.dot((c - b).cross(p - b)) > 0 &&
                       normal.dot((a - c).cross(p - c)) > 0;
    if (above) return normal.dot(p - a) * normal.dot(p - a) / normal.squared_norm();
    return std::min({to_edge(a, b), to_edge(b, c), to_edge(c, a)});
}

/// Per point of the filling: the squared distance to the surface, or squared `reach` if it is further away.
std::vector<double> find_squared_distances(const Body& body, const Filling& filling, double reach)
{
    std::vector<double> nearest(static_cast<std::size_t>(filling.count), reach * reach);
    std::vector<std::size_t> offsets;  // per run: its first point
    std::size_t offset = 0;
    for (const Run& run : filling.runs) {
        offsets.push_back(offset);
        offset += static_cast<std::size_t>(run.last - run.first);
    }
    const auto is_before = [](const Run& run, const std::pair<int, int>& line) {
        return std::pair(run.i, run.j) < line;
    };
    for (const std::array<int, 3>& t : body.mesh.triangles) {
        const Vec3d a = body.mesh.vertices[static_cast<std::size_t>(t[0])];
        const Vec3d b = body.mesh.vertices[static_cast<std::size_t>(t[1])];
        const Vec3d c = body.mesh.vertices[static_cast<std::size_t>(t[2])];
        const Box3 box = bounding_box({a, b, c});
        std::array<int, 3> low{}, high{};
        for (int axis = 0; axis < 3; ++axis) {
            const std::size_t s = static_cast<std::size_t>(axis);
            low[s] = filling.grid.axes[s].first_beyond(box.low[axis] - filling.grid.center[axis] - reach);
            high[s] = filling.grid.axes[s].first_beyond(box.high[axis] - filling.grid.center[axis] + reach);
        }
        for (int i = low[0]; i < high[0]; ++i) {
            auto run = std::lower_bound(filling.runs.begin(), filling.runs.end(), std::pair(i, low[1]), is_before);
            for (; run != filling.runs.end() && run->i == i && run->j < high[1]; ++run) {
                const std::size_t first = offsets[static_cast<std::size_t>(run - filling.runs.begin())];
                for (int k = std::max(run->first, low[2]); k < std::min(run->last, high[2]); ++k) {
                    double& d = nearest[first + static_cast<std::size_t>(k - run->first)];
                    d = std::min(d, squared_distance(filling.grid.point(i, run->j, k), a, b, c));
                }
            }
        }
    }
    return nearest;
}

/// A point that may be taken away. Mirror images of each other have the same group.
struct Candidate {
    std::tuple<std::int64_t, int, int, int> group;  // distance in millionths of the spacing, folded grid coordinates
    std::array<int, 3> place;                       // z, y, x: neighbours in this order are images in x
    std::size_t point;
};

std::vector<Candidate> find_candidates(const Body& body, const Filling& filling, double reach)
{
    const std::vector<double> distances = find_squared_distances(body, filling, reach);
    const auto folded = [&filling](std::size_t axis, int i) { return std::min(i, filling.grid.axes[axis].n - 1 - i); };
    std::vector<Candidate> candidates;
    std::size_t point = 0;
    for (const Run& run : filling.runs) {
        for (int k = run.first; k < run.last; ++k, ++point) {
            if (distances[point] >= reach * reach) continue;
            const double spacings = std::sqrt(distances[point]) / filling.grid.axes[0].spacing;
            const std::int64_t millionths = std::llround(spacings * 1e6);
            candidates.push_back(
                {{millionths, folded(0, run.i), folded(1, run.j), folded(2, k)}, {k, run.j, run.i}, point});
        }
    }
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& p, const Candidate& q) {
        return std::tie(p.group, p.place) < std::tie(q.group, q.place);
    });
    return candidates;
}

/// Marks points, nearest to the surface first, in whole groups of neighbours that are `alike`, until none that is left
/// fits into the surplus. Returns what remains of it.
template <class Alike>
std::size_t choose_groups(const std::vector<Candidate>& candidates, const Alike& alike, std::size_t surplus,
                          std::vector<bool>& chosen)
{
    std::size_t last = 0;
    for (std::size_t first = 0; first < candidates.size() && surplus > 0; first = last) {
        while (last < candidates.size() && alike(candidates[first], candidates[last])) ++last;
        if (last - first > surplus || chosen[candidates[first].point]) continue;
        for (std::size_t i = first; i < last; ++i) chosen[candidates[i].point] = true;
        surplus -= last - first;
    }
    return surplus;
}

/// Marks `surplus` points near the surface: if it can be done, together with all their mirror images; else with those
/// in x; else as it comes.
std::vector<bool> choose_surplus(const std::vector<Candidate>& candidates, std::size_t points, std::size_t surplus)
{
    std::vector<bool> chosen(points, false);
    const auto are_images = [](const Candidate& p, const Candidate& q) { return p.group == q.group; };
    const auto are_images_in_x = [](const Candidate& p, const Candidate& q) {
        return p.group == q.group && p.place[0] == q.place[0] && p.place[1] == q.place[1];
    };
    const auto are_the_same = [](const Candidate& p, const Candidate& q) { return p.point == q.point; };
    surplus = choose_groups(candidates, are_images, surplus, chosen);
    surplus = choose_groups(candidates, are_images_in_x, surplus, chosen);
    choose_groups(candidates, are_the_same, surplus, chosen);
    return chosen;
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
    double reach = spacing;
    std::vector<Candidate> candidates = find_candidates(body, filling, reach);
    while (candidates.size() < surplus) candidates = find_candidates(body, filling, reach *= 2);

    const std::vector<bool> chosen = choose_surplus(candidates, points.size(), surplus);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!chosen[i]) points[kept++] = points[i];
    }
    points.resize(kept);
    return points;
}

}  // namespace pliant
