#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/pair_kernels.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {

namespace {

constexpr int kSearchSize = 32;          // rows of eight of a search
constexpr std::size_t kPartSize = 2048;  // pairs that are sorted together
/// When more of the points than one in so many have changed, all pairs are put in order again.
constexpr int kChangedOf = 4;

/// Points of the same body that are near each other at rest keep less than their thickness.
constexpr Real kOfRest = Real(0.9);
/// Balls of one body nearer than so many diameters at rest do not touch: its elasticity keeps them apart.
constexpr Real kBallsApart = Real(2.5);

int size_of(const auto& v) { return static_cast<int>(v.size()); }

enum class Thing { vertex, edge, triangle };

template <Thing thing>
constexpr int kCorners = static_cast<int>(thing) + 1;

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
        in_order_ = kChangedOf * changed > surface.vertices.size();
        selective_ = !surface.all_touch || !pairs.tangled.empty();
    }

    void refit()
    {
        refit<Thing::vertex>();
        refit<Thing::edge>();
        refit<Thing::triangle>();
    }

    void find()
    {
        find<PairKind::vertex_triangle>([&] {
            look<Thing::vertex, Thing::triangle>();
            look<Thing::triangle, Thing::vertex>();
        });
        find<PairKind::edge_edge>([&] { look<Thing::edge, Thing::edge>(); });
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
        if (!all_) {  // else the surface may be another one: names of points mean nothing
            if (in_order_) add_parts(list.pairs, points_.changed);
            else drop_renewed(list);
            add_parts(late.pairs, points_.renewed);
        }
        for (int s = 0; s < used_; ++s) pairs_.parts.push_back({pairs_.searches[s].found, {}});
        fill(in_order_ ? list : late);
        if (!in_order_) return;
        pairs_.parts.clear();  // all are in one list now
        fill(late);
    }
    void add_parts(std::span<const FoundPair> all, std::span<const char> gone)
    {
        for (std::size_t k = 0; k < all.size(); k += kPartSize)
            pairs_.parts.push_back({all.subspan(k, std::min(kPartSize, all.size() - k)), gone});
    }

    /// Pairs of renewed points become pairs of nobody.
    void drop_renewed(PairList& list) const
    {
        parallel_for(list.size(), kPairGrain, [&](int begin, int end) {
            for (int b = begin; b < end; ++b) {
                PairBlock& block = list.blocks[b];
                for (int l = 0; l < kLanes; ++l) {
                    const auto renewed = [&](int k) { return points_.renewed[block.point[k][l]] != 0; };
                    if (renewed(0) || renewed(1) || renewed(2) || renewed(3)) block.distance.set(l, -1);
                }
            }
        });
    }

    template <Thing thing>
    const auto& things() const
    {
        if constexpr (thing == Thing::vertex) return surface_.vertices;
        else if constexpr (thing == Thing::edge) return surface_.edges;
        else return surface_.triangles;
    }
    template <Thing thing>
    SlabTree& tree() const
    {
        return pairs_.trees[static_cast<int>(thing)];
    }
    /// Of a row of eight.
    template <Thing thing>
    std::array<IndexLanes, 3>& corners_of(int row) const
    {
        return pairs_.corners[static_cast<int>(thing)][row];
    }
    static std::array<int, 1> corners(const ContactSurface::Vertex& v) { return {v.point}; }
    static std::array<int, 2> corners(const ContactSurface::Edge& e) { return {e.a, e.b}; }
    static std::array<int, 3> corners(const ContactSurface::Triangle& t) { return t.point; }

    template <Thing thing>
    void refit()
    {
        const int count = size_of(things<thing>());
        if (tree<thing>().size() != count) tree<thing>() = SlabTree(count);
        pairs_.corners[static_cast<int>(thing)].resize(tree<thing>().rows());
        const auto renewed = [&](int row) {
            if (all_) name_corners<thing>(row);
            return renewed_of<thing>(row);
        };
        tree<thing>().refit(renewed, [&](int row) { return slabs_of<thing>(row); });
    }
    template <Thing thing>
    void name_corners(int row) const
    {
        for (int l = 0; l < kLanes; ++l) {
            const int i = kLanes * row + l;
            for (int k = 0; k < kCorners<thing>; ++k)
                corners_of<thing>(row)[k][l] = i < size_of(things<thing>()) ? corners(things<thing>()[i])[k] : nobody();
        }
    }
    /// A bit for each of a row that has a renewed corner.
    template <Thing thing>
    unsigned renewed_of(int row) const
    {
        unsigned bits = 0;
        for (int k = 0; k < kCorners<thing>; ++k)
            for (int l = 0; l < kLanes; ++l)
                if (points_.renewed[corners_of<thing>(row)[k][l]] != 0) bits |= 1U << l;
        return bits;
    }
    template <Thing thing>
    Slabs slabs_of(int row) const
    {
        std::array<Vector3<Lanes>, kCorners<thing>> x;
        Lanes more(0);
        for (int k = 0; k < kCorners<thing>; ++k) {
            const int* point = corners_of<thing>(row)[k].data();
            const PointLanes at = gather(points_.reference.data(), point);
            x[k] = at.x;
            more = max(more, gather(points_.reach.data(), point) + at.w);
        }
        return slabs_around(x, more);
    }

    /// All pairs of a new thing and another one; of two new ones the first finds the second.
    template <Thing thing, Thing other>
    void look()
    {
        constexpr PairKind kind = thing == Thing::edge ? PairKind::edge_edge : PairKind::vertex_triangle;
        const int rows = tree<thing>().rows();
        const int searches = (rows + kSearchSize - 1) / kSearchSize, first = used_;
        used_ += searches;
        if (size_of(pairs_.searches) < used_) pairs_.searches.resize(used_);
        parallel_for(searches, 1, [&](int begin, int end) {
            for (int s = begin; s < end; ++s) {
                PairSearch& search = pairs_.searches[first + s];
                search.candidates.clear();
                search.found.clear();
                for (int row = kSearchSize * s; row < std::min(kSearchSize * (s + 1), rows); ++row)
                    if (tree<thing>().changed(row) != 0) list_candidates<thing, other>(row, search);
                measure<kind>(search);
            }
        });
    }

    /// Of the new things of a row.
    template <Thing thing, Thing other>
    void list_candidates(int row, PairSearch& search) const
    {
        constexpr bool kEdges = thing == Thing::edge;
        // vertices have found triangles before; of two new edges the lower one finds the higher
        const int first = kEdges ? row : other == Thing::vertex ? tree<other>().rows() : 0;
        tree<other>().find(tree<thing>(), row, tree<thing>().changed(row), first, [&](int k, int at, unsigned bits) {
            const int i = kLanes * row + k;
            bits &= ~common_corners<thing, other>(row, k, at);
            if constexpr (kEdges) bits &= ~tree<other>().changed(at) | after(i - kLanes * at);
            if constexpr (other == Thing::vertex) bits &= ~tree<other>().changed(at);
            for (; bits != 0; bits &= bits - 1) {
                const int j = kLanes * at + std::countr_zero(bits);
                if (selective_ && !may_touch(things<thing>()[i].body, things<other>()[j].body)) continue;
                if constexpr (other == Thing::vertex) search.candidates.push_back({j, i});
                else search.candidates.push_back({i, j});
            }
        });
    }
    /// A bit for each of a row of others that has a corner in common with thing k of a row.
    template <Thing thing, Thing other>
    unsigned common_corners(int row, int k, int others_row) const
    {
        Pack<int>::Bits common{};
        for (int a = 0; a < kCorners<thing>; ++a)
            for (int b = 0; b < kCorners<other>; ++b)
                common |=
                    std::bit_cast<Pack<int>::Vector>(corners_of<other>(others_row)[b]) == corners_of<thing>(row)[a][k];
        return bits_of(Pack<int>::Mask{common});
    }
    /// The bits after one of eight, which may be before the first or after the last.
    static unsigned after(int place) { return place < 0 ? ~0U : place >= kLanes ? 0U : ~1U << place; }

    bool may_touch(int body, int other) const
    {
        return surface_.pairing(body, other).on &&
               (pairs_.tangled.empty() ||
                pairs_.tangled[static_cast<std::size_t>(body) * surface_.bodies + other] == 0);
    }
    /// Of bodies that may touch, things without a common corner.
    template <PairKind kind>
    bool may_touch(const int p[4], bool same_body) const
    {
        constexpr int kFirst = kind == PairKind::vertex_triangle ? 1 : 2;  // points of the first side
        for (int a = 0; a < kFirst; ++a)
            for (int b = kFirst; b < 4; ++b)
                if (surface_.are_glued(p[a], p[b])) return false;
        if (kind == PairKind::vertex_triangle || !same_body || p[0] != p[1] || p[2] != p[3]) return true;
        const Real near = kBallsApart / kReach * (points_.reach[p[0]] + points_.reach[p[2]]);
        return (surface_.rest[p[0]] - surface_.rest[p[2]]).squared_norm() >= near * near;
    }
    /// That two things of one body keep: less than asked for where they are nearer at rest.
    template <PairKind kind>
    Real distance_at_rest(const int p[4], Real distance) const
    {
        Vec3 x[4];
        for (int k = 0; k < 4; ++k) x[k] = surface_.rest[p[k]];
        // most are further apart than that along an axis
        const Real far = distance / kOfRest;
        for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}})
            if (clearance<kind>(axis, x) > far || clearance<kind>(-axis, x) > far) return distance;
        return std::min(distance, kOfRest * closest<kind>(x).gap);
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
                const PointLanes reference = gather(points_.reference.data(), point[k].data());
                x[k] = reference.x;
                budget[k] = reference.w;
                reach[k] = gather(points_.reach.data(), point[k].data());
            }
            const Lanes near = sum_of_sides<kind>(reach), both = sum_of_sides<kind>(budget),
                        key = (closest<kind>(x).gap - near) / max(both, Lanes(Real(1e-30)));
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
        const auto& exempt = pairs_.exempt[static_cast<int>(kind)];
        if (!exempt.empty() && std::ranges::binary_search(exempt, name_of_pair(kind, p))) return;
        if (!may_touch<kind>(p, body[0] == body[1])) return;
        if (body[0] == body[1]) distance = distance_at_rest<kind>(p, distance);
        const ContactSurface::Pairing& pairing = surface_.pairing(body[0], body[1]);
        // near its ends an edge of a mesh touches by the vertices there
        const bool inside = kind == PairKind::edge_edge && points_.meshed[p[0]] != 0 && points_.meshed[p[2]] != 0;
        search.found.push_back(
            {{p[0], p[1], p[2], p[3]}, key, distance, pairing.friction, pairing.sliding, inside ? Real(1) : Real(0)});
    }

    /// All parts by sixteenths of the budget, in the order of finding within each, without what is gone.
    void sort(PairList& list)
    {
        const auto sixteenth = [](Real key) {
            return static_cast<int>(std::ceil(std::clamp(key, Real(0), Real(1)) * kSixteenths));
        };
        const auto is_gone = [](const PairPart& part, const FoundPair& pair) {
            return !part.gone.empty() && std::ranges::any_of(pair.point, [&](int p) { return part.gone[p] != 0; });
        };
        const auto for_each_pair = [&](const auto& visit) {
            parallel_for(size_of(pairs_.parts), 1, [&](int begin, int end) {
                for (PairPart& part : std::span(pairs_.parts).subspan(begin, end - begin))
                    for (const FoundPair& pair : part.pairs)
                        if (!is_gone(part, pair)) visit(pair, part.places[sixteenth(pair.key)]);
            });
        };
        for_each_pair([](const FoundPair&, int& place) { ++place; });
        list.within.resize(kSixteenths + 1);
        int before = 0;
        for (int k = 0; k <= kSixteenths; ++k) {
            for (PairPart& part : pairs_.parts) before += std::exchange(part.places[k], before);
            list.within[k] = (before + kLanes - 1) / kLanes;
        }
        pairs_.sorted.resize(static_cast<std::size_t>(before));
        for_each_pair([&](const FoundPair& pair, int& place) { pairs_.sorted[place++] = pair; });
        list.pairs.swap(pairs_.sorted);
    }

    void fill(PairList& list)
    {
        sort(list);
        const int count = size_of(list.pairs);
        if (size_of(list.blocks) < list.size()) list.blocks.resize(list.size());
        list.counts.assign(list.size(), 0);
        list.counting.clear();
        const FoundPair none{{nobody(), nobody(), nobody(), nobody()}, 1, -1, 0, 0, 0};
        parallel_for(list.size(), kPairGrain, [&](int begin, int end) {
            for (int b = begin; b < end; ++b) {
                PairBlock& block = list.blocks[b];
                for (int l = 0; l < kLanes; ++l) {
                    const FoundPair& pair = kLanes * b + l < count ? list.pairs[kLanes * b + l] : none;
                    for (int k = 0; k < 4; ++k) block.point[k][l] = pair.point[k];
                    block.key.set(l, pair.key);
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
    bool all_;        // are renewed
    bool in_order_;   // puts all pairs in order again
    bool selective_;  // some bodies may not touch
    int used_ = 0;    // searches
};

}  // namespace

void PairPoints::resize(int points)
{
    const std::size_t count = static_cast<std::size_t>(points) + 1;
    for (auto* places : {&start, &now, &reference}) places->resize(count);
    for (auto* numbers : {&used, &reach}) numbers->resize(count);
    for (auto* marks : {&renewed, &changed, &meshed}) marks->assign(count, 0);
}

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
    Finder finder(surface, pairs);
    finder.refit();
    finder.find();
}

}  // namespace pliant
