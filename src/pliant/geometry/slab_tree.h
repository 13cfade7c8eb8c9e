#pragma once
// A BVH of k-DOPs: features are bounded by pairs of planes (slabs), eight features in a row. Planes lie across the three axes and
// the six diagonals between them: for features that are near each other and tilted, as in folded cloth, boxes overlap twice
// as often as these slabs do.

#include "pliant/geometry/box_tree.h"

#include <array>

namespace pliant {

inline constexpr int kSlabs = 9;

/// The extents of eight features along the nine directions. Diagonal directions have length sqrt(2).
struct Slabs {
    Lanes low[kSlabs], high[kSlabs];  // [m]
};

/// Around the corners of eight features, and `more` on all sides [m].
template <std::size_t n>
PLIANT_INLINE Slabs slabs_around(const std::array<Vector3<Lanes>, n>& corners, const Lanes& more)
{
    constexpr Real kDiagonal = Real(1.41422);  // NOLINT(modernize-use-std-numbers): root of two, rounded up
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
    explicit SlabTree(int count = 0) : count_(count), rows_((count + kLanes - 1) / kLanes), tree_(rows()) {}

    int size() const { return count_; }
    int rows() const { return static_cast<int>(rows_.size()); }
    /// A bit for each feature of a row that the last refit updated.
    unsigned changed(int row) const { return rows_[row].changed; }

    /// Updates the slabs, slabs_of(row), of every row for which changed(row) has a bit. Runs in parallel.
    template <class Changed, class SlabsOf>
    void refit(const Changed& changed, const SlabsOf& slabs_of)
    {
        parallel_for(rows(), 64, [&](int begin, int end) {
            for (int r = begin; r < end; ++r) {
                Row& row = rows_[r];
                row.changed = changed(r);
                if (row.changed != 0) set(slabs_of(r), std::min(kLanes, count_ - kLanes * r), row);
            }
        });
        constexpr unsigned kAll = (1U << kLanes) - 1;
        tree_.refit([&](int r) { return box_of(rows_[r]); }, [&](int r) { return rows_[r].changed != 0; },
                    [&](int r) { return rows_[r].changed != kAll; });
    }

    /// For some of the eight features of a row of another tree, or of this one, a bit each in `whom`: calls found(k, row,
    /// bits) with a bit for each of the features 8 row to 8 row + 7 of this tree that overlap feature k of the other's row; rows
    /// before `first` count only if they have a feature that the last refit did not update.
    template <class Found>
    void find(const SlabTree& other, int others_row, unsigned whom, int first, Found&& found) const
    {
        const Row& theirs = other.rows_[others_row];
        tree_.find(box_of(theirs), first, [&](int r) {
            const Row& row = rows_[r];
            const auto all = [&](int d) { return std::pair(row.low[d], row.high[d]); };
            for (unsigned who = whom & meeting(theirs.slabs, all); who != 0; who &= who - 1) {
                const int k = std::countr_zero(who);
                const auto one = [&](int d) { return std::pair(theirs.slabs.low[d][k], theirs.slabs.high[d][k]); };
                if (const unsigned bits = meeting(row.slabs, one); bits != 0) found(k, r, bits);
            }
        });
    }

  private:
    struct Row {
        Slabs slabs;
        Real low[kSlabs], high[kSlabs];  // of all
        unsigned changed;
    };

    static void set(const Slabs& slabs, int count, Row& row)
    {
        constexpr Real kNowhere = std::numeric_limits<Real>::infinity();
        row.slabs = slabs;
        for (int d = 0; d < kSlabs; ++d) {
            for (int l = count; l < kLanes; ++l) {
                row.slabs.low[d].set(l, kNowhere);
                row.slabs.high[d].set(l, -kNowhere);
            }
            row.low[d] = -largest(-row.slabs.low[d]);
            row.high[d] = largest(row.slabs.high[d]);
        }
    }
    static Box box_of(const Row& r) { return {{r.low[0], r.low[1], r.low[2]}, {r.high[0], r.high[1], r.high[2]}}; }
    /// The features of eight that overlap the range from low to high of `slab` along all directions.
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
    std::vector<Row> rows_;
    BoxTree tree_;  // of rows
};

}  // namespace pliant
