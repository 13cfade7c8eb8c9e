#pragma once
// Splits eight lanes of float into two packs of four doubles and joins them again, for kernels that work in double.

#include "pliant/math/lanes.h"

namespace pliant {

using Quad = Pack<double, 4>;

/// All lanes of `a`, or four from `first` on, in the numbers of A.
template <class A, class S>
PLIANT_INLINE A part(const S& a, int first)
{
    if constexpr (std::is_same_v<A, S>) {
        return a;
    } else {
        typedef Lane<S> Half __attribute__((vector_size(4 * sizeof(Lane<S>))));
        const Half half =
            first == 0 ? __builtin_shufflevector(a.v, a.v, 0, 1, 2, 3) : __builtin_shufflevector(a.v, a.v, 4, 5, 6, 7);
        return A(__builtin_convertvector(half, typename A::Vector));
    }
}
template <class A, class S>
PLIANT_INLINE Vector3<A> part(const Vector3<S>& a, int first)
{
    return {part<A>(a.x, first), part<A>(a.y, first), part<A>(a.z, first)};
}
/// All lanes, from parts.
template <class S, class A>
PLIANT_INLINE S join(const A& low, const A& high)
{
    typedef Lane<S> Half __attribute__((vector_size(4 * sizeof(Lane<S>))));
    const Half l = __builtin_convertvector(low.v, Half), h = __builtin_convertvector(high.v, Half);
    return S(__builtin_shufflevector(l, h, 0, 1, 2, 3, 4, 5, 6, 7));
}
template <class S, class A>
PLIANT_INLINE S join(const A* parts)
{
    if constexpr (std::is_same_v<S, A>) return *parts;
    else return join<S>(parts[0], parts[1]);
}
template <class S, class A>
PLIANT_INLINE Vector3<S> join(const Vector3<A>* parts)
{
    if constexpr (std::is_same_v<S, A>) return *parts;
    else return {join<S>(parts[0].x, parts[1].x), join<S>(parts[0].y, parts[1].y), join<S>(parts[0].z, parts[1].z)};
}

}  // namespace pliant
