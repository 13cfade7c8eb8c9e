#pragma once
// A bounding volume hierarchy (BVH) of boxes with eight children a node: a query tests eight boxes at once. Items keep their
// order, which is chosen once so that consecutive items are neighbours in space (order_along_curve); when they move,
// their boxes are updated and the tree is refitted, level by level.

#include "pliant/base/parallel.h"
#include "pliant/math/lanes.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <vector>

namespace pliant {

struct Box {
    Vec3 low, high;  // [m]
};

inline Box join(const Box& a, const Box& b)
{
    return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
            {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
}

inline Box grown(const Box& box, Real by)
{
    const Vec3 more{by, by, by};
    return {box.low - more, box.high + more};
}

/// Whether two boxes are at most `margin` apart along each axis.
inline bool overlap(const Box& a, const Box& b, Real margin = 0)
{
    for (int k = 0; k < 3; ++k)
        if (a.low[k] > b.high[k] + margin || b.low[k] > a.high[k] + margin) return false;
    return true;
}

/// The points along a curve that fills space (Morton's): neighbours on it are near each other.
std::vector<int> order_along_curve(std::span<const Vec3d> points);

class BoxTree {
  public:
    explicit BoxTree(int count = 0);

    int size() const { return count_; }

    /// Updates the box, box_of(item), of every item for which changed(item), and notes kept(item). Runs in parallel.
    template <class BoxOf, class Changed, class Kept>
    void refit(const BoxOf& box_of, const Changed& changed, const Kept& kept);
    template <class BoxOf>
    void refit(const BoxOf& box_of)
    {
        refit(box_of, [](int) { return true; }, [](int) { return false; });
    }

    /// Calls found(item) for every item whose box overlaps `box`, in increasing order. Items before number `first` count only
    /// if the last refit kept them.
    template <class Found>
    void find(const Box& box, int first, Found&& found) const
    {
        if (count_ > 0) find_below(static_cast<int>(levels_.size()) - 1, 0, box, first, found);
    }

    /// Calls look(k) for the eight items from number 8 k on if the box around them is nearer to p than `bound` [m],
    /// which look() may lower as it goes.
    template <class Look>
    void find_near(const Vec3& p, const Real& bound, Look&& look) const
    {
        if (count_ > 0) find_near_below(static_cast<int>(levels_.size()) - 1, 0, p, bound, look);
    }

    Box box(int thing) const { return child(0, thing); }

  private:
    static constexpr Vec3 kNowhere{std::numeric_limits<Real>::infinity(), std::numeric_limits<Real>::infinity(),
                                   std::numeric_limits<Real>::infinity()};
    struct Node {  // boxes of eight children
        Vector3<Lanes> low, high;
        unsigned kept = 0;  // a bit for each child that contains an item kept by the last refit
    };

    Box child(int level, int number) const
    {
        const Node& at = levels_[level][number / kLanes];
        return {lane(at.low, number % kLanes), lane(at.high, number % kLanes)};
    }
    static unsigned meeting(const Node& at, const Box& box)
    {
        return bits_of((at.low.x <= Lanes(box.high.x)) & (at.low.y <= Lanes(box.high.y)) &
                       (at.low.z <= Lanes(box.high.z)) & (at.high.x >= Lanes(box.low.x)) &
                       (at.high.y >= Lanes(box.low.y)) & (at.high.z >= Lanes(box.low.z)));
    }

    /// The children that overlap a box and either reach item `first` or contain a kept item; a bit each.
    unsigned meets(int level, int node, const Box& box, int first) const
    {
        const Node& at = levels_[level][node];
        const int before = (first >> (3 * level)) - kLanes * node;
        if (before >= kLanes && at.kept == 0) return 0;
        const unsigned from = before >= kLanes ? 0 : ~0U << std::max(before, 0);
        return meeting(at, box) & (from | at.kept);
    }
    template <class Found>
    void find_below(int level, int node, const Box& box, int first, Found&& found) const
    {
        for (unsigned met = meets(level, node, box, first); met != 0; met &= met - 1) {
            const int number = kLanes * node + std::countr_zero(met);
            if (level == 0) found(number);
            else find_below(level - 1, number, box, first, found);
        }
    }
    template <class Look>
    void find_near_below(int level, int node, const Vec3& p, const Real& bound, Look&& look) const
    {
        if (level == 0) return look(node);
        const Node& at = levels_[level][node];
        const Lanes zero(0);
        const Lanes x = max(zero, max(at.low.x - Lanes(p.x), Lanes(p.x) - at.high.x)),
                    y = max(zero, max(at.low.y - Lanes(p.y), Lanes(p.y) - at.high.y)),
                    z = max(zero, max(at.low.z - Lanes(p.z), Lanes(p.z) - at.high.z));
        const Lanes squared = x * x + y * y + z * z;
        for (unsigned near = bits_of(squared < Lanes(bound * bound)); near != 0; near &= near - 1) {
            const int lane = std::countr_zero(near);
            if (squared[lane] < bound * bound)  // it may have been lowered meanwhile
                find_near_below(level - 1, kLanes * node + lane, p, bound, look);
        }
    }
    void refit_level(std::size_t level);

    int count_ = 0;
    std::vector<std::vector<Node>> levels_;  // from the items up to the root
};

template <class BoxOf, class Changed, class Kept>
void BoxTree::refit(const BoxOf& box_of, const Changed& changed, const Kept& kept)
{
    if (count_ == 0) return;
    parallel_for(static_cast<int>(levels_[0].size()), 64, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            Node& at = levels_[0][k];
            at.kept = 0;
            for (int l = 0; l < std::min(kLanes, count_ - kLanes * k); ++l) {
                if (kept(kLanes * k + l)) at.kept |= 1U << l;
                if (!changed(kLanes * k + l)) continue;
                const Box box = box_of(kLanes * k + l);
                set_lane(at.low, l, box.low);
                set_lane(at.high, l, box.high);
            }
        }
    });
    for (std::size_t level = 1; level < levels_.size(); ++level) refit_level(level);
}

}  // namespace pliant
