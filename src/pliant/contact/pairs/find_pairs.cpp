#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/pair_kernels.h"
#include "pliant/contact/pairs/pair_lists.h"
#include "pliant/contact/pairs/pair_rules.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {

namespace {

constexpr int kRowsPerSearch = 32;  // rows of eight features
/// When more than one point in four has changed, all pairs are sorted again.
constexpr int kSortAgainOneIn = 4;

/// A mesh is fine if the distance to keep is more than this many edges; features of one body then keep
constexpr Real kFineMesh = 1;
constexpr Real kDistanceInFineMesh = Real(0.5);  // edges

enum class Feature { vertex, edge, triangle };

template <Feature feature>
constexpr int kCorners = static_cast<int>(feature) + 1;

class Finder {
  public:
    Finder(const ContactSurface& surface, Pairs& pairs) : surface_(surface), pairs_(pairs), points_(pairs.points)
    {
        std::size_t renewed = 0, changed = 0;
        for (const auto& [p, body] : surface.vertices) {
            if (points_.renewed[p] != 0) pairs.points.changed[p] = 1;
            renewed += static_cast<std::size_t>(points_.renewed[p]);
            changed += static_cast<std::size_t>(points_.changed[p]);
        }
        all_ = renewed == surface.vertices.size();
        in_order_ = kSortAgainOneIn * changed > surface.vertices.size();
        selective_ = !surface.all_touch || !surface.in_islands.empty();
    }

    void refit()
    {
        refit<Feature::vertex>();
        refit<Feature::edge>();
        refit<Feature::triangle>();
    }

    void find()
    {
        find<PairKind::vertex_triangle>([&] {
            look<Feature::vertex, Feature::triangle>();
            look<Feature::triangle, Feature::vertex>();
        });
        find<PairKind::edge_edge>([&] { look<Feature::edge, Feature::edge>(); });
        if (in_order_) std::ranges::fill(pairs_.points.changed, 0);
    }

  private:
    template <PairKind kind, class Look>
    void find(const Look& look_around)
    {
        PairList &list = pairs_.lists[static_cast<int>(kind)], &late = pairs_.lists[static_cast<int>(kind) + 2];
        used_ = 0;
        look_around();
        pairs_.parts.clear();
        if (!all_) {  // otherwise the surface may be a different one, and old point indices mean nothing
            if (in_order_) add_parts(list.pairs, points_.changed, pairs_.parts);
            else drop_pairs_of_renewed(points_, list);
            add_parts(late.pairs, points_.renewed, pairs_.parts);
        }
        for (int s = 0; s < used_; ++s) pairs_.parts.push_back({pairs_.searches[s].found, {}});
        fill_list(padding_point(), pairs_, in_order_ ? list : late);
        if (!in_order_) return;
        pairs_.parts.clear();  // all are in one list now
        fill_list(padding_point(), pairs_, late);
    }
    template <Feature feature>
    const auto& features() const
    {
        if constexpr (feature == Feature::vertex) return surface_.vertices;
        else if constexpr (feature == Feature::edge) return surface_.edges;
        else return surface_.triangles;
    }
    template <Feature feature>
    SlabTree& tree() const
    {
        return pairs_.trees[static_cast<int>(feature)];
    }
    /// The corners of a row of eight features.
    template <Feature feature>
    std::array<IndexLanes, 3>& corners_of(int row) const
    {
        return pairs_.corners[static_cast<int>(feature)][row];
    }
    static std::array<int, 1> corners(const ContactSurface::Vertex& v) { return {v.point}; }
    static std::array<int, 2> corners(const ContactSurface::Edge& e) { return {e.a, e.b}; }
    static std::array<int, 3> corners(const ContactSurface::Triangle& t) { return t.point; }

    template <Feature feature>
    void refit()
    {
        const int count = size_of(features<feature>());
        if (tree<feature>().size() != count) tree<feature>() = SlabTree(count);
        pairs_.corners[static_cast<int>(feature)].resize(tree<feature>().rows());
        const auto renewed = [&](int row) {
            if (all_) name_corners<feature>(row);
            return renewed_of<feature>(row);
        };
        tree<feature>().refit(renewed, [&](int row) { return slabs_of<feature>(row); });
    }
    template <Feature feature>
    void name_corners(int row) const
    {
        for (int l = 0; l < kLanes; ++l) {
            const int i = kLanes * row + l;
            for (int k = 0; k < kCorners<feature>; ++k)
                corners_of<feature>(row)[k][l] =
                    i < size_of(features<feature>()) ? corners(features<feature>()[i])[k] : padding_point();
        }
    }
    /// A bit for each of a row that has a renewed corner.
    template <Feature feature>
    unsigned renewed_of(int row) const
    {
        unsigned bits = 0;
        for (int k = 0; k < kCorners<feature>; ++k)
            for (int l = 0; l < kLanes; ++l)
                if (points_.renewed[corners_of<feature>(row)[k][l]] != 0) bits |= 1U << l;
        return bits;
    }
    template <Feature feature>
    Slabs slabs_of(int row) const
    {
        std::array<Vector3<Lanes>, kCorners<feature>> x;
        Lanes more(0);
        for (int k = 0; k < kCorners<feature>; ++k) {
            const int* point = corners_of<feature>(row)[k].data();
            const PointLanes at = gather(points_.reference.data(), point);
            x[k] = at.x;
            more = max(more, gather(points_.reach.data(), point) + at.w);
        }
        return slabs_around(x, more);
    }

    /// All pairs of a new feature and another one; of two new ones the first finds the second.
    template <Feature feature, Feature other>
    void look()
    {
        constexpr PairKind kind = feature == Feature::edge ? PairKind::edge_edge : PairKind::vertex_triangle;
        const int rows = tree<feature>().rows();
        const int searches = (rows + kRowsPerSearch - 1) / kRowsPerSearch, first = used_;
        used_ += searches;
        if (size_of(pairs_.searches) < used_) pairs_.searches.resize(used_);
        parallel_for(searches, 1, [&](int begin, int end) {
            for (int s = begin; s < end; ++s) {
                PairSearch& search = pairs_.searches[first + s];
                search.candidates.clear();
                search.found.clear();
                for (int row = kRowsPerSearch * s; row < std::min(kRowsPerSearch * (s + 1), rows); ++row)
                    if (tree<feature>().changed(row) != 0) list_candidates<feature, other>(row, search);
                measure<kind>(search);
            }
        });
    }

    /// Of the new features of a row.
    template <Feature feature, Feature other>
    void list_candidates(int row, PairSearch& search) const
    {
        constexpr bool kEdges = feature == Feature::edge;
        // vertices have found triangles before; of two new edges the lower one finds the higher
        const int first = kEdges ? row : other == Feature::vertex ? tree<other>().rows() : 0;
        tree<other>().find(tree<feature>(), row, tree<feature>().changed(row), first,
                           [&](int k, int at, unsigned bits) {
                               const int i = kLanes * row + k;
                               bits &= ~common_corners<feature, other>(row, k, at);
                               if constexpr (kEdges) bits &= ~tree<other>().changed(at) | after(i - kLanes * at);
                               if constexpr (other == Feature::vertex) bits &= ~tree<other>().changed(at);
                               for (; bits != 0; bits &= bits - 1) {
                                   const int j = kLanes * at + std::countr_zero(bits);
                                   if (selective_ && !may_touch(features<feature>()[i].body, features<other>()[j].body))
                                       continue;
                                   if constexpr (other == Feature::vertex) search.candidates.push_back({j, i});
                                   else search.candidates.push_back({i, j});
                               }
                           });
    }
    /// A bit for each of a row of others that has a corner in common with feature k of a row.
    template <Feature feature, Feature other>
    unsigned common_corners(int row, int k, int others_row) const
    {
        Pack<int>::Bits common{};
        for (int a = 0; a < kCorners<feature>; ++a)
            for (int b = 0; b < kCorners<other>; ++b)
                common |= std::bit_cast<Pack<int>::Vector>(corners_of<other>(others_row)[b]) ==
                          corners_of<feature>(row)[a][k];
        return bits_of(Pack<int>::Mask{common});
    }
    /// The bits after one of eight, which may be before the first or after the last.
    static unsigned after(int place) { return place < 0 ? ~0U : place >= kLanes ? 0U : ~1U << place; }

    bool may_touch(int body, int other) const
    {
        return surface_.pairing(body, other).on && !surface_.are_in_islands(body, other);
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

    int padding_point() const { return size_of(points_.reference) - 1; }

    /// Measures the candidates and drops those that are out of reach.
    template <PairKind kind>
    void measure(PairSearch& search) const
    {
        const int count = size_of(search.candidates);
        for (int at = 0; at < count; at += kLanes) {
            IndexLanes point[4];
            int body[kLanes][2];
            const int lanes = std::min(kLanes, count - at);
            for (int l = 0; l < kLanes; ++l) {
                int p[4] = {padding_point(), padding_point(), padding_point(), padding_point()};
                if (l < lanes) name_points<kind>(search.candidates[at + l], p, body[l]);
                for (int k = 0; k < 4; ++k) point[k][l] = p[k];
            }
            Vector3<Lanes> x[4];
            Lanes reach[4], budget[4];
            for (int k = 0; k < 4; ++k) {
                const PointLanes reference = gather(points_.reference.data(), point[k].data());
                x[k] = reference.x;
                budget[k] = reference.w;
                reach[k] = gather(points_.reach.data(), point[k].data());
            }
            const Lanes near = sum_of_sides<kind>(reach), both = sum_of_sides<kind>(budget),
                        key = (closest<kind>(x).gap - near) / max(both, Lanes(Real(1e-30)));
            for (unsigned within = bits_of(key < Lanes(1)) & ((1U << lanes) - 1); within != 0; within &= within - 1) {
                const int l = std::countr_zero(within);
                add<kind>(point, body[l], l, key[l], near[l] / kReach, both[l], search);
            }
        }
    }
    /// Within one body whose mesh is much finer than its thickness: features would be near hundreds of their neighbours.
    Real distance_in_fine_mesh(const int p[4], Real distance) const
    {
        const Real edge = std::max(std::max(points_.edge[p[0]], points_.edge[p[1]]),
                                   std::max(points_.edge[p[2]], points_.edge[p[3]]));
        const bool meshed = points_.meshed[p[0]] != 0 && points_.meshed[p[2]] != 0;
        return meshed && edge > 0 && distance > kFineMesh * edge ? kDistanceInFineMesh * edge : distance;
    }
    /// Both features are at a place where their bodies pass through each other, or one is of the rim of a cut-off part.
    template <PairKind kind>
    bool is_exempt(const int p[4], const int body[2]) const
    {
        const Tangles& tangles = pairs_.tangles;
        if (tangles.bodies[static_cast<std::size_t>(body[0]) * surface_.bodies + body[1]] == 0) return false;
        constexpr int kSecond = kind == PairKind::vertex_triangle ? 1 : 2;
        const auto nearest = [&](const int* from, const int* to) {
            char most = 0;
            for (; from != to; ++from) most = std::max(most, tangles.near[*from]);
            return most;
        };
        const char first = nearest(p, p + kSecond), second = nearest(p + kSecond, p + 4);
        return std::max(first, second) == kCutOff || std::min(first, second) == kAtCrossing;
    }
    template <PairKind kind>
    void add(const IndexLanes point[4], const int body[2], int l, Real key, Real distance, Real budget,
             PairSearch& search) const
    {
        const int p[4] = {point[0][l], point[1][l], point[2][l], point[3][l]};
        if (pairs_.tangles.any() && is_exempt<kind>(p, body)) return;
        if (!features_may_touch<kind>(surface_, points_, p, body[0] == body[1])) return;
        if (body[0] == body[1]) {
            distance = distance_at_rest<kind>(surface_, p, distance);
            if (const Real most = distance_in_fine_mesh(p, distance); most < distance) {
                key += kReach * (distance - most) / budget;
                distance = most;
                if (key >= 1) return;
            }
        }
        const ContactSurface::Pairing& pairing = surface_.pairing(body[0], body[1]);
        // near its ends an edge of a mesh touches by the vertices there
        const bool inside = kind == PairKind::edge_edge && points_.meshed[p[0]] != 0 && points_.meshed[p[2]] != 0;
        search.found.push_back(
            {{p[0], p[1], p[2], p[3]}, key, distance, pairing.friction, pairing.sliding, inside ? Real(1) : Real(0)});
    }

    const ContactSurface& surface_;
    Pairs& pairs_;
    const PairPoints& points_;
    bool all_;        // are renewed
    bool in_order_;   // puts all pairs in order again
    bool selective_;  // some bodies may not touch
    int used_ = 0;    // searches
};

}  // namespace

void find_pairs(const ContactSurface& surface, Pairs& pairs)
{
    Finder finder(surface, pairs);
    finder.refit();
    finder.find();
}

}  // namespace pliant
