#pragma once
// Sums that keep what rounding takes from them: a value is high + low, with low below an ulp of high. Written for plain
// numbers and for lanes.

#include "pliant/math/scalar.h"

namespace pliant {

/// sum + low += term, with little lost where the term is smaller than the sum.
template <class S>
PLIANT_INLINE void add_compensated(const S& term, S& sum, S& low)
{
    const S whole = term + low;
    const S before = sum;
    sum = before + whole;
    low = whole - (sum - before);
}
template <class S>
PLIANT_INLINE void add_compensated(const Vector3<S>& term, Vector3<S>& sum, Vector3<S>& low)
{
    add_compensated(term.x, sum.x, low.x);
    add_compensated(term.y, sum.y, low.y);
    add_compensated(term.z, sum.z, low.z);
}

}  // namespace pliant
