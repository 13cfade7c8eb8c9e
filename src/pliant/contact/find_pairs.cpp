#include "pliant/base/parallel.h"
#include "pliant/contact/closest.h"
#include "pliant/contact/pairs.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr int kSearchSize = 256;  // things of a search
constexpr int kSixteenths = 16;

/// Points of the same body that are near each other at rest keep less than their thickness.
constexpr Real kOfRest = Real(0.9);
/// Balls of one body nearer than so many diameters at rest do not touch: its elasticity keeps them apart.
constexpr Real kBallsApart = Real(2.5);

class Finder {
  public:
    Finder(const ContactSurface& surface, Pairs& pairs) : surface_(surface), pairs_(pairs), points_(pairs.points) {}

    void refit()
    {
        pairs_.edges.refit([&](int e) {
            const auto& edge = surface_.edges[e];
            return box_of({edge.a, edge.b});
        });
        pairs_.triangles.refit([&](int t) {
            const auto& p = surface_.triangles[t].point;
            return box_of({p[0], p[1], p[2]});
        });
    }

    template <PairKind kind>
    void find(PairList& list)
    {
        const int things = static_cast<int>(kind == PairKind::edge_edge ? surface_.edges.size() : surface_.vertices.size());
        const int searches = (things + kSearchSize - 1) / kSearchSize;
        if (static_cast<int>(pairs_.searches.size()) < searches) pairs_.searches.resize(searches);
        parallel_for(searches, 1, [&](int begin, int end) {
            for (int s = begin; s < end; ++s) {
                PairSearch& search = pairs_.searches[s];
                search.candidates.clear();
                search.found.clear();
                for (int i = kSearchSize * s; i < std::min(kSearchSize * (s + 1), things); ++i) list_candidates<kind>(i, search);
                measure<kind>(search);
            }
        });
        sort(searches);
        fill<kind>(list);
    }

  private:
    Real slack(int p) const { return points_.reach[p] + points_.budget[p]; }
    Box box_of(std::initializer_list<int> corners) const
    {
        Box box{points_.start[*corners.begin()].position(), points_.start[*corners.begin()].position()};
        Real more = 0;
        for (const int c : corners) {
            const Vec3 x = points_.start[c].position();
            more = std::max(more, slack(c));
            for (int k = 0; k < 3; ++k) {
                box.low[k] = std::min(box.low[k], x[k]);
                box.high[k] = std::max(box.high[k], x[k]);
            }
        }
        const Vec3 all{more, more, more};
        return {box.low - all, box.high + all};
    }

    bool are_glued(int a, int b) const
    {
        return surface_.glued[a] != 0 && surface_.glued[b] != 0 &&
               std::ranges::binary_search(surface_.glue, std::pair(std::min(a, b), std::max(a, b)));
    }

    template <PairKind kind>
    void list_candidates(int i, PairSearch& search) const
    {
        if constexpr (kind == PairKind::vertex_triangle) {
            const auto [p, body] = surface_.vertices[i];
            pairs_.triangles.find(box_of({p}), 0, [&](int t) {
                const auto& triangle = surface_.triangles[t];
                const auto& q = triangle.point;
                if (q[0] == p || q[1] == p || q[2] == p || !surface_.pairing(body, triangle.body).on) return;
                if (surface_.glued[p] != 0 && (are_glued(p, q[0]) || are_glued(p, q[1]) || are_glued(p, q[2]))) return;
                search.candidates.push_back({i, t});
            });
        } else {
            const ContactSurface::Edge& edge = surface_.edges[i];
            pairs_.edges.find(box_of({edge.a, edge.b}), i + 1, [&](int j) {
                const ContactSurface::Edge& other = surface_.edges[j];
                if (edge.a == other.a || edge.a == other.b || edge.b == other.a || edge.b == other.b) return;
                if (!surface_.pairing(edge.body, other.body).on) return;
                if (are_glued(edge.a, other.a) || are_glued(edge.a, other.b) || are_glued(edge.b, other.a) ||
                    are_glued(edge.b, other.b))
                    return;
                if (edge.body == other.body && edge.a == edge.b && other.a == other.b) {
                    const Real near = kBallsApart / kReach * (points_.reach[edge.a] + points_.reach[other.a]);
                    if ((surface_.rest[edge.a] - surface_.rest[other.a]).squared_norm() < near * near) return;
                }
                search.candidates.push_back({i, j});
            });
        }
    }

    /// Points and body of both sides.
    template <PairKind kind>
    void name_points(const std::array<int, 2>& candidate, int* p, int* body) const
    {
        if constexpr (kind == PairKind::vertex_triangle) {
            const auto& triangle = surface_.triangles[candidate[1]];
            p[0] = surface_.vertices[candidate[0]].point;
            std::ranges::copy(triangle.point, p + 1);
            body[0] = surface_.vertices[candidate[0]].body;
            body[1] = triangle.body;
        } else {
            for (int side = 0; side < 2; ++side) {
                const ContactSurface::Edge& edge = surface_.edges[candidate[side]];
                p[2 * side] = edge.a;
                p[2 * side + 1] = edge.b;
                body[side] = edge.body;
            }
        }
    }

    template <PairKind kind>
    static Closest<Lanes> closest(const Vector3<Lanes> x[4])
    {
        if constexpr (kind == PairKind::vertex_triangle) return closest_vertex_triangle(x);
        else return closest_edges(x);
    }

    /// Distances of candidates; what is out of reach is left behind.
    template <PairKind kind>
    void measure(PairSearch& search) const
    {
        constexpr int kFirst = kind == PairKind::vertex_triangle ? 1 : 2;  // points of the first side
        const int nobody = static_cast<int>(points_.start.size()) - 1;
        const int count = static_cast<int>(search.candidates.size());
        for (int at = 0; at < count; at += kLanes) {
            IndexLanes point[4];
            int body[kLanes][2];
            const int lanes = std::min(kLanes, count - at);
            for (int l = 0; l < kLanes; ++l) {
                int p[4] = {nobody, nobody, nobody, nobody};
                if (l < lanes) name_points<kind>(search.candidates[at + l], p, body[l]);
                for (int k = 0; k < 4; ++k) point[k][l] = p[k];
            }
            Vector3<Lanes> x[4];
            for (int k = 0; k < 4; ++k) x[k] = gather(points_.start.data(), point[k].data()).x;
            const Closest<Lanes> nearest = closest<kind>(x);
            for (int l = 0; l < lanes; ++l) {
                Real reach[2] = {0, 0}, budget[2] = {0, 0};
                for (int k = 0; k < 4; ++k) {
                    const int side = k < kFirst ? 0 : 1;
                    reach[side] = std::max(reach[side], points_.reach[point[k][l]]);
                    budget[side] = std::max(budget[side], points_.budget[point[k][l]]);
                }
                const Real near = reach[0] + reach[1], far = budget[0] + budget[1];
                const Real key = (nearest.gap[l] - near) / far;
                if (!(key < 1)) continue;
                const ContactSurface::Pairing& pairing = surface_.pairing(body[l][0], body[l][1]);
                search.found.push_back({{point[0][l], point[1][l], point[2][l], point[3][l]}, key, near / kReach,
                                        pairing.friction, pairing.sliding, body[l][0] == body[l][1]});
            }
        }
    }

    /// Into sixteenths of the budget, in the order of finding within each.
    void sort(int searches)
    {
        first_.fill(0);
        const auto part_of = [](Real key) { return std::clamp(static_cast<int>(std::ceil(key * kSixteenths)), 0, kSixteenths); };
        for (int s = 0; s < searches; ++s)
            for (const PairSearch::Found& found : pairs_.searches[s].found) ++first_[part_of(found.key) + 1];
        for (std::size_t k = 1; k < first_.size(); ++k) first_[k] += first_[k - 1];
        pairs_.sorted.resize(first_.back());
        auto next = first_;
        for (int s = 0; s < searches; ++s)
            for (const PairSearch::Found& found : pairs_.searches[s].found) pairs_.sorted[next[part_of(found.key)]++] = found;
    }

    template <PairKind kind>
    void fill(PairList& list) const
    {
        const int count = static_cast<int>(pairs_.sorted.size());
        const int nobody = static_cast<int>(points_.start.size()) - 1;
        list.blocks.resize((count + kLanes - 1) / kLanes);
        list.within.resize(kSixteenths + 1);
        for (int k = 0; k <= kSixteenths; ++k) list.within[k] = (first_[k + 1] + kLanes - 1) / kLanes;
        parallel_for(static_cast<int>(list.blocks.size()), 64, [&](int begin, int end) {
            for (int b = begin; b < end; ++b) {
                PairBlock& block = list.blocks[b];
                Lanes same = 0;
                for (int l = 0; l < kLanes; ++l) {
                    const bool there = kLanes * b + l < count;
                    const PairSearch::Found found = there ? pairs_.sorted[kLanes * b + l] : PairSearch::Found{{nobody, nobody, nobody, nobody}, 1, -1, 0, 0, false};
                    for (int k = 0; k < 4; ++k) block.point[k][l] = found.point[k];
                    block.distance.set(l, found.distance);
                    block.friction.set(l, found.friction);
                    block.sliding.set(l, found.sliding);
                    same.set(l, found.same_body ? Real(1) : Real(0));
                }
                limit_by_rest<kind>(same > Lanes(0), block);
            }
        });
    }
    template <PairKind kind>
    void limit_by_rest(const Lanes::Mask& same, PairBlock& block) const
    {
        if (!any(same)) return;
        Vector3<Lanes> x[4];
        for (int k = 0; k < 4; ++k)
            for (int l = 0; l < kLanes; ++l) set_lane(x[k], l, surface_.rest[block.point[k][l]]);
        block.distance = select(same, min(block.distance, Lanes(kOfRest) * closest<kind>(x).gap), block.distance);
    }

    const ContactSurface& surface_;
    Pairs& pairs_;
    const PairPoints& points_;
    std::array<int, kSixteenths + 2> first_{};
};

}  // namespace

void find_pairs(const ContactSurface& surface, Pairs& pairs)
{
    if (pairs.edges.size() != static_cast<int>(surface.edges.size())) pairs.edges = BoxTree(static_cast<int>(surface.edges.size()));
    if (pairs.triangles.size() != static_cast<int>(surface.triangles.size()))
        pairs.triangles = BoxTree(static_cast<int>(surface.triangles.size()));
    Finder finder(surface, pairs);
    finder.refit();
    finder.find<PairKind::vertex_triangle>(pairs.lists[0]);
    finder.find<PairKind::edge_edge>(pairs.lists[1]);
}

}  // namespace pliant
