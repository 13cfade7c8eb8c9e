#pragma once
// Boxes of many things as a tree with eight children a node: a query tests eight boxes at once. The things keep their
// order, which is chosen once so that neighbours in number are neighbours in space (order_along_curve); when they move,
// their boxes are set anew and the tree is refitted, level by level.

#include "pliant/base/parallel.h"
#include "pliant/math/lanes.h"

#include <bit>
#include <span>
#include <vector>

namespace pliant {

struct Box {
    Vec3 low, high;  // [m]
};

/// The points along a curve that fills space (Morton's): neighbours on it are near each other.
std::vector<int> order_along_curve(std::span<const Vec3d> points);

class BoxTree {
  public:
    explicit BoxTree(int count = 0);

    int size() const { return count_; }

    /// Takes box_of(thing) of every thing. Threads take a part each.
    template <class BoxOf>
    void refit(const BoxOf& box_of);

    /// Calls found(thing) for every thing from number `first` on whose box meets `box`, numbers going up.
    template <class Found>
    void find(const Box& box, int first, Found&& found) const
    {
        if (count_ > first) find_below(static_cast<int>(levels_.size()) - 1, 0, box, first, found);
    }

  private:
    struct Node {  // boxes of eight children
        Vector3<Lanes> low, high;
    };

    template <class Found>
    void find_below(int level, int node, const Box& box, int first, Found&& found) const
    {
        const Node& at = levels_[level][node];
        unsigned met = bits_of((at.low.x <= Lanes(box.high.x)) & (at.low.y <= Lanes(box.high.y)) &
                               (at.low.z <= Lanes(box.high.z)) & (at.high.x >= Lanes(box.low.x)) &
                               (at.high.y >= Lanes(box.low.y)) & (at.high.z >= Lanes(box.low.z)));
        const int before = (first >> (3 * level)) - kLanes * node;  // children that end before `first`
        if (before > 0) met &= ~0U << before;
        for (; met != 0; met &= met - 1) {
            const int child = kLanes * node + std::countr_zero(met);
            if (level == 0) found(child);
            else find_below(level - 1, child, box, first, found);
        }
    }
    void refit_level(std::size_t level);

    int count_ = 0;
    std::vector<std::vector<Node>> levels_;  // from the things up to the root
};

template <class BoxOf>
void BoxTree::refit(const BoxOf& box_of)
{
    if (count_ == 0) return;
    parallel_for(static_cast<int>(levels_[0].size()), 64, [&](int begin, int end) {
        for (int node = begin; node < end; ++node) {
            Node& at = levels_[0][node];
            for (int l = 0; l < kLanes && kLanes * node + l < count_; ++l) {
                const Box box = box_of(kLanes * node + l);
                set_lane(at.low, l, box.low);
                set_lane(at.high, l, box.high);
            }
        }
    });
    for (std::size_t level = 1; level < levels_.size(); ++level) refit_level(level);
}

}  // namespace pliant
