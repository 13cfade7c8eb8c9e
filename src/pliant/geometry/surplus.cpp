#include "pliant/geometry/surplus.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace pliant {

namespace {

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
std::vector<double> find_squared_distances(const SurfaceMesh& mesh, const Filling& filling, double reach)
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
    for (const std::array<int, 3>& t : mesh.triangles) {
        const Vec3d a = mesh.vertices[static_cast<std::size_t>(t[0])];
        const Vec3d b = mesh.vertices[static_cast<std::size_t>(t[1])];
        const Vec3d c = mesh.vertices[static_cast<std::size_t>(t[2])];
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

std::vector<Candidate> find_candidates(const SurfaceMesh& mesh, const Filling& filling, double reach)
{
    const std::vector<double> distances = find_squared_distances(mesh, filling, reach);
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

}  // namespace

std::vector<bool> choose_surplus(const SurfaceMesh& mesh, const Filling& filling, std::size_t surplus)
{
    double reach = filling.grid.axes[0].spacing;
    std::vector<Candidate> candidates = find_candidates(mesh, filling, reach);
    while (candidates.size() < surplus) candidates = find_candidates(mesh, filling, reach *= 2);

    std::vector<bool> chosen(static_cast<std::size_t>(filling.count), false);
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

}  // namespace pliant
