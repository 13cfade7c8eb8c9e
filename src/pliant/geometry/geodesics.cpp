#include "pliant/geometry/geodesics.h"

#include "pliant/base/check.h"
#include "pliant/base/message.h"
#include "pliant/geometry/mesh_edges.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace pliant {

namespace {

constexpr double kUnreached = std::numeric_limits<double>::infinity();
constexpr double kConvergedGain = 1e-12;  // a relative gain below this is not passed on
constexpr double kSlack = 0.05;  // of an edge: how far a front may miss the corner behind, as surfaces are curved
constexpr std::size_t kSpareLabels = 8;  // per vertex: its neighbours need fronts that are not among its own nearest

constexpr int kBorder = -1, kSeam = -2;

/// A corner c of a triangle as seen across the edge opposite to it: a at (0, 0), b at (length, 0), c at (x, y).
struct Corner {
    int c, a, b;          // vertices
    int behind;           // the corner on the other side of the edge, or kBorder, or kSeam
    double length, x, y;  // [m], y >= 0
};

/// Corner i of triangle t is number 3 t + i.
std::vector<Corner> make_corners(const SurfaceMesh& mesh)
{
    const MeshEdges found = find_edges(mesh);
    std::vector<std::array<int, 2>> corners_at(found.edges.size(), {-1, -1});  // per edge: the first two opposite to it
    std::vector<Corner> corners;
    corners.reserve(3 * mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (int i = 0; i < 3; ++i) {
            std::array<int, 2>& both = corners_at[found.of_triangle[t][i]];
            both[both[0] < 0 ? 0 : 1] = static_cast<int>(corners.size());

            const int c = mesh.triangles[t][i], a = mesh.triangles[t][(i + 1) % 3], b = mesh.triangles[t][(i + 2) % 3];
            const Vec3d ab = mesh.vertices[b] - mesh.vertices[a], ac = mesh.vertices[c] - mesh.vertices[a];
            const double length = ab.norm();
            corners.push_back({c, a, b, kBorder, length, ac.dot(ab) / length, ac.cross(ab).norm() / length});
        }
    }
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const int e = found.of_triangle[k / 3][k % 3];
        if (found.edges[e].triangles == 2) corners[k].behind = corners_at[e][corners_at[e][0] == static_cast<int>(k)];
        if (found.edges[e].triangles > 2) corners[k].behind = kSeam;
    }
    return corners;
}

struct FlatPoint {
    double x, y;
};

double distance_between(const FlatPoint& p, const FlatPoint& q)
{
    const double dx = p.x - q.x, dy = p.y - q.y;
    return std::sqrt(dx * dx + dy * dy);
}

/// The fronts of all sources. Every vertex is labelled with the nearest sources so far; a label that gains waits in
/// the queue to be passed on to the triangles around.
class Fronts {
  public:
    Fronts(const SurfaceMesh& mesh, std::size_t max_labels)
        : max_labels_(max_labels),
          corners_(make_corners(mesh)),
          corners_at_(mesh.vertices.size()),
          labels_(mesh.vertices.size())
    {
        for (int k = 0; k < static_cast<int>(corners_.size()); ++k) corners_at_[corners_[k].c].push_back(k);
    }

    /// Labels a vertex, unless it knows a shorter way to this source or enough nearer ones.
    void offer(int vertex, int source, double distance)
    {
        std::vector<NearSource>& labels = labels_[vertex];
        auto label = std::ranges::find(labels, source, &NearSource::source);
        if (label != labels.end()) {
            if (!(distance < label->distance * (1 - kConvergedGain))) return;
        } else if (labels.size() < max_labels_) {
            label = labels.insert(labels.end(), NearSource{});
        } else {
            label = std::ranges::max_element(labels, {}, &NearSource::distance);
            if (!(distance < label->distance)) return;
        }
        *label = {source, distance};
        queue_.push({distance, vertex, source});
    }

    /// Passes labels on, shortest first, until none gains any more.
    void run()
    {
        while (!queue_.empty()) {
            const auto [distance, vertex, source] = queue_.top();
            queue_.pop();
            if (distance_at(vertex, source) != distance) continue;  // shortened or displaced since
            for (const int k : corners_at_[vertex]) {
                const int next = k % 3 == 2 ? k - 2 : k + 1, last = k % 3 == 0 ? k + 2 : k - 1;
                offer(corners_[next].c, source, distance + corners_[last].length);
                offer(corners_[last].c, source, distance + corners_[next].length);
                cross_edge(next, source);
                cross_edge(last, source);
                if (corners_[k].behind >= 0) cross_edge(corners_[k].behind, source);  // may have waited for this one
            }
        }
    }

    /// Per vertex up to `count` labels, nearest first.
    std::vector<std::vector<NearSource>> take_nearest(std::size_t count)
    {
        for (std::vector<NearSource>& labels : labels_) {
            std::ranges::sort(labels, [](const NearSource& p, const NearSource& q) {
                return p.distance != q.distance ? p.distance < q.distance : p.source < q.source;
            });
            labels.resize(std::min(labels.size(), count));
        }
        return std::move(labels_);
    }

  private:
    struct Gain {
        double distance;
        int vertex, source;
        auto operator<=>(const Gain&) const = default;
    };

    double distance_at(int vertex, int source) const
    {
        const auto label = std::ranges::find(labels_[vertex], source, &NearSource::source);
        return label == labels_[vertex].end() ? kUnreached : label->distance;
    }

    /// Offers corner k its straight distance from the virtual source, at (s.x, s.y) with s.y <= 0, of the front that
    /// comes in between a and b. Within these bounds a longer way to a or b makes a longer way to c: on a flat sheet
    /// labels that are still too long never give one that is too short.
    void cross_edge(int k, int source)
    {
        const auto& [c, a, b, behind, length, x, y] = corners_[k];
        if (behind == kBorder) return;
        const double to_a = distance_at(a, source), to_b = distance_at(b, source);
        if (to_a == kUnreached || to_b == kUnreached) return;

        const double s_x = 0.5 * (length + (to_a - to_b) * (to_a + to_b) / length);
        const double height2 = (to_a - s_x) * (to_a + s_x);
        if (!(height2 >= 0)) return;  // no triangle: one of the two will gain along the edge
        const double height = std::sqrt(height2);
        const double crossing = s_x * y + x * height;  // of a-b, times (height + y)
        if (!(crossing >= 0 && crossing <= length * (height + y))) return;

        const FlatPoint s{s_x, -height};
        if (behind >= 0 && !has_passed(corners_[behind], a, s, source)) return;
        offer(c, source, distance_between(s, {x, y}));
    }

    /// Has the front from s reached the corner e behind the edge from a in time?
    bool has_passed(const Corner& e, int a, const FlatPoint& s, int source) const
    {
        const FlatPoint p{e.a == a ? e.x : e.length - e.x, -e.y};
        return distance_at(e.c, source) <= distance_between(s, p) + kSlack * e.length;
    }

    std::size_t max_labels_;                       // per vertex
    std::vector<Corner> corners_;                  // three per triangle
    std::vector<std::vector<int>> corners_at_;     // per vertex
    std::vector<std::vector<NearSource>> labels_;  // per vertex, in no order
    std::priority_queue<Gain, std::vector<Gain>, std::greater<>> queue_;
};

}  // namespace

std::vector<std::vector<NearSource>> find_near_sources(const SurfaceMesh& mesh, std::span<const int> sources, int count)
{
    const std::size_t wanted = std::min(static_cast<std::size_t>(std::max(count, 0)), sources.size());
    Fronts fronts(mesh, wanted + kSpareLabels);
    for (const int source : sources) {
        if (source < 0 || source >= static_cast<int>(mesh.vertices.size())) {
            throw InputError(
                message("distances are asked for from vertex {}, but there are {} vertices, numbered "
                        "from 0; correct its number",
                        source, mesh.vertices.size()));
        }
        fronts.offer(source, source, 0);
    }
    fronts.run();
    return fronts.take_nearest(wanted);
}

}  // namespace pliant
