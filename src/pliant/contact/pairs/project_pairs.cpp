#include "pliant/contact/pairs/project_pairs.h"

#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/pair_kernels.h"
#include "pliant/contact/pairs/touching.h"

#include <algorithm>
#include <bit>

namespace pliant {

namespace {

constexpr int kSolveGrain = 48;    // blocks of one colour that a thread takes at least
constexpr int kPairsAhead = 6;     // blocks of pairs from one that is looked at to one that is fetched
constexpr int kContactsAhead = 3;  // the same of contacts

constexpr Real kMinEndWeight = Real(1e-4);  // of an edge's length, from its ends
/// Contacts for which no colour is left are solved one by one, after the others.
constexpr int kColours = 64;

template <PairKind kind>
PLIANT_INLINE void measure(PairBlock& block, const PairPoints& points)
{
    Vector3<Lanes> x[4];
    for (int k = 0; k < 4; ++k) x[k] = gather(points.start.data(), block.point[k].data()).x;
    const Closest<Lanes> nearest = closest<kind>(x);
    block.n = select(block.distance > Lanes(0), nearest.n, Vector3<Lanes>{});
    block.gap = nearest.gap;
    for (int k = 0; k < 4; ++k) block.w[k] = nearest.w[k];
    block.clearance = clearance<kind>(block.n, x);
}

bool has_touching(const PairBlock& block) { return bits_of(block.gap < Lanes(kMayTouch) * block.distance) != 0; }

/// Prefetches memory that will be needed soon.
PLIANT_INLINE void fetch(const void* from, std::size_t bytes)
{
    for (std::size_t k = 0; k < bytes; k += 64) __builtin_prefetch(static_cast<const char*>(from) + k);
}

/// A block that does not count needs nothing else.
PLIANT_INLINE void fetch_names(const PairBlock& block) { fetch(&block, sizeof block.point + sizeof block.key); }

bool any_counts(const PairBlock& block, const PairPoints& points)
{
    Lanes used(0);
    for (int k = 0; k < 4; ++k) used = max(used, gather(points.used.data(), block.point[k].data()));
    return bits_of(used >= block.key) != 0;
}

/// Lists the pairs of a block that are within reach.
template <PairKind kind>
PLIANT_INLINE void list_active(const PairBlock& block, Real h, const PairPoints& points, std::vector<ActivePair>& list)
{
    Vector3<Lanes> apart{}, from{};
    Lanes inverse_mass(0);
    for (int k = 0; k < 4; ++k) {
        const PointLanes now = gather(points.now.data(), block.point[k].data());
        apart += block.w[k] * now.x;
        inverse_mass += block.w[k] * block.w[k] * now.w;
    }
    const Lanes least = min(min(abs(block.w[0]), abs(block.w[1])), min(abs(block.w[2]), abs(block.w[3])));
    unsigned bits = bits_of((block.n.dot(apart) < kReach * block.distance) & (block.distance > Lanes(0)) &
                            (least >= kMinEndWeight * block.inside));
    if (bits == 0) return;
    for (int k = 0; k < 4; ++k) from += block.w[k] * gather(points.start.data(), block.point[k].data()).x;
    const Lanes inverse = safe_inverse(inverse_mass);
    const Lanes target = target_of(block.distance, block.gap, h);
    for (; bits != 0; bits &= bits - 1) {
        const int l = std::countr_zero(bits);
        list.push_back({kind,
                        {block.point[0][l], block.point[1][l], block.point[2][l], block.point[3][l]},
                        {block.w[0][l], block.w[1][l], block.w[2][l], block.w[3][l]},
                        lane(block.n, l),
                        lane(from, l),
                        block.distance[l],
                        target[l],
                        inverse[l],
                        block.friction[l],
                        block.sliding[l]});
    }
}

void list_active(const Pairs& pairs, Real h, PairContacts& contacts)
{
    const CountingBlocks counting(pairs);
    const int parts = (counting.size() + kPairPart - 1) / kPairPart;
    if (static_cast<int>(contacts.active.size()) < parts) contacts.active.resize(parts);
    for (auto& part : contacts.active) part.clear();
    parallel_for(parts, 1, [&](int begin, int end) {
        for (int part = begin; part < end; ++part) {
            for (int b = kPairPart * part; b < std::min(kPairPart * (part + 1), counting.size()); ++b) {
                const auto [list, number] = counting[b];
                const PairBlock& block = pairs.lists[list].blocks[number];
                with_kind(list,
                          [&]<PairKind kind>() { list_active<kind>(block, h, pairs.points, contacts.active[part]); });
            }
        }
    });
    contacts.count = 0;
    for (const auto& part : contacts.active) contacts.count += static_cast<int>(part.size());
}

/// Gives every contact the lowest colour that none of its points has, and counts the blocks of each.
void colour(const Pairs& pairs, PairContacts& contacts)
{
    contacts.colours.resize(pairs.points.now.size());
    std::array<int, kColours + 1> count{};
    for (auto& part : contacts.active) {
        for (ActivePair& a : part) {
            std::uint64_t taken = 0;
            for (const int p : a.point) taken |= contacts.colours[p];
            a.colour = std::countr_one(taken);
            if (a.colour < kColours)
                for (const int p : a.point) contacts.colours[p] |= std::uint64_t(1) << a.colour;
            ++count[a.colour];
        }
    }
    for (const auto& part : contacts.active)
        for (const ActivePair& a : part)
            for (const int p : a.point) contacts.colours[p] = 0;
    contacts.first_block.clear();
    int blocks = 0;
    for (int c = 0; c < kColours; ++c) {
        if (count[c] == 0) break;
        contacts.first_block.push_back(blocks);
        blocks += (count[c] + kLanes - 1) / kLanes;
    }
    // each contact without a colour is alone in its block
    for (int k = 0; k < count[kColours]; ++k) contacts.first_block.push_back(blocks++);
    contacts.first_block.push_back(blocks);
}

int points_of(const PairPoints& points) { return static_cast<int>(points.start.size()); }

void set_contact(const ActivePair& from, int l, PairContact& to)
{
    for (int k = 0; k < 4; ++k) {
        to.point[k][l] = from.point[k];
        to.w[k].set(l, from.w[k]);
    }
    set_lane(to.n, l, from.n);
    set_lane(to.from, l, from.from);
    to.target.set(l, from.target);
    to.inverse.set(l, from.inverse);
    to.friction.set(l, from.friction);
    to.sliding.set(l, from.sliding);
}

/// Contacts of one colour are from all over the list: asks for one that will be needed soon.
void fetch_placed(const PairContacts& contacts, int number)
{
    if (number >= static_cast<int>(contacts.placed.size())) return;
    fetch(contacts.placed[number], sizeof(ActivePair));
}

/// A lane of a block for each contact, colour by colour.
void place(PairContacts& contacts)
{
    contacts.placed.assign(kLanes * static_cast<std::size_t>(contacts.first_block.back()), nullptr);
    std::array<int, kColours> next{};
    int alone = static_cast<int>(contacts.first_block.size()) - 2;
    for (const auto& part : contacts.active) {
        for (const ActivePair& a : part) {
            const bool coloured = a.colour < kColours;
            const int first = contacts.first_block[coloured ? a.colour : alone--];
            contacts.placed[kLanes * first + (coloured ? next[a.colour]++ : 0)] = &a;
        }
    }
}

/// Contacts with rigid bodies that give way are kept apart.
void take_mixed(const ContactSurface& surface, Real h, const PairPoints& points, const RigidBodies& bodies,
                PairContacts& contacts)
{
    contacts.mixed.clear();
    contacts.mixed_moved = 0;
    if (surface.carried.empty()) return;
    const auto take = [&](const ActivePair& a) {
        const bool moves =
            std::ranges::any_of(a.point, [&](int p) { return surface.is_carried(p) && points.now[p].w > 0; });
        if (moves) contacts.mixed.push_back(make_mixed_contact(surface, h, points, bodies, a));
        return moves;
    };
    for (auto& part : contacts.active) std::erase_if(part, take);
}

}  // namespace

void count_no_pairs(Pairs& pairs)
{
    for (PairList& list : pairs.lists) {
        std::ranges::fill(list.counts, 0);
        list.counting.clear();
    }
}

void measure_pairs(const ContactSurface& surface, Pairs& pairs)
{
    const Real most = *std::ranges::max_element(pairs.points.used);
    // a body that became non-finite, or nearly so, has a share that no int holds
    const int sixteenths = most < 1 ? static_cast<int>(std::ceil(kSixteenths * most)) : kSixteenths;
    for (int k = 0; k < Pairs::kLists; ++k) {
        PairList& list = pairs.lists[k];
        const int count = list.within[sixteenths];
        parallel_for(count, kPairGrain, [&](int begin, int end) {
            for (int b = begin; b < end; ++b) {
                PairBlock& block = list.blocks[b];
                if (b + kPairsAhead < count) fetch_names(list.blocks[b + kPairsAhead]);
                if (list.counts[b] != 0 || !any_counts(block, pairs.points)) continue;
                with_kind(k, [&]<PairKind kind>() { measure<kind>(block, pairs.points); });
                list.counts[b] = has_touching(block) ? kCountsAndTouches : kCounts;
            }
        });
        list.counting.clear();
        for (int b = 0; b < list.size(); ++b) {
            if (list.counts[b] == 0) continue;
            list.counting.push_back(b);
            if (list.counts[b] != kCountsAndTouches) continue;
            if (!pairs.stars.made) make_stars(surface, pairs.stars);
            set_touching_normals(kind_of(k), surface, pairs.stars, pairs.points, list.blocks[b]);
            list.counts[b] = kCounts;
        }
    }
}

void find_contacts(const ContactSurface& surface, Real h, const Pairs& pairs, const RigidBodies& bodies,
                   PairContacts& contacts)
{
    list_active(pairs, h, contacts);
    take_mixed(surface, h, pairs.points, bodies, contacts);
    colour(pairs, contacts);
    place(contacts);
    contacts.blocks.resize(contacts.first_block.back());
    parallel_for(static_cast<int>(contacts.blocks.size()), kPairGrain, [&](int begin, int end) {
        for (int b = begin; b < end; ++b) {
            PairContact& block = contacts.blocks[b] = {};
            for (int l = 0; l < kLanes; ++l) {
                fetch_placed(contacts, kLanes * (b + kContactsAhead) + l);
                if (const ActivePair* a = contacts.placed[kLanes * b + l]; a != nullptr) set_contact(*a, l, block);
                else
                    for (IndexLanes& p : block.point) p[l] = padding_of_group(points_of(pairs.points), b);
            }
        }
    });
}

namespace {

PLIANT_INLINE void solve(PairContact& c, Point* points)
{
    PointLanes p[4];
    Vector3<Lanes> apart{};
    for (int k = 0; k < 4; ++k) {
        p[k] = gather(points, c.point[k].data());
        apart += c.w[k] * p[k].x;
    }
    const Lanes push = max(-(c.n.dot(apart) - c.target) * c.inverse, -c.lambda);
    c.lambda += push;
    const Vector3<Lanes> moved = apart - c.from;
    const Vector3<Lanes> slide = moved - c.n.dot(moved) * c.n;
    Vector3<Lanes> tau = c.tau - c.inverse * slide;
    const Lanes length = sqrt(tau.squared_norm());
    const Lanes allowed = select(length > c.friction * c.lambda, c.sliding * c.lambda, length);
    tau = (allowed / max(length, Lanes(sizeof(Real) == 4 ? 1e-30 : 1e-200))) * tau;
    const Vector3<Lanes> change = push * c.n + (tau - c.tau);
    c.tau = tau;
    // of an edge without length the first end, which has all the weight, is stored last
    for (const int k : {1, 0, 3, 2}) {
        p[k].x += (c.w[k] * p[k].w) * change;
        scatter(p[k], c.point[k].data(), points);
    }
}

}  // namespace

void solve_contacts(bool backward, PairContacts& contacts, PairPoints& points)
{
    // behind the points, one for the empty lanes of each block: no two threads write to the same
    points.now.resize(std::max(points.now.size(), points.start.size() + contacts.blocks.size()));
    const int colours = static_cast<int>(contacts.first_block.size()) - 1;
    for (int k = 0; k < colours; ++k) {
        const int c = backward ? colours - 1 - k : k;
        const int first = contacts.first_block[c];
        parallel_for(contacts.first_block[c + 1] - first, kSolveGrain, [&](int begin, int end) {
            for (int b = first + begin; b < first + end; ++b) solve(contacts.blocks[b], points.now.data());
        });
    }
}

}  // namespace pliant
