#include "pliant/base/parallel.h"
#include "pliant/contact/pair_kernels.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {

namespace {

constexpr int kSearchSize = 256;  // things of a search
constexpr int kPartSize = 2048;   // pairs that are sorted together
constexpr int kGrain = 64;        // blocks a thread takes at least
/// When more of the points than one in so many have changed, all pairs are put in order again.
constexpr int kChangedOf = 4;

/// Points of the same body that are near each other at rest keep less than their thickness.
constexpr Real kOfRest = Real(0.9);
/// Balls of one body nearer than so many diameters at rest do not touch: its elasticity keeps them apart.
constexpr Real kBallsApart = Real(2.5);

int size_of(const auto& v) { return static_cast<int>(v.size()); }

enum class Thing { vertex, edge, triangle };

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
    }

    void refit()
    {
        refit<Thing::vertex>(pairs_.vertices);
        refit<Thing::edge>(pairs_.edges);
        refit<Thing::triangle>(pairs_.triangles);
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
        if (all_) {  // the surface may be another one: names of points mean nothing
            list.pairs.clear();
            late.pairs.clear();
        }
        Gone gone;
        if (in_order_) {
            gone.changed = size_of(list.pairs);
            list.pairs.insert(list.pairs.end(), late.pairs.begin(), late.pairs.end());
            late.pairs.clear();
            fill({}, late);
        } else {
            drop_renewed(list);
        }
        PairList& to = in_order_ ? list : late;
        gone.renewed = size_of(to.pairs);
        used_ = 0;
        look_around();
        for (int s = 0; s < used_; ++s)
            to.pairs.insert(to.pairs.end(), pairs_.searches[s].found.begin(), pairs_.searches[s].found.end());
        fill(gone, to);
    }

    /// Which pairs of a list are no more: up to a number those of changed points, then up to another those of renewed ones.
    struct Gone {
        int changed = 0, renewed = 0;
    };
    bool is_gone(const Gone& gone, int number, const FoundPair& pair) const
    {
        if (number >= gone.renewed) return false;
        const std::vector<char>& points = number < gone.changed ? points_.changed : points_.renewed;
        return std::ranges::any_of(pair.point, [&](int p) { return points[p] != 0; });
    }

    /// Pairs of renewed points become pairs of nobody.
    void drop_renewed(PairList& list) const
    {
        parallel_for(list.size(), kGrain, [&](int begin, int end) {
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
    const BoxTree& tree() const
    {
        if constexpr (thing == Thing::vertex) return pairs_.vertices;
        else if constexpr (thing == Thing::edge) return pairs_.edges;
        else return pairs_.triangles;
    }
    template <Thing thing>
    const PairEight& eight_of(int number) const
    {
        return pairs_.eights[static_cast<int>(thing)][number / kLanes];
    }
    static std::array<int, 1> corners(const ContactSurface::Vertex& v) { return {v.point}; }
    static std::array<int, 2> corners(const ContactSurface::Edge& e) { return {e.a, e.b}; }
    static std::array<int, 3> corners(const ContactSurface::Triangle& t) { return t.point; }

    /// Boxes of things with renewed corners.
    template <Thing thing>
    void refit(BoxTree& tree)
    {
        if (tree.size() != size_of(things<thing>())) tree = BoxTree(size_of(things<thing>()));
        auto& eights = pairs_.eights[static_cast<int>(thing)];
        eights.resize((things<thing>().size() + kLanes - 1) / kLanes);
        parallel_for(size_of(eights), kGrain, [&](int begin, int end) {
            for (int e = begin; e < end; ++e) set_eight<thing>(e, eights[e]);
        });
        tree.refit([&](int i) { return box_of(corners(things<thing>()[i])); }, [&](int i) { return is_new<thing>(i); });
    }
    template <Thing thing>
    void set_eight(int number, PairEight& eight) const
    {
        eight.renewed = 0;
        for (int l = 0; l < std::min(kLanes, size_of(things<thing>()) - kLanes * number); ++l) {
            const auto points = corners(things<thing>()[kLanes * number + l]);
            for (std::size_t k = 0; k < points.size(); ++k) {
                if (all_) eight.point[k].set(l, points[k]);
                if (points_.renewed[points[k]] != 0) eight.renewed |= 1U << l;
            }
        }
    }
    template <Thing thing>
    bool is_new(int number) const
    {
        return (eight_of<thing>(number).renewed >> number % kLanes & 1) != 0;
    }

    template <std::size_t n>
    Box box_of(const std::array<int, n>& corners) const
    {
        Vec3 x = points_.reference[corners[0]].position();
        Box box{x, x};
        Real more = 0;
        for (const int c : corners) {
            x = points_.reference[c].position();
            more = std::max(more, points_.reach[c] + points_.budget[c]);
            box = join(box, {x, x});
        }
        const Vec3 all{more, more, more};
        return {box.low - all, box.high + all};
    }

    /// All pairs of a new thing and another one; of two new ones the first finds the second.
    template <Thing thing, Thing other>
    void look()
    {
        constexpr PairKind kind = thing == Thing::edge ? PairKind::edge_edge : PairKind::vertex_triangle;
        const int count = size_of(things<thing>());
        const int searches = (count + kSearchSize - 1) / kSearchSize, first = used_;
        used_ += searches;
        if (size_of(pairs_.searches) < used_) pairs_.searches.resize(used_);
        parallel_for(searches, 1, [&](int begin, int end) {
            for (int s = begin; s < end; ++s) {
                PairSearch& search = pairs_.searches[first + s];
                search.candidates.clear();
                search.found.clear();
                for (int i = kSearchSize * s; i < std::min(kSearchSize * (s + 1), count); i += kLanes)
                    if (eight_of<thing>(i).renewed != 0) list_candidates<thing, other>(i, search);
                measure<kind>(search);
            }
        });
    }

    /// Up to eight things that are near each other: one walk down the tree for all of them.
    template <Thing thing, Thing other>
    void list_candidates(int first, PairSearch& search) const
    {
        constexpr bool kEdges = thing == Thing::edge;
        int who[kLanes], count = 0;
        Box box[kLanes];
        for (unsigned bits = eight_of<thing>(first).renewed; bits != 0; bits &= bits - 1) {
            who[count] = first + std::countr_zero(bits);
            box[count] = tree<thing>().box(who[count]);
            ++count;
        }
        // vertices have found triangles before; of two new edges the lower one finds the higher
        const int from = kEdges ? first + 1 : other == Thing::vertex ? size_of(surface_.vertices) : 0;
        tree<other>().find({box, static_cast<std::size_t>(count)}, from, [&](int k, int number, unsigned bits) {
            const int i = who[k];
            const PairEight& eight = eight_of<other>(kLanes * number);
            bits &= ~common_corners<other>(corners(things<thing>()[i]), eight);
            if constexpr (kEdges) bits &= ~eight.renewed | after(i - kLanes * number);
            for (; bits != 0; bits &= bits - 1) {
                const int j = kLanes * number + std::countr_zero(bits);
                if constexpr (other == Thing::vertex) {
                    if (may_touch(surface_.vertices[j], surface_.triangles[i])) search.candidates.push_back({j, i});
                } else {
                    if (may_touch(things<thing>()[i], things<other>()[j])) search.candidates.push_back({i, j});
                }
            }
        });
    }

    /// A bit for each of eight that has one of these corners.
    template <Thing other, std::size_t n>
    static unsigned common_corners(const std::array<int, n>& points, const PairEight& eight)
    {
        Pack<int>::Bits common{};
        for (const int p : points)
            for (int k = 0; k <= static_cast<int>(other); ++k) common |= eight.point[k].v == p;
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
    // of things without a common corner:
    bool may_touch(const ContactSurface::Vertex& vertex, const ContactSurface::Triangle& triangle) const
    {
        const int p = vertex.point;
        const auto& q = triangle.point;
        if (!may_touch(vertex.body, triangle.body)) return false;
        return std::ranges::none_of(q, [&](int corner) { return surface_.are_glued(p, corner); });
    }
    bool may_touch(const ContactSurface::Edge& edge, const ContactSurface::Edge& other) const
    {
        if (!may_touch(edge.body, other.body)) return false;
        for (const int a : {edge.a, edge.b})
            if (surface_.are_glued(a, other.a) || surface_.are_glued(a, other.b)) return false;
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
        if (body[0] == body[1]) {
            Vec3 rest[4];
            for (int k = 0; k < 4; ++k) rest[k] = surface_.rest[p[k]];
            distance = std::min(distance, kOfRest * closest<kind>(rest).gap);
        }
        const ContactSurface::Pairing& pairing = surface_.pairing(body[0], body[1]);
        // near its ends an edge of a mesh touches by the vertices there
        const bool inside = kind == PairKind::edge_edge && points_.meshed[p[0]] != 0 && points_.meshed[p[2]] != 0;
        search.found.push_back(
            {{p[0], p[1], p[2], p[3]}, key, distance, pairing.friction, pairing.sliding, inside ? Real(1) : Real(0)});
    }

    /// By sixteenths of the budget, in the order of finding within each, without what is gone.
    void sort(const Gone& gone, PairList& list)
    {
        const auto sixteenth = [](Real key) {
            return std::clamp(static_cast<int>(std::ceil(key * kSixteenths)), 0, kSixteenths);
        };
        const int count = size_of(list.pairs), parts = (count + kPartSize - 1) / kPartSize;
        const auto for_each_pair = [&](const auto& visit) {
            parallel_for(parts, 1, [&](int begin, int end) {
                for (int part = begin; part < end; ++part)
                    for (int k = kPartSize * part; k < std::min(kPartSize * (part + 1), count); ++k)
                        if (!is_gone(gone, k, list.pairs[k]))
                            visit(list.pairs[k], pairs_.places[part][sixteenth(list.pairs[k].key)]);
            });
        };
        pairs_.places.assign(parts, {});
        for_each_pair([](const FoundPair&, int& place) { ++place; });
        list.within.resize(kSixteenths + 1);
        int before = 0;
        for (int k = 0; k <= kSixteenths; ++k) {
            for (auto& places : pairs_.places) before += std::exchange(places[k], before);
            list.within[k] = (before + kLanes - 1) / kLanes;
        }
        pairs_.sorted.resize(static_cast<std::size_t>(before));
        for_each_pair([&](const FoundPair& pair, int& place) { pairs_.sorted[place++] = pair; });
        list.pairs.swap(pairs_.sorted);
    }

    void fill(const Gone& gone, PairList& list)
    {
        sort(gone, list);
        const int count = size_of(list.pairs);
        if (size_of(list.blocks) < list.size()) list.blocks.resize(list.size());
        list.counts.assign(list.size(), 0);
        list.counting.clear();
        const FoundPair none{{nobody(), nobody(), nobody(), nobody()}, 1, -1, 0, 0, 0};
        parallel_for(list.size(), kGrain, [&](int begin, int end) {
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
    bool all_;       // are renewed
    bool in_order_;  // puts all pairs in order again
    int used_ = 0;   // searches
};

}  // namespace

void PairPoints::resize(int points)
{
    const std::size_t count = static_cast<std::size_t>(points) + 1;
    for (auto* places : {&start, &now, &reference}) places->resize(count);
    for (auto* numbers : {&budget, &used, &reach}) numbers->resize(count);
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
