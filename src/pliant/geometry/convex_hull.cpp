#include "pliant/geometry/convex_hull.h"

#include "pliant/base/check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace pliant {

namespace {

constexpr double kSteps = 1 << 30;  // along the longest side
constexpr double kThinnest = 1e-6;  // of the longest side; what is thinner is flat
using Wide = __int128;

using Place = std::array<std::int64_t, 3>;  // in steps: products of three differences fit into Wide

struct Facet {
    std::array<int, 3> corner;  // counter-clockwise from outside
    std::array<int, 3> beyond;  // the facet across the edge from corner k to the next
    std::vector<int> outside;   // points that see it
    bool gone = false;
};

/// The points on whole steps, and those of them that are the first at their place.
struct WholeNumbers {
    std::vector<Place> place;
    std::vector<int> distinct;

    explicit WholeNumbers(const std::vector<Vec3d>& points)
    {
        const Box3 box = bounding_box(points);
        const Vec3d extent = box.extent();
        const double longest = std::max({extent.x, extent.y, extent.z});
        const double scale = longest > 0 ? kSteps / longest : 0;
        std::map<Place, int> seen;
        for (const Vec3d& p : points) {
            if (!std::isfinite(p.x + p.y + p.z + longest)) throw InputError("a point of the convex hull is not finite");
            const Vec3d s = scale * (p - box.low);
            place.push_back({std::llround(s.x), std::llround(s.y), std::llround(s.z)});
            const int number = static_cast<int>(place.size()) - 1;
            if (seen.emplace(place.back(), number).second) distinct.push_back(number);
        }
    }

    /// Six times the volume below d; positive if d sees the triangle a, b, c.
    Wide height(int a, int b, int c, int d) const
    {
        const Place u = difference(b, a), v = difference(c, a), w = difference(d, a);
        return Wide(u[1] * v[2] - u[2] * v[1]) * w[0] + Wide(u[2] * v[0] - u[0] * v[2]) * w[1] +
               Wide(u[0] * v[1] - u[1] * v[0]) * w[2];
    }

  private:
    Place difference(int a, int b) const
    {
        const Place &p = place[a], &q = place[b];
        return {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    }
};

/// The point for which `measure` is largest, and by how much.
template <class Measure>
std::pair<int, double> find_most(const std::vector<int>& candidates, Measure&& measure)
{
    std::pair<int, double> most{candidates[0], -1};
    for (const int i : candidates)
        if (const double m = measure(i); m > most.second) most = {i, m};
    return most;
}

class Hull {
  public:
    explicit Hull(const std::vector<Vec3d>& points) : points_(points), numbers_(points)
    {
        start();
        while (!waiting_.empty()) {
            const int facet = waiting_.back();
            waiting_.pop_back();
            if (!facets_[facet].gone && !facets_[facet].outside.empty()) grow(facet);
        }
    }

    SurfaceMesh surface() const
    {
        std::vector<int> number(points_.size(), -1);
        for (const Facet& f : facets_)
            if (!f.gone)
                for (const int i : f.corner) number[i] = 0;
        SurfaceMesh mesh;
        for (std::size_t i = 0; i < points_.size(); ++i) {
            if (number[i] < 0) continue;
            number[i] = static_cast<int>(mesh.vertices.size());
            mesh.vertices.push_back(points_[i]);
        }
        for (const Facet& f : facets_)
            if (!f.gone) mesh.triangles.push_back({number[f.corner[0]], number[f.corner[1]], number[f.corner[2]]});
        return mesh;
    }

  private:
    bool sees(int point, int facet) const
    {
        const auto& [a, b, c] = facets_[facet].corner;
        return numbers_.height(a, b, c, point) > 0;
    }

    /// The tetrahedron that four points far from each other make.
    void start()
    {
        const std::vector<int>& all = numbers_.distinct;
        if (all.size() < 4)
            throw InputError("a convex hull needs four points or more that differ; there are " +
                             std::to_string(all.size()));
        const auto& x = points_;
        const int a = all[0];
        const auto [b, length] = find_most(all, [&](int i) { return (x[i] - x[a]).norm(); });
        const Vec3d along = (x[b] - x[a]) / length;
        const auto [c, width] = find_most(all, [&](int i) { return along.cross(x[i] - x[a]).norm(); });
        if (width < kThinnest * length)
            throw InputError("all points lie on a line; a convex hull needs some that do not");
        const Vec3d normal = along.cross(x[c] - x[a]) / width;
        const auto [d, depth] = find_most(all, [&](int i) { return std::abs(normal.dot(x[i] - x[a])); });
        if (depth < kThinnest * length)
            throw InputError("all points lie in a plane; a convex hull needs some that do not");
        const auto [p, q] = numbers_.height(a, b, c, d) > 0 ? std::pair{c, b} : std::pair{b, c};  // d is below a, p, q
        facets_ = {{{a, p, q}, {1, 2, 3}}, {{p, a, d}, {0, 3, 2}}, {{q, p, d}, {0, 1, 3}}, {{a, q, d}, {0, 2, 1}}};
        give_away(all, 0);
    }

    /// Each point to the first of the facets from `first` on that it sees; what sees none is inside.
    void give_away(const std::vector<int>& points, int first)
    {
        const int end = static_cast<int>(facets_.size());
        for (const int i : points) {
            for (int f = first; f < end; ++f) {
                if (!sees(i, f)) continue;
                facets_[f].outside.push_back(i);
                break;
            }
        }
        for (int f = first; f < end; ++f) waiting_.push_back(f);
    }

    /// Takes the furthest point outside a facet into the hull.
    void grow(int facet)
    {
        const auto [a, b, c] = facets_[facet].corner;
        int tip = -1;
        Wide most = 0;
        for (const int i : facets_[facet].outside) {
            if (const Wide h = numbers_.height(a, b, c, i); h > most) {
                most = h;
                tip = i;
            }
        }
        std::vector<int> seen{facet}, freed;
        facets_[facet].gone = true;
        const int first = static_cast<int>(facets_.size());
        std::map<int, int> from, to;  // new facets by where their edges of the rim start and end
        for (std::size_t k = 0; k < seen.size(); ++k) {
            const Facet now = facets_[seen[k]];
            freed.insert(freed.end(), now.outside.begin(), now.outside.end());
            facets_[seen[k]].outside.clear();
            for (std::size_t e = 0; e < 3; ++e) {
                Facet& other = facets_[now.beyond[e]];
                if (other.gone) continue;
                if (sees(tip, now.beyond[e])) {
                    other.gone = true;
                    seen.push_back(now.beyond[e]);
                    continue;
                }
                const int p = now.corner[e], q = now.corner[(e + 1) % 3], made = static_cast<int>(facets_.size());
                other.beyond[edge_from(other, q)] = made;
                from[p] = to[q] = made;
                facets_.push_back({{p, q, tip}, {now.beyond[e], -1, -1}});
            }
        }
        for (int f = first; f < static_cast<int>(facets_.size()); ++f) {
            facets_[f].beyond[1] = from.at(facets_[f].corner[1]);
            facets_[f].beyond[2] = to.at(facets_[f].corner[0]);
        }
        std::erase(freed, tip);
        give_away(freed, first);
    }

    static std::size_t edge_from(const Facet& facet, int corner)
    {
        return static_cast<std::size_t>(std::ranges::find(facet.corner, corner) - facet.corner.begin());
    }

    const std::vector<Vec3d>& points_;
    WholeNumbers numbers_;
    std::vector<Facet> facets_;
    std::vector<int> waiting_;  // facets that points may be outside of
};

}  // namespace

SurfaceMesh convex_hull(const std::vector<Vec3d>& points) { return Hull(points).surface(); }

}  // namespace pliant
