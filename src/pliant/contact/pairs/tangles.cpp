#include "pliant/contact/pairs/tangles.h"

#include "pliant/base/disjoint_sets.h"
#include "pliant/geometry/crossing.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace pliant {

namespace {

constexpr int kRimRings = 2;               // of edges, from the curve into a part that is cut off
constexpr Real kMostInFrame = Real(0.6);   // edges: neighbours add to it
constexpr Real kContourShare = Real(0.4);  // of that, where no part is cut off
constexpr Real kMostSpeed = 1;             // [m/s]
constexpr Real kMostShare = 2;             // of that motion: no push is longer, also against what comes nearer
constexpr Real kBeyond = Real(0.1);        // edges: how far an end is moved beyond the triangle

Vec3 unit(const Vec3& a)
{
    const Real length = a.norm();
    return length > 0 ? a / length : Vec3{};
}

class TangleFinder {
  public:
    TangleFinder(const ContactSurface& surface, const Particles& particles, std::span<const Crossing> crossings,
                 std::span<const Vec3> x, const Stars& stars)
        : surface_(surface),
          particles_(particles),
          crossings_(crossings),
          x_(x),
          stars_(stars),
          parts_(static_cast<std::size_t>(surface.points())),
          contours_(crossings.size())
    {}

    Tangles find()
    {
        mark_bodies();
        mark_points();
        cut();
        join_contours();
        std::vector<char> solved(crossings_.size(), 0);
        for (std::size_t k = 0; k < crossings_.size(); ++k)
            if (is_let_go(crossings_[k]) || add_cut_off(crossings_[k])) solved[contours_.find(static_cast<int>(k))] = 1;
        for (std::size_t k = 0; k < crossings_.size(); ++k)
            if (solved[contours_.find(static_cast<int>(k))] == 0) add_contour(crossings_[k]);
        mark_rims();
        return std::move(out_);
    }

  private:
    const ContactSurface::Edge& edge(const Crossing& c) const { return surface_.edges[c.edge]; }
    const ContactSurface::Triangle& triangle(const Crossing& c) const { return surface_.triangles[c.triangle]; }

    bool is_let_go(const Crossing& c) const
    {
        const auto [a, b] = std::minmax(edge(c).body, triangle(c).body);
        return std::ranges::find(surface_.let_go, std::array{a, b}) != surface_.let_go.end();
    }

    void mark_bodies()
    {
        const auto bodies = static_cast<std::size_t>(surface_.bodies);
        out_.bodies.assign(bodies * bodies, 0);
        for (const Crossing& c : crossings_) {
            const auto a = static_cast<std::size_t>(edge(c).body), b = static_cast<std::size_t>(triangle(c).body);
            out_.bodies[a * bodies + b] = out_.bodies[b * bodies + a] = 1;
        }
    }

    void mark_points()
    {
        out_.near.assign(static_cast<std::size_t>(surface_.points()) + 1, 0);
        for (const Crossing& c : crossings_) {
            out_.near[edge(c).a] = out_.near[edge(c).b] = kAtCrossing;
            for (const int p : triangle(c).point) out_.near[p] = kAtCrossing;
        }
    }

    /// Next to the curve a cut-off part is nearer than its thickness to what it has to come out of.
    void mark_rims()
    {
        std::vector<int> rim, next;
        for (const TanglePush& push : out_.pushes)
            if (push.cut_off) rim.push_back(push.edge[0]);
        for (int ring = 0; ring <= kRimRings; ++ring, rim.swap(next)) {
            next.clear();
            for (const int p : rim) {
                if (out_.near[p] == kCutOff) continue;
                out_.near[p] = kCutOff;
                for (const int e : stars_.edges_at(p))
                    for (const int q : {surface_.edges[e].a, surface_.edges[e].b})
                        if (parts_.find(q) == parts_.find(p)) next.push_back(q);
            }
        }
    }

    /// The parts of all bodies that edges still hold together.
    void cut()
    {
        std::vector<char> is_cut(surface_.edges.size(), 0);
        for (const Crossing& c : crossings_) is_cut[c.edge] = 1;
        for (std::size_t e = 0; e < surface_.edges.size(); ++e)
            if (is_cut[e] == 0) parts_.join(surface_.edges[e].a, surface_.edges[e].b);
        size_.assign(static_cast<std::size_t>(surface_.points()), 0);
        const auto all = static_cast<int>(surface_.vertices.size());
        for (const auto& [p, body] : surface_.vertices) {
            const bool held = !surface_.is_carried(p) && particles_.inv_mass[p] == 0;
            size_[parts_.find(p)] += held ? all : 1;  // what is held is not what has to give way
        }
    }

    /// Crossings that follow each other along a curve: an edge of one of two triangles passes through the other one.
    void join_contours()
    {
        struct Link {
            int low, high, crossing;
            bool operator<(const Link& b) const
            {
                return std::tie(low, high, crossing) < std::tie(b.low, b.high, b.crossing);
            }
        };
        std::vector<Link> links;
        for (std::size_t k = 0; k < crossings_.size(); ++k) {
            for_each_face(edge(crossings_[k]), [&](int face) {
                const auto [low, high] = std::minmax(face, crossings_[k].triangle);
                links.push_back({low, high, static_cast<int>(k)});
            });
        }
        std::ranges::sort(links, [](const Link& a, const Link& b) { return a < b; });
        for (std::size_t k = 1; k < links.size(); ++k)
            if (links[k].low == links[k - 1].low && links[k].high == links[k - 1].high)
                contours_.join(links[k - 1].crossing, links[k].crossing);
    }
    template <class Visit>
    void for_each_face(const ContactSurface::Edge& e, const Visit& visit) const
    {
        for (const int t : stars_.triangles_at(e.a))
            if (std::ranges::count(surface_.triangles[t].point, e.b) > 0) visit(t);
    }

    bool add_cut_off(const Crossing& c)
    {
        const auto& [a, b, body] = edge(c);
        const int part_a = parts_.find(a), part_b = parts_.find(b);
        if (part_a == part_b) return false;
        const bool first = size_[part_a] < size_[part_b] || (size_[part_a] == size_[part_b] && part_a < part_b);
        const std::array ends = first ? std::array{a, b} : std::array{b, a};
        out_.pushes.push_back({ends, triangle(c).point, true, {}, kMostInFrame * length(edge(c))});
        return true;
    }

    void add_contour(const Crossing& c)
    {
        const auto& [a, b, body] = edge(c);
        const auto& [p, q, r] = triangle(c).point;
        const Vec3 n = unit((x_[q] - x_[p]).cross(x_[r] - x_[p])), e = unit(x_[b] - x_[a]);
        const Real along = e.dot(n);
        if (along == 0) return;
        Vec3 gradient{};
        for_each_face(edge(c), [&](int t) {
            const auto& f = surface_.triangles[t].point;
            const Vec3 across = (x_[f[1]] - x_[f[0]]).cross(x_[f[2]] - x_[f[0]]);
            const int third = *std::ranges::find_if(f, [&](int k) { return k != a && k != b; });
            Vec3 into = x_[third] - x_[a];
            into -= into.dot(e) * e;
            Vec3 curve = unit(across.cross(n));
            if (curve.dot(into) < 0) curve = -curve;
            gradient += curve - 2 * (e.dot(curve) / along) * n;
        });
        const Real size = gradient.norm();
        if (!(size > Real(1e-3)) || !std::isfinite(size)) return;
        const Vec3 way = gradient / std::sqrt(1 + size * size);
        out_.pushes.push_back({{a, b}, triangle(c).point, false, way, kContourShare * kMostInFrame * length(edge(c))});
    }

    Real length(const ContactSurface::Edge& e) const { return (x_[e.a] - x_[e.b]).norm(); }

    const ContactSurface& surface_;
    const Particles& particles_;
    std::span<const Crossing> crossings_;
    std::span<const Vec3> x_;
    const Stars& stars_;
    DisjointSets parts_;     // of points
    DisjointSets contours_;  // of crossings
    std::vector<int> size_;  // per part: of its points
    Tangles out_;
};

class Parting {
  public:
    Parting(const ContactSurface& surface, const RigidBodies& rigids, Particles& particles)
        : surface_(surface), rigids_(rigids), particles_(particles)
    {}

    void push(Real h, Real dt, const TanglePush& push)
    {
        Vec3 x[5];
        for (int k = 0; k < 5; ++k) x[k] = place(point(push, k));
        if (!crosses(x[0], x[1], x[2], x[3], x[4])) return;
        const Vec3 n = unit((x[3] - x[2]).cross(x[4] - x[2]));
        const Real first = n.dot(x[0] - x[2]), second = n.dot(x[1] - x[2]);
        if (first == second) return;
        const Real part = first / (first - second);
        Real w[5] = {1, 0, 0, 0, 0};
        if (!push.cut_off) {
            w[0] = 1 - part;
            w[1] = part;
        }
        set_weights(x[0] + part * (x[1] - x[0]), n, x + 2, w + 2);
        const Real depth = std::abs(first) + kBeyond * (x[1] - x[0]).norm();
        const Vec3 way = push.cut_off ? (second > first ? n : -n) : push.way;
        Real moved = 0;  // apart in this substep
        for (int k = 0; k < 5; ++k)
            if (const int p = point(push, k); !surface_.is_carried(p))
                moved += w[k] * way.dot(particles_.x[p] - particles_.x_prev[p]);
        const Real most = std::min(h / dt * push.most, kMostSpeed * h),
                   wanted = push.cut_off ? std::min(depth, most) : most;
        if (moved < wanted) move(push, w, std::min(wanted - moved, kMostShare * most) * way);
    }

  private:
    static int point(const TanglePush& push, int k) { return k < 2 ? push.edge[k] : push.triangle[k - 2]; }
    Vec3 place(int p) const
    {
        if (!surface_.is_carried(p)) return particles_.x[p];
        const auto& [body, at] = surface_.carrier(p);
        return to_world(rigids_.pose[body], at);
    }
    Real mobility(int p) const { return surface_.is_carried(p) ? 0 : particles_.inv_mass[p]; }

    /// Those of a point of the triangle's plane, below zero.
    static void set_weights(const Vec3& at, const Vec3& n, const Vec3* x, Real* w)
    {
        Real all = 0;
        for (int k = 0; k < 3; ++k) {
            const Vec3 &b = x[(k + 1) % 3], &c = x[(k + 2) % 3];
            w[k] = std::max(n.dot((b - at).cross(c - at)), Real(0));
            all += w[k];
        }
        for (int k = 0; k < 3; ++k) w[k] = all > 0 ? -w[k] / all : Real(-1) / 3;
    }

    void move(const TanglePush& push, const Real* w, const Vec3& by)
    {
        Real all = 0;
        for (int k = 0; k < 5; ++k) all += w[k] * w[k] * mobility(point(push, k));
        if (!(all > 0)) return;
        for (int k = 0; k < 5; ++k) {
            const int p = point(push, k);
            if (mobility(p) == 0 || w[k] == 0) continue;
            particles_.x[p] += (w[k] * mobility(p) / all) * by;
        }
    }

    const ContactSurface& surface_;
    const RigidBodies& rigids_;
    Particles& particles_;
};

}  // namespace

Tangles find_tangles(const ContactSurface& surface, const Particles& particles, std::span<const Crossing> crossings,
                     std::span<const Vec3> x, Stars& stars)
{
    if (crossings.empty()) return {};
    if (!stars.made) make_stars(surface, stars);
    return TangleFinder(surface, particles, crossings, x, stars).find();
}

void part_tangles(Real h, Real dt, const ContactSurface& surface, const RigidBodies& rigids, const Tangles& tangles,
                  Particles& particles)
{
    Parting parting(surface, rigids, particles);
    for (const TanglePush& push : tangles.pushes) parting.push(h, dt, push);
}

}  // namespace pliant
