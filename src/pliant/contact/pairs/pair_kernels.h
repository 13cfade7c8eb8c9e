#pragma once
// Kernels that both kinds of pairs share.

#include "pliant/contact/pairs/pairs.h"
#include "pliant/geometry/closest.h"

namespace pliant {

inline constexpr int kPairGrain = 64;  // blocks a thread takes at least
inline constexpr int kPairPart = 128;  // blocks that are looked through together, for what touches or fails

template <PairKind kind, class S>
PLIANT_INLINE Closest<S> closest(const Vector3<S> x[4])
{
    if constexpr (kind == PairKind::vertex_triangle) return closest_vertex_triangle(x);
    else return closest_edges(x);
}

/// The sum of the largest number of each side.
template <PairKind kind, class S>
PLIANT_INLINE S sum_of_sides(const S a[4])
{
    if constexpr (kind == PairKind::vertex_triangle) return a[0] + max(a[1], max(a[2], a[3]));
    else return max(a[0], a[1]) + max(a[2], a[3]);
}

/// Between all points of one side and all of the other, along n.
template <PairKind kind, class S>
PLIANT_INLINE S clearance(const Vector3<S>& n, const Vector3<S> x[4])
{
    S along[4];
    for (int k = 0; k < 4; ++k) along[k] = n.dot(x[k]);
    if constexpr (kind == PairKind::vertex_triangle) return along[0] - max(along[1], max(along[2], along[3]));
    else return min(along[0], along[1]) - max(along[2], along[3]);
}

/// Features that are too near separate slowly: by this share of the missing distance in a substep, and no faster than this.
inline constexpr Real kSeparationShare = Real(0.2);
inline constexpr Real kMaxSeparationSpeed = Real(0.25);  // [m/s]

/// The distance that a contact aims for in this substep.
template <class S>
PLIANT_INLINE S target_of(const S& distance, const S& gap, Real h)
{
    const S missing = distance - gap, part = min(S(kSeparationShare) * missing, S(kMaxSeparationSpeed * h));
    return select(missing > S(0), gap + part, distance);
}

inline Point point_at(const Vec3& x, Real w) { return {x.x, x.y, x.z, w}; }

/// Calls act<kind>() for the kind of a list.
template <class Act>
decltype(auto) with_kind(int list, const Act& act)
{
    if (kind_of(list) == PairKind::vertex_triangle) return act.template operator()<PairKind::vertex_triangle>();
    return act.template operator()<PairKind::edge_edge>();
}

/// The blocks that count, numbered through all lists.
class CountingBlocks {
  public:
    struct Place {
        int list, block;
    };
    explicit CountingBlocks(const Pairs& pairs) : pairs_(pairs)
    {
        for (int list = 0; list < Pairs::kLists; ++list)
            end_[list] = (list > 0 ? end_[list - 1] : 0) + static_cast<int>(pairs.lists[list].counting.size());
    }
    int size() const { return end_[Pairs::kLists - 1]; }
    Place operator[](int number) const
    {
        int list = 0;
        while (number >= end_[list]) ++list;
        return {list, pairs_.lists[list].counting[number - (list > 0 ? end_[list - 1] : 0)]};
    }

  private:
    const Pairs& pairs_;
    int end_[Pairs::kLists];
};

}  // namespace pliant
