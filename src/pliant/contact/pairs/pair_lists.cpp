#include "pliant/contact/pairs/pair_lists.h"

#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/pair_kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pliant {

namespace {

constexpr std::size_t kPartSize = 2048;  // pairs that are sorted together

/// All parts by sixteenths of the budget, in the order of finding within each, without what is gone.
void sort_parts(Pairs& pairs, PairList& list)
{
    const auto sixteenth = [](Real key) {
        return static_cast<int>(std::ceil(std::clamp(key, Real(0), Real(1)) * kSixteenths));
    };
    const auto is_gone = [](const PairPart& part, const FoundPair& pair) {
        return !part.gone.empty() && std::ranges::any_of(pair.point, [&](int p) { return part.gone[p] != 0; });
    };
    const auto for_each_pair = [&](const auto& visit) {
        parallel_for(size_of(pairs.parts), 1, [&](int begin, int end) {
            for (PairPart& part : std::span(pairs.parts).subspan(begin, end - begin))
                for (const FoundPair& pair : part.pairs)
                    if (!is_gone(part, pair)) visit(pair, part.places[sixteenth(pair.key)]);
        });
    };
    for_each_pair([](const FoundPair&, int& place) { ++place; });
    list.within.resize(kSixteenths + 1);
    int before = 0;
    for (int k = 0; k <= kSixteenths; ++k) {
        for (PairPart& part : pairs.parts) before += std::exchange(part.places[k], before);
        list.within[k] = (before + kLanes - 1) / kLanes;
    }
    pairs.sorted.resize(static_cast<std::size_t>(before));
    for_each_pair([&](const FoundPair& pair, int& place) { pairs.sorted[place++] = pair; });
    list.pairs.swap(pairs.sorted);
}

}  // namespace

void drop_pairs_of_renewed(const PairPoints& points, PairList& list)
{
    parallel_for(list.size(), kPairGrain, [&](int begin, int end) {
        for (int b = begin; b < end; ++b) {
            PairBlock& block = list.blocks[b];
            for (int l = 0; l < kLanes; ++l) {
                const auto renewed = [&](int k) { return points.renewed[block.point[k][l]] != 0; };
                if (renewed(0) || renewed(1) || renewed(2) || renewed(3)) block.distance.set(l, -1);
            }
        }
    });
}

void add_parts(std::span<const FoundPair> all, std::span<const char> gone, std::vector<PairPart>& parts)
{
    for (std::size_t k = 0; k < all.size(); k += kPartSize)
        parts.push_back({all.subspan(k, std::min(kPartSize, all.size() - k)), gone});
}

void fill_list(int padding_point, Pairs& pairs, PairList& list)
{
    sort_parts(pairs, list);
    const int count = size_of(list.pairs);
    if (size_of(list.blocks) < list.size()) list.blocks.resize(list.size());
    list.counts.assign(list.size(), 0);
    list.counting.clear();
    const FoundPair none{{padding_point, padding_point, padding_point, padding_point}, 1, -1, 0, 0, 0};
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

void PairPoints::resize(int points)
{
    const std::size_t count = static_cast<std::size_t>(points) + 1;
    for (auto* places : {&start, &now, &reference}) places->resize(count);
    for (auto* numbers : {&used, &reach, &radius, &edge}) numbers->resize(count);
    for (auto* marks : {&renewed, &changed, &meshed}) marks->assign(count, 0);
}

void PairPoints::forget_references()
{
    std::fill(reference.begin(), reference.end() - 1, point_at({}, std::numeric_limits<Real>::infinity()));
    std::ranges::fill(used, Real(0));
    std::ranges::fill(renewed, 0);
    std::ranges::fill(changed, 0);
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

}  // namespace pliant
