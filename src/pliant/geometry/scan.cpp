#include "pliant/geometry/scan.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pliant {

namespace {

/// A vertex seen along a grid line: x and y across it, z along it. `row` is its place among the planes x = const.
struct GridCorner {
    Vec3d p;
    int row;
};

struct PointYz {
    double y, z;
};

/// A grid line passing through a triangle.
struct Crossing {
    int line;    // within the row
    int first;   // point beyond the triangle
    int change;  // of the winding number there
    bool operator<(const Crossing& b) const { return line != b.line ? line < b.line : first < b.first; }
};

/// v at s on the straight line through (s0, v0) and (s1, v1). Gives the same bits if the ends are exchanged.
double interpolate(double s, double s0, double v0, double s1, double v1)
{
    return (v0 * (s1 - s) + v1 * (s - s0)) / (s1 - s0);
}

/// The grid as seen along one of its axes: rows, lines within a row, points along a line.
struct View {
    std::array<int, 3> axis;  // of the grid
    std::array<GridAxis, 3> axes;

    View(const Grid& grid, int first)
        : axis{first, (first + 1) % 3, (first + 2) % 3},
          axes{grid.axes[static_cast<std::size_t>(axis[0])], grid.axes[static_cast<std::size_t>(axis[1])],
               grid.axes[static_cast<std::size_t>(axis[2])]}
    {}
};

std::vector<GridCorner> make_corners(const SurfaceMesh& mesh, const Vec3d& center, const View& view)
{
    std::vector<GridCorner> corners;
    corners.reserve(mesh.vertices.size());
    for (const Vec3d& vertex : mesh.vertices) {
        const Vec3d d = vertex - center;
        const Vec3d p{d[view.axis[0]], d[view.axis[1]], d[view.axis[2]]};
        corners.push_back({p, view.axes[0].first_beyond(p.x)});
    }
    return corners;
}

/// A triangle and the planes that cut it: rows first .. last - 1.
struct Span {
    std::size_t triangle;
    int first, last;
};

/// Sorted by first row. Triangles that no plane cuts are left out.
std::vector<Span> make_spans(const SurfaceMesh& mesh, const std::vector<GridCorner>& corners)
{
    std::vector<Span> spans;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const auto& [a, b, c] = mesh.triangles[i];
        const std::array<int, 3> rows = {corners[static_cast<std::size_t>(a)].row,
                                         corners[static_cast<std::size_t>(b)].row,
                                         corners[static_cast<std::size_t>(c)].row};
        const auto [first, last] = std::minmax_element(rows.begin(), rows.end());
        if (*first < *last) spans.push_back({i, *first, *last});
    }
    std::sort(spans.begin(), spans.end(), [](const Span& p, const Span& q) { return p.first < q.first; });
    return spans;
}

/// The lines of one row that pass through a triangle.
void add_crossings(const std::array<const GridCorner*, 3>& corners, int row, const View& view,
                   std::vector<Crossing>& crossings)
{
    // A triangle that reaches the row has one edge going up through it and one going down.
    const double x = view.axes[0].coordinate(row);
    PointYz up{}, down{};
    for (std::size_t i = 0; i < 3; ++i) {
        const GridCorner &a = *corners[i], &b = *corners[(i + 1) % 3];
        if ((a.row <= row) == (b.row <= row)) continue;
        const PointYz cut = {interpolate(x, a.p.x, a.p.y, b.p.x, b.p.y), interpolate(x, a.p.x, a.p.z, b.p.x, b.p.z)};
        (a.row <= row ? up : down) = cut;
    }
    // Going up on the side of low y means that the triangle faces +z: there the line comes out.
    const int up_line = view.axes[1].first_beyond(up.y), down_line = view.axes[1].first_beyond(down.y);
    const int change = up_line < down_line ? -1 : 1;
    for (int line = std::min(up_line, down_line); line < std::max(up_line, down_line); ++line) {
        const double z = interpolate(view.axes[1].coordinate(line), up.y, up.z, down.y, down.z);
        crossings.push_back({line, view.axes[2].first_beyond(z), change});
    }
}

/// Sums the changes along each line of a row. A line that comes out more often than it goes in, or the other way round,
/// has passed through a hole of the surface and says nothing.
template <class Visit>
void visit_runs(const std::vector<Crossing>& crossings, int row, const Visit& visit)
{
    std::size_t end = 0;
    for (std::size_t begin = 0; begin < crossings.size(); begin = end) {
        int sum = 0;
        for (; end < crossings.size() && crossings[end].line == crossings[begin].line; ++end)
            sum += crossings[end].change;
        if (sum != 0) continue;
        int winding = 0;
        for (std::size_t i = begin; i + 1 < end; ++i) {
            winding += crossings[i].change;
            const int first = crossings[i].first, last = crossings[i + 1].first;
            if (winding != 0 && first < last) visit(row, crossings[i].line, first, last);
        }
    }
}

/// Calls visit(row, line, first, last) for every run of points inside, in order.
template <class Visit>
void scan(const SurfaceMesh& mesh, const Vec3d& center, const View& view, const Visit& visit)
{
    const std::vector<GridCorner> corners = make_corners(mesh, center, view);
    const std::vector<Span> spans = make_spans(mesh, corners);
    std::size_t next = 0;      // span to come
    std::vector<Span> active;  // those cut by the row
    std::vector<Crossing> crossings;
    for (int row = 0; row < view.axes[0].n; ++row) {
        std::erase_if(active, [row](const Span& span) { return span.last <= row; });
        while (next < spans.size() && spans[next].first == row) active.push_back(spans[next++]);
        crossings.clear();
        for (const Span& span : active) {
            const auto& [a, b, c] = mesh.triangles[span.triangle];
            add_crossings({&corners[static_cast<std::size_t>(a)], &corners[static_cast<std::size_t>(b)],
                           &corners[static_cast<std::size_t>(c)]},
                          row, view, crossings);
        }
        std::sort(crossings.begin(), crossings.end());
        visit_runs(crossings, row, visit);
    }
}

}  // namespace

int GridAxis::first_beyond(double value) const
{
    const auto is_beyond = [&](int i) { return coordinate(i) < 0 ? coordinate(i) > value : coordinate(i) >= value; };
    const double guess = std::ceil(value / spacing + 0.5 * (n - 1));
    int i = static_cast<int>(std::clamp(guess, 0.0, static_cast<double>(n)));
    while (i > 0 && is_beyond(i - 1)) --i;
    while (i < n && !is_beyond(i)) ++i;
    return i;
}

std::int64_t count_points(const std::vector<Run>& runs)
{
    std::int64_t count = 0;
    for (const Run& run : runs) count += run.last - run.first;
    return count;
}

Grid make_grid_around(const Box3& box, double spacing)
{
    Grid grid{box.center(), {}};
    for (int axis = 0; axis < 3; ++axis) {
        const double cells = std::floor(box.extent()[axis] / spacing + 0.5);
        grid.axes[static_cast<std::size_t>(axis)] = {spacing, std::max(1, static_cast<int>(cells))};
    }
    return grid;
}

std::vector<Run> scan_inside(const SurfaceMesh& mesh, const Grid& grid)
{
    std::vector<Run> runs;
    scan(mesh, grid.center, View(grid, 0), [&runs](int i, int j, int first, int last) {
        const bool adjoins = !runs.empty() && runs.back().i == i && runs.back().j == j && runs.back().last == first;
        if (adjoins) runs.back().last = last;
        else runs.push_back({i, j, first, last});
    });
    return runs;
}

std::vector<Run> scan_inside_by_vote(const SurfaceMesh& mesh, const Grid& grid)
{
    const int nx = grid.axes[0].n, ny = grid.axes[1].n, nz = grid.axes[2].n;
    const auto number = [&](int i, int j, int k) {
        return (static_cast<std::size_t>(i) * static_cast<std::size_t>(ny) + static_cast<std::size_t>(j)) *
                   static_cast<std::size_t>(nz) +
               static_cast<std::size_t>(k);
    };
    std::vector<std::uint8_t> votes(number(nx, 0, 0), 0);
    scan(mesh, grid.center, View(grid, 0), [&](int i, int j, int first, int last) {
        for (int k = first; k < last; ++k) ++votes[number(i, j, k)];
    });
    scan(mesh, grid.center, View(grid, 1), [&](int j, int k, int first, int last) {
        for (int i = first; i < last; ++i) ++votes[number(i, j, k)];
    });
    scan(mesh, grid.center, View(grid, 2), [&](int k, int i, int first, int last) {
        for (int j = first; j < last; ++j) ++votes[number(i, j, k)];
    });

    std::vector<Run> runs;
    for (int i = 0; i < nx; ++i) {
        for (int j = 0; j < ny; ++j) {
            for (int k = 0; k < nz; ++k) {
                if (votes[number(i, j, k)] < 2) continue;
                const int first = k;
                while (k < nz && votes[number(i, j, k)] >= 2) ++k;
                runs.push_back({i, j, first, k});
            }
        }
    }
    return runs;
}

}  // namespace pliant
