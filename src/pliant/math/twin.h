#pragma once
// Two scalars that take every step together. A kernel over Twin<Lanes> interleaves two independent
// computations, so that one can work while the other waits for a division or a square root.

#include "pliant/math/lanes.h"

namespace pliant {

template <class P>
struct Twin {
    struct Mask {
        typename P::Mask a, b;
        friend Mask operator&(Mask x, Mask y) { return {x.a & y.a, x.b & y.b}; }
        friend Mask operator|(Mask x, Mask y) { return {x.a | y.a, x.b | y.b}; }
        friend Mask operator!(Mask x) { return {!x.a, !x.b}; }
    };

    P a, b;

    Twin() = default;
    Twin(P first, P second) : a(first), b(second) {}
    template <class A>
        requires std::is_arithmetic_v<A>
    Twin(A all) : a(all), b(all)
    {}

    friend Twin operator+(Twin x, Twin y) { return {x.a + y.a, x.b + y.b}; }
    friend Twin operator-(Twin x, Twin y) { return {x.a - y.a, x.b - y.b}; }
    friend Twin operator*(Twin x, Twin y) { return {x.a * y.a, x.b * y.b}; }
    friend Twin operator/(Twin x, Twin y) { return {x.a / y.a, x.b / y.b}; }
    friend Twin operator-(Twin x) { return {-x.a, -x.b}; }
    friend Mask operator<(Twin x, Twin y) { return {x.a < y.a, x.b < y.b}; }
    friend Mask operator>(Twin x, Twin y) { return {x.a > y.a, x.b > y.b}; }
    friend Mask operator<=(Twin x, Twin y) { return {x.a <= y.a, x.b <= y.b}; }
    friend Mask operator>=(Twin x, Twin y) { return {x.a >= y.a, x.b >= y.b}; }
    friend Twin select(Mask m, Twin x, Twin y) { return {select(m.a, x.a, y.a), select(m.b, x.b, y.b)}; }
    friend Twin min(Twin x, Twin y) { return {min(x.a, y.a), min(x.b, y.b)}; }
    friend Twin max(Twin x, Twin y) { return {max(x.a, y.a), max(x.b, y.b)}; }
    friend Twin abs(Twin x) { return {abs(x.a), abs(x.b)}; }
    friend Twin flip_by(Twin x, Twin y) { return {flip_by(x.a, y.a), flip_by(x.b, y.b)}; }
    friend Twin sqrt(Twin x) { return {sqrt(x.a), sqrt(x.b)}; }
    friend bool any(Mask m) { return any(m.a | m.b); }
};

template <class P>
struct LaneOf<Twin<P>> {
    using Type = Lane<P>;
};

}  // namespace pliant
