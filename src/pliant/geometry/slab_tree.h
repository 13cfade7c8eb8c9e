#pragma once
// Many small things, eight in a row between pairs of planes, and the rows as a tree. Planes lie across the three axes and
// the six diagonals between them: of things that are near each other and aslant, as in folded cloth, the boxes meet twice
// as often as these slabs do.

#include "pliant/geometry/box_tree.h"

#include <array>

namespace pliant {

inline constexpr int kSlabs = 9;

/// Where eight things are along the nine directions. Diagonals are as long as the root of two.
struct Slabs {
    Lanes low[kSlabs], high[kSlabs];  // [m]
};

/// Around the corners of eight things, and `more` on all sides [m].
template <std::size_t n>
PLIANT_INLINE Slabs slabs_around(const std::array<Vector3<Lanes>, n>& corners, const Lanes& more)
{
    constexpr Real kDiagonal = Real(1.41422);  // root of two, rounded up
    Slabs slabs;
    for (std::size_t k = 0; k < n; ++k) {
        const auto& [x, y, z] = corners[k];
        const Lanes along[kSlabs] = {x, y, z, x + y, x - y, x + z, x - z, y + z, y - z};
        for (int d = 0; d < kSlabs; ++d) {
            slabs.low[d] = k == 0 ? along[d] : min(slabs.low[d], along[d]);
            slabs.high[d] = k == 0 ? along[d] : max(slabs.high[d], along[d]);
        }
    }
    for (int d = 0; d < kSlabs; ++d) {
        const Lanes all = d < 3 ? more : Lanes(kDiagonal) * more;
        slabs.low[d] -= all;
        slabs.high[d] += all;
    }
    return slabs;
}

class SlabTree {
  public:
    explicit SlabTree(int count = 0) : count_(count), eights_((count + kLanes - 1) / kLanes), tree_(eights()) {}

    int size() const { return count_; }
    int eights() const { return static_cast<int>(eights_.size()); }
    /// A bit for each of eight that the last refit took anew.
    unsigned changed(int eight) const { return eights_[eight].changed; }

    /// Takes slabs_of(eight) of every eight for which changed(eight) has a bit. Threads take a part each.
    template <class Changed, class SlabsOf>
    void refit(const Changed& changed, const SlabsOf& slabs_of)
    {
        parallel_for(eights(), 64, [&](int begin, int end) {
            for (int e = begin; e < end; ++e) {
                Eight& eight = eights_[e];
                eight.changed = changed(e);
                if (eight.changed != 0) set(slabs_of(e), std::min(kLanes, count_ - kLanes * e), eight);
            }
        });
        constexpr unsigned kAll = (1U << kLanes) - 1;
        tree_.refit([&](int e) { return box_of(eights_[e]); }, [&](int e) { return eights_[e].changed != 0; },
                    [&](int e) { return eights_[e].changed != kAll; });
    }

    /// For some of the eight things of a row of another tree, or of this one, a bit each in `whom`: calls found(k, eight,
    /// bits) with a bit for each of the things 8 eight to 8 eight + 7 that meet thing k of the row; of rows before `first`
    /// only for those with something that the last refit left as it was.
    template <class Found>
    void find(const SlabTree& other, int row, unsigned whom, int first, Found&& found) const
    {
        const Eight& own = other.eights_[row];
        tree_.find(box_of(own), first, [&](int e) {
            const Eight& eight = eights_[e];
            const auto around = [&](int d) { return std::pair(eight.low[d], eight.high[d]); };
            for (unsigned who = whom & meeting(own.slabs, around); who != 0; who &= who - 1) {
                const int k = std::countr_zero(who);
                const auto one = [&](int d) { return std::pair(own.slabs.low[d][k], own.slabs.high[d][k]); };
                if (const unsigned bits = meeting(eight.slabs, one); bits != 0) found(k, e, bits);
            }
        });
    }

  private:
    struct Eight {
        Slabs slabs;
        Real low[kSlabs], high[kSlabs];  // of all
        unsigned changed;
    };

    static void set(const Slabs& slabs, int count, Eight& eight)
    {
        constexpr Real kNowhere = std::numeric_limits<Real>::infinity();
        eight.slabs = slabs;
        for (int d = 0; d < kSlabs; ++d) {
            for (int l = count; l < kLanes; ++l) {
                eight.slabs.low[d].set(l, kNowhere);
                eight.slabs.high[d].set(l, -kNowhere);
            }
            eight.low[d] = -largest(-eight.slabs.low[d]);
            eight.high[d] = largest(eight.slabs.high[d]);
        }
    }
    static Box box_of(const Eight& e) { return {{e.low[0], e.low[1], e.low[2]}, {e.high[0], e.high[1], e.high[2]}}; }
    /// Those of eight that meet what is between low and high of `slab` along all directions.
    template <class Slab>
    PLIANT_INLINE static unsigned meeting(const Slabs& slabs, const Slab& slab)
    {
        const auto along = [&](int d) {
            const auto [low, high] = slab(d);
            return (slabs.low[d] <= Lanes(high)) & (slabs.high[d] >= Lanes(low));
        };
        auto meets = along(0);
        for (int d = 1; d < kSlabs; ++d) meets = meets & along(d);
        return bits_of(meets);
    }

    int count_ = 0;
    std::vector<Eight> eights_;
    BoxTree tree_;  // of rows of eight
};

}  // namespace pliant
