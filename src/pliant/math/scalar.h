#pragma once
// The words that kernels use, for plain numbers; math/lanes.h has them for eight at a time.

#include "pliant/math/types.h"

#include <cmath>
#include <concepts>

/// For the small functions that kernels are made of: a call would pass every vector through memory.
#define PLIANT_INLINE [[gnu::always_inline]] inline

namespace pliant {

template <std::floating_point T>
T select(bool mask, T yes, T no)
{
    return mask ? yes : no;
}
template <std::floating_point T>
T min(T a, T b)
{
    return a < b ? a : b;
}
template <std::floating_point T>
T max(T a, T b)
{
    return a > b ? a : b;
}
template <std::floating_point T>
T abs(T a)
{
    return a < 0 ? -a : a;
}
template <std::floating_point T>
T sqrt(T a)
{
    return std::sqrt(a);
}
template <std::floating_point T>
T flip_by(T a, T b)
{
    return std::signbit(b) ? -a : a;
}
inline bool any(bool mask) { return mask; }

/// 1/a, or 0 where a is not positive.
template <class S>
PLIANT_INLINE S safe_inverse(const S& a)
{
    return select(a > S(0), S(1) / a, S(0));
}

template <class Mask, class S>
Vector3<S> select(Mask mask, const Vector3<S>& yes, const Vector3<S>& no)
{
    return {select(mask, yes.x, no.x), select(mask, yes.y, no.y), select(mask, yes.z, no.z)};
}
template <class Mask, class S>
Matrix3<S> select(Mask mask, const Matrix3<S>& yes, const Matrix3<S>& no)
{
    return {{select(mask, yes.c[0], no.c[0]), select(mask, yes.c[1], no.c[1]), select(mask, yes.c[2], no.c[2])}};
}

/// The number that one lane of S holds: float for float, float for Pack<float>.
template <class S>
struct LaneOf {
    using Type = S;
};
template <class S>
using Lane = typename LaneOf<S>::Type;

}  // namespace pliant
