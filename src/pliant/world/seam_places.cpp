#include "pliant/world/seam_places.h"

#include "pliant/base/check.h"
#include "pliant/geometry/nearest_point.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace pliant {

namespace {

std::array<Vec3d, 3> corners_of(const SeamLayer& layer, int triangle)
{
    const auto& [a, b, c] = layer.cloth.rest.triangles[static_cast<std::size_t>(triangle)];
    return {layer.x[a], layer.x[b], layer.x[c]};
}

/// A point on the edge of a triangle: the fraction `share` of the way from vertex a to vertex b.
SeamPlace place_on_edge(const Cloth& cloth, int triangle, int a, int b, double share)
{
    SeamPlace place{triangle, {0, 0, 0}};
    const std::array<int, 3>& corners = cloth.rest.triangles[static_cast<std::size_t>(triangle)];
    for (std::size_t k = 0; k < 3; ++k) place.weights[k] = corners[k] == a ? 1 - share : corners[k] == b ? share : 0;
    return place;
}

/// The parts of a triangle that a set of vertices spans: all of it, an edge, a corner.
class SpannedPart {
  public:
    explicit SpannedPart(const SeamLayer& layer) : layer_(layer), in_(layer.x.size(), false)
    {
        for (const int v : layer.vertices) in_[v] = true;
    }

    /// The nearest point on the spanned part of a triangle; its triangle is -1 if nothing is spanned.
    SeamPlace nearest(const Vec3d& p, int triangle) const
    {
        const std::array<int, 3>& t = layer_.cloth.rest.triangles[static_cast<std::size_t>(triangle)];
        const int spanned = int{in_[t[0]]} + int{in_[t[1]]} + int{in_[t[2]]};
        if (spanned == 3) return {triangle, nearest_on_triangle(p, corners_of(layer_, triangle))};
        SeamPlace place;
        for (std::size_t k = 0; k < 3; ++k) {
            const int a = t[k], b = t[(k + 1) % 3];
            if (spanned == 1 && in_[a]) place = place_on_edge(layer_.cloth, triangle, a, a, 0);
            if (spanned == 2 && in_[a] && in_[b])
                place = place_on_edge(layer_.cloth, triangle, a, b, nearest_on_segment(p, layer_.x[a], layer_.x[b]));
        }
        return place;
    }

  private:
    const SeamLayer& layer_;
    std::vector<bool> in_;  // per vertex
};

/// A chain of boundary edges from end to end.
struct Run {
    std::vector<int> vertices;
    std::vector<int> triangles;  // per edge of the run
    std::vector<double> along;   // per vertex: arc length from the start over the total, in the rest shape
};

Run find_run(const SeamLayer& layer, const std::string& what)
{
    const auto fail = [&](const char* problem) {
        throw InputError(what + " is not one stretch of the border from end to end: " + problem +
                         "; choose the vertices of one stretch, or set match to nearest");
    };
    struct Step {
        int to, triangle;
    };
    std::map<int, std::vector<Step>> steps;
    for (const int v : layer.vertices) steps[v];
    for (const MeshEdge& e : layer.cloth.mesh_edges.edges)
        if (e.triangles == 1 && steps.contains(e.a) && steps.contains(e.b)) {
            steps[e.a].push_back({e.b, e.triangle[0]});
            steps[e.b].push_back({e.a, e.triangle[0]});
        }
    std::vector<int> ends;
    for (const auto& [v, next] : steps) {
        if (next.empty()) fail("one vertex has no neighbour in it");
        if (next.size() > 2) fail("it forks");
        if (next.size() == 1) ends.push_back(v);
    }
    if (ends.size() != 2) fail(ends.empty() ? "it is closed" : "it is in pieces");

    Run run{{ends[0]}, {}, {0}};
    for (int before = -1, v = ends[0]; v != ends[1];) {
        const std::vector<Step>& next = steps[v];
        const Step step = next[0].to == before ? next[1] : next[0];
        const std::vector<Vec3d>& rest = layer.cloth.rest.vertices;
        run.along.push_back(run.along.back() + (rest[step.to] - rest[v]).norm());
        run.triangles.push_back(step.triangle);
        run.vertices.push_back(step.to);
        before = std::exchange(v, step.to);
    }
    if (run.vertices.size() != steps.size()) fail("it is in pieces");
    for (double& s : run.along) s /= run.along.back();
    return run;
}

void reverse(Run& run)
{
    std::ranges::reverse(run.vertices);
    std::ranges::reverse(run.triangles);
    std::ranges::reverse(run.along);
    for (double& s : run.along) s = 1 - s;
}

}  // namespace

Vec3d SeamLayer::at(const SeamPlace& place) const { return blend(place.weights, corners_of(*this, place.triangle)); }

std::vector<SeamPlace> find_nearest_places(const SeamLayer& a, const SeamLayer& b)
{
    const SpannedPart part(b);
    std::vector<SeamPlace> places;
    for (const int v : a.vertices) {
        SeamPlace nearest;
        double least = std::numeric_limits<double>::max();
        for (int t = 0; t < static_cast<int>(b.cloth.rest.triangles.size()); ++t) {
            const SeamPlace place = part.nearest(a.x[v], t);
            if (place.triangle < 0) continue;
            const double distance = (b.at(place) - a.x[v]).squared_norm();
            if (distance >= least) continue;
            least = distance;
            nearest = place;
        }
        places.push_back(nearest);
    }
    return places;
}

std::vector<SeamPlace> find_places_along(SeamLayer& a, const SeamLayer& b, const std::string& what)
{
    const Run from = find_run(a, what + ": side a");
    Run to = find_run(b, what + ": side b");
    const auto distance = [&](int i, int j) { return (a.x[i] - b.x[j]).norm(); };
    const int a0 = from.vertices.front(), a1 = from.vertices.back(), b0 = to.vertices.front(), b1 = to.vertices.back();
    if (distance(a0, b1) + distance(a1, b0) < distance(a0, b0) + distance(a1, b1)) reverse(to);

    a.vertices = from.vertices;
    std::vector<SeamPlace> places;
    std::size_t e = 0;  // edge of b
    for (const double s : from.along) {
        while (e + 1 < to.triangles.size() && to.along[e + 1] < s) ++e;
        const double share = std::clamp((s - to.along[e]) / (to.along[e + 1] - to.along[e]), 0.0, 1.0);
        places.push_back(place_on_edge(b.cloth, to.triangles[e], to.vertices[e], to.vertices[e + 1], share));
    }
    return places;
}

}  // namespace pliant
