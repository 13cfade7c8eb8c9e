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

int size_of(const auto& v) { return static_cast<int>(v.size()); }

/// Which things look for which: every pair is found by one of them.
enum class Looking { vertices_for_triangles, triangles_for_vertices, edges_for_edges };

class Finder {
  public:
    Finder(const ContactSurface& surface, bool all, Pairs& pairs)
        : surface_(surface), pairs_(pairs), points_(pairs.points), all_(all)
    {}

    void refit()
    {
        pairs_.vertices.refit([&](int v) { return box_of({surface_.vertices[v].point}); },
                              [&](int v) { return is_new(surface_.vertices[v]); });
        pairs_.edges.refit([&](int e) { return box_of({surface_.edges[e].a, surface_.edges[e].b}); },
                           [&](int e) { return is_new(surface_.edges[e]); });
        pairs_.triangles.refit(
            [&](int t) {
                const auto& p = surface_.triangles[t].point;
                return box_of({p[0], p[1], p[2]});
            },
            [&](int t) { return is_new(surface_.triangles[t]); });
    }

    void find()
    {
        find<PairKind::vertex_triangle>([&] {
            look<Looking::vertices_for_triangles>();
            if (!all_) look<Looking::triangles_for_vertices>();
        });
        find<PairKind::edge_edge>([&] { look<Looking::edges_for_edges>(); });
    }

  private:
    template <PairKind kind, class Look>
    void find(const Look& look_around)
    {
        PairList& list = pairs_.lists[kind == PairKind::edge_edge ? 1 : 0];
        if (all_) list.pairs.clear();
        else
            std::erase_if(list.pairs, [&](const FoundPair& p) {
                return std::ranges::any_of(p.point, [&](int i) { return points_.renewed[i] != 0; });
            });
        used_ = 0;
        look_around();
        for (int s = 0; s < used_; ++s)
            list.pairs.insert(list.pairs.end(), pairs_.searches[s].found.begin(), pairs_.searches[s].found.end());
        sort(list);
        fill<kind>(list);
    }

    template <Looking looking>
    void look()
    {
        const int things = size_of(looked_at<looking>());
        const int searches = (things + kSearchSize - 1) / kSearchSize, first = used_;
        used_ += searches;
        if (size_of(pairs_.searches) < used_) pairs_.searches.resize(used_);
        parallel_for(searches, 1, [&](int begin, int end) {
            for (int s = begin; s < end; ++s) {
                PairSearch& search = pairs_.searches[first + s];
                search.candidates.clear();
                search.found.clear();
                for (int i = kSearchSize * s; i < std::min(kSearchSize * (s + 1), things); i += kLanes)
                    list_candidates<looking>(i, std::min(i + kLanes, things), search);
                measure<looking == Looking::edges_for_edges ? PairKind::edge_edge : PairKind::vertex_triangle>(search);
            }
        });
    }

    bool is_new(int p) const { return all_ || points_.renewed[p] != 0; }
    bool is_new(const ContactSurface::Vertex& v) const { return is_new(v.point); }
    bool is_new(const ContactSurface::Edge& e) const { return is_new(e.a) || is_new(e.b); }
    bool is_new(const ContactSurface::Triangle& t) const
    {
        return is_new(t.point[0]) || is_new(t.point[1]) || is_new(t.point[2]);
    }

    Box box_of(std::initializer_list<int> corners) const
    {
        const Vec3 first = points_.reference[*corners.begin()].position();
        Box box{first, first};
        Real more = 0;
        for (const int c : corners) {
            const Vec3 x = points_.reference[c].position();
            more = std::max(more, points_.reach[c] + points_.budget[c]);
            box = join(box, {x, x});
        }
        const Vec3 all{more, more, more};
        return {box.low - all, box.high + all};
    }

    template <Looking looking>
    const auto& looked_at() const
    {
        if constexpr (looking == Looking::vertices_for_triangles) return surface_.vertices;
        else if constexpr (looking == Looking::triangles_for_vertices) return surface_.triangles;
        else return surface_.edges;
    }
    template <Looking looking>
    const BoxTree& tree_of() const  // of those that look
    {
        if constexpr (looking == Looking::vertices_for_triangles) return pairs_.vertices;
        else if constexpr (looking == Looking::triangles_for_vertices) return pairs_.triangles;
        else return pairs_.edges;
    }
    template <Looking looking>
    const BoxTree& other_tree() const
    {
        if constexpr (looking == Looking::vertices_for_triangles) return pairs_.triangles;
        else if constexpr (looking == Looking::triangles_for_vertices) return pairs_.vertices;
        else return pairs_.edges;
    }

    /// Up to eight things that are near each other: one walk down the tree for all of them.
    template <Looking looking>
    void list_candidates(int first, int last, PairSearch& search) const
    {
        constexpr bool kEdges = looking == Looking::edges_for_edges;
        int who[kLanes], count = 0;
        Box box[kLanes];
        for (int i = first; i < last; ++i) {
            if (!is_new(looked_at<looking>()[i])) continue;
            who[count] = i;
            box[count++] = tree_of<looking>().box(i);
        }
        other_tree<looking>().find(
            {box, static_cast<std::size_t>(count)}, kEdges && all_ ? first + 1 : 0, [&](int k, int j) {
                const int i = who[k];
                if constexpr (looking == Looking::vertices_for_triangles) {
                    if (may_touch(surface_.vertices[i], surface_.triangles[j])) search.candidates.push_back({i, j});
                } else if constexpr (looking == Looking::triangles_for_vertices) {
                    if (!is_new(surface_.vertices[j]) && may_touch(surface_.vertices[j], surface_.triangles[i]))
                        search.candidates.push_back({j, i});
                } else {
                    if ((j > i || !is_new(surface_.edges[j])) && may_touch(surface_.edges[i], surface_.edges[j]))
                        search.candidates.push_back({i, j});
                }
            });
    }

    bool are_glued(int a, int b) const
    {
        if (surface_.glued[a] == 0 || surface_.glued[b] == 0) return false;
        const int first = surface_.glue_name(a), second = surface_.glue_name(b);
        return std::ranges::binary_search(surface_.glue, std::pair(std::min(first, second), std::max(first, second)));
    }
    bool may_touch(int body, int other) const
    {
        return surface_.pairing(body, other).on &&
               (pairs_.tangled.empty() ||
                pairs_.tangled[static_cast<std::size_t>(body) * surface_.bodies + other] == 0);
    }
    bool may_touch(const ContactSurface::Vertex& vertex, const ContactSurface::Triangle& triangle) const
    {
        const int p = vertex.point;
        const auto& q = triangle.point;
        if (q[0] == p || q[1] == p || q[2] == p || !may_touch(vertex.body, triangle.body)) return false;
        return !(are_glued(p, q[0]) || are_glued(p, q[1]) || are_glued(p, q[2]));
    }
    bool may_touch(const ContactSurface::Edge& edge, const ContactSurface::Edge& other) const
    {
        if (edge.a == other.a || edge.a == other.b || edge.b == other.a || edge.b == other.b) return false;
        if (!may_touch(edge.body, other.body)) return false;
        if (are_glued(edge.a, other.a) || are_glued(edge.a, other.b) || are_glued(edge.b, other.a) ||
            are_glued(edge.b, other.b))
            return false;
        if (edge.body != other.body || edge.a != edge.b || other.a != other.b) return true;
        const Real near = kBallsApart / kReach * (points_.reach[edge.a] + points_.reach[other.a]);
        return (surface_.rest[edge.a] - surface_.rest[other.a]).squared_norm() >= near * near;
    }

    /// Points and bodies of both sides.
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

    int nobody() const { return size_of(points_.reference) - 1; }

    /// Distances of candidates; what is out of reach is left behind.
    template <PairKind kind>
    void measure(PairSearch& search) const
    {
        const int count = size_of(search.candidates);
        for (int at = 0; at < count; at += kLanes) {
            IndexLanes point[4];
            int body[kLanes][2];
            const int lanes = std::min(kLanes, count - at);
            for (int l = 0; l < kLanes; ++l) {
                int p[4] = {nobody(), nobody(), nobody(), nobody()};
                if (l < lanes) name_points<kind>(search.candidates[at + l], p, body[l]);
                for (int k = 0; k < 4; ++k) point[k][l] = p[k];
            }
            Vector3<Lanes> x[4];
            Lanes reach[4], budget[4];
            for (int k = 0; k < 4; ++k) {
                x[k] = gather(points_.reference.data(), point[k].data()).x;
                reach[k] = gather(points_.reach.data(), point[k].data());
                budget[k] = gather(points_.budget.data(), point[k].data());
            }
            const auto both = [](const Lanes a[4]) {
                return kind == PairKind::vertex_triangle ? a[0] + max(a[1], max(a[2], a[3]))
                                                         : max(a[0], a[1]) + max(a[2], a[3]);
            };
            const Lanes near = both(reach), key = (closest<kind>(x).gap - near) / max(both(budget), Lanes(Real(1e-30)));
            for (unsigned within = bits_of(key < Lanes(1)) & ((1U << lanes) - 1); within != 0; within &= within - 1) {
                const int l = std::countr_zero(within);
                add<kind>(point, body[l], l, key[l], near[l] / kReach, search);
            }
        }
    }
    template <PairKind kind>
    void add(const IndexLanes point[4], const int body[2], int l, Real key, Real distance, PairSearch& search) const
    {
        const int p[4] = {point[0][l], point[1][l], point[2][l], point[3][l]};
        const auto& exempt = pairs_.exempt[kind == PairKind::edge_edge ? 1 : 0];
        if (!exempt.empty() && std::ranges::binary_search(exempt, name_of_pair(kind, p))) return;
        if (body[0] == body[1]) {
            Vec3 rest[4];
            for (int k = 0; k < 4; ++k) rest[k] = surface_.rest[p[k]];
            if constexpr (kind == PairKind::vertex_triangle)
                distance = std::min(distance, kOfRest * closest_vertex_triangle(rest).gap);
            else distance = std::min(distance, kOfRest * closest_edges(rest).gap);
        }
        const ContactSurface::Pairing& pairing = surface_.pairing(body[0], body[1]);
        // near its ends an edge of a mesh touches by the vertices there
        const bool inside = kind == PairKind::edge_edge && points_.meshed[p[0]] != 0 && points_.meshed[p[2]] != 0;
        search.found.push_back(
            {{p[0], p[1], p[2], p[3]}, key, distance, pairing.friction, pairing.sliding, inside ? Real(1) : Real(0)});
    }

    /// Into sixteenths of the budget, in the order of finding within each.
    void sort(PairList& list)
    {
        first_.fill(0);
        const auto part_of = [](Real key) {
            return std::clamp(static_cast<int>(std::ceil(key * kSixteenths)), 0, kSixteenths);
        };
        for (const FoundPair& pair : list.pairs) ++first_[part_of(pair.key) + 1];
        for (std::size_t k = 1; k < first_.size(); ++k) first_[k] += first_[k - 1];
        pairs_.sorted.resize(list.pairs.size());
        auto next = first_;
        for (const FoundPair& pair : list.pairs) pairs_.sorted[next[part_of(pair.key)]++] = pair;
        list.pairs.swap(pairs_.sorted);
    }

    template <PairKind kind>
    void fill(PairList& list) const
    {
        const int count = size_of(list.pairs);
        list.blocks.resize((count + kLanes - 1) / kLanes);
        list.within.resize(kSixteenths + 1);
        for (int k = 0; k <= kSixteenths; ++k) list.within[k] = (first_[k + 1] + kLanes - 1) / kLanes;
        const FoundPair none{{nobody(), nobody(), nobody(), nobody()}, 1, -1, 0, 0, 0};
        parallel_for(size_of(list.blocks), 64, [&](int begin, int end) {
            for (int b = begin; b < end; ++b) {
                PairBlock& block = list.blocks[b];
                for (int l = 0; l < kLanes; ++l) {
                    const FoundPair& pair = kLanes * b + l < count ? list.pairs[kLanes * b + l] : none;
                    for (int k = 0; k < 4; ++k) block.point[k][l] = pair.point[k];
                    block.distance.set(l, pair.distance);
                    block.friction.set(l, pair.friction);
                    block.sliding.set(l, pair.sliding);
                    block.inside.set(l, pair.inside);
                }
            }
        });
    }

    const ContactSurface& surface_;
    Pairs& pairs_;
    const PairPoints& points_;
    bool all_;
    int used_ = 0;  // searches
    std::array<int, kSixteenths + 2> first_{};
};

}  // namespace

std::array<int, 4> name_of_pair(PairKind kind, const int p[4])
{
    std::array<int, 4> name{p[0], p[1], p[2], p[3]};
    if (kind == PairKind::vertex_triangle) {
        std::sort(name.begin() + 1, name.end());
        return name;
    }
    std::sort(name.begin(), name.begin() + 2);
    std::sort(name.begin() + 2, name.end());
    return name[0] < name[2] ? name : std::array{name[2], name[3], name[0], name[1]};
}

void find_pairs(const ContactSurface& surface, Pairs& pairs)
{
    const auto fit = [](BoxTree& tree, int count) {
        if (tree.size() != count) tree = BoxTree(count);
    };
    fit(pairs.vertices, size_of(surface.vertices));
    fit(pairs.edges, size_of(surface.edges));
    fit(pairs.triangles, size_of(surface.triangles));
    Finder finder(surface, true, pairs);
    finder.refit();
    finder.find();
}

void find_pairs_again(const ContactSurface& surface, Pairs& pairs)
{
    Finder finder(surface, false, pairs);
    finder.refit();
    finder.find();
}

}  // namespace pliant
