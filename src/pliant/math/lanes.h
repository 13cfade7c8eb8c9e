#pragma once
// Eight numbers at a time, over the compilers' vector extensions. The width is the same on every
// machine, whatever its registers are: so are the bits of the results.
//
// A kernel is a template over its scalar S. It uses + - * /, sqrt, min, max, abs, comparisons, `select`
// and `any`, which float and double have from math/scalar.h and Pack from here. No public header includes this one: its
// layout depends on the processor that a file is compiled for.

#include "pliant/math/scalar.h"
#include "pliant/math/types.h"

#include <array>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstring>
#include <type_traits>
#include <utility>
#ifdef __AVX__
#include <immintrin.h>
#endif

namespace pliant {

inline constexpr int kLanes = 8;

namespace detail {

#if defined(__AVX512F__)
inline constexpr std::size_t kRegister = 64;  // bytes
#elif defined(__AVX__)
inline constexpr std::size_t kRegister = 32;
#else
inline constexpr std::size_t kRegister = 16;
#endif

template <class V>
inline constexpr std::size_t kCount = sizeof(V) / sizeof(std::declval<V>()[0]);

template <class V>
PLIANT_INLINE auto lower(V v)
{
    if constexpr (kCount<V> == 8) return __builtin_shufflevector(v, v, 0, 1, 2, 3);
    else return __builtin_shufflevector(v, v, 0, 1);
}
template <class V>
PLIANT_INLINE auto upper(V v)
{
    if constexpr (kCount<V> == 8) return __builtin_shufflevector(v, v, 4, 5, 6, 7);
    else return __builtin_shufflevector(v, v, 2, 3);
}
template <class V>
PLIANT_INLINE auto join(V low, V high)
{
    if constexpr (kCount<V> == 4) return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    else return __builtin_shufflevector(low, high, 0, 1, 2, 3);
}

/// f of vectors, in pieces that fit into a register: g++ splits comparisons of larger ones into single numbers.
template <class F, class V, class... W>
PLIANT_INLINE auto in_registers(const F& f, V v, W... w)
{
    if constexpr (sizeof(V) <= kRegister) return f(v, w...);
    else return join(in_registers(f, lower(v), lower(w)...), in_registers(f, upper(v), upper(w)...));
}

}  // namespace detail

/// Eight numbers; or four, for doubles that are to fill a register of the same size.
template <class T, int N = kLanes>
struct Pack {
    typedef T Vector __attribute__((vector_size(N * sizeof(T))));
    typedef std::conditional_t<sizeof(T) == 4, int, long long> Int;
    typedef Int Bits __attribute__((vector_size(N * sizeof(T))));

    /// The result of a comparison: all bits set or none, per lane.
    struct Mask {
        Bits bits;
        friend Mask operator&(Mask a, Mask b) { return {a.bits & b.bits}; }
        friend Mask operator|(Mask a, Mask b) { return {a.bits | b.bits}; }
        friend Mask operator!(Mask a) { return {~a.bits}; }
    };

    Vector v;

    Pack() : Pack(T(0)) {}
    // Written out, so that a Vector3 or Matrix3 of packs is copied register by register: g++ copies trivial
    // structs of vectors in small pieces through memory.
    Pack(const Pack& b) : v(b.v) {}  // NOLINT(modernize-use-equals-default)
    Pack& operator=(const Pack& b)   // NOLINT(modernize-use-equals-default)
    {
        v = b.v;
        return *this;
    }
    Pack(Vector values) : v(values) {}
    template <class A>
        requires std::is_arithmetic_v<A>
    Pack(A all) : v(T(all) - Vector{})  // in all lanes: minus zero changes no number
    {}

    T operator[](int lane) const { return v[lane]; }
    void set(int lane, T value) { v[lane] = value; }

    Pack& operator+=(Pack b)
    {
        v += b.v;
        return *this;
    }
    Pack& operator-=(Pack b)
    {
        v -= b.v;
        return *this;
    }
    Pack& operator*=(Pack b)
    {
        v *= b.v;
        return *this;
    }
    Pack& operator/=(Pack b)
    {
        v /= b.v;
        return *this;
    }
    friend Pack operator+(Pack a, Pack b) { return a.v + b.v; }
    friend Pack operator-(Pack a, Pack b) { return a.v - b.v; }
    friend Pack operator*(Pack a, Pack b) { return a.v * b.v; }
    friend Pack operator/(Pack a, Pack b) { return a.v / b.v; }
    friend Pack operator-(Pack a) { return -a.v; }
    friend Mask operator<(Pack a, Pack b)
    {
        return {std::bit_cast<Bits>(detail::in_registers([](auto x, auto y) { return x < y; }, a.v, b.v))};
    }
    friend Mask operator>(Pack a, Pack b) { return b < a; }
    friend Mask operator<=(Pack a, Pack b)
    {
        return {std::bit_cast<Bits>(detail::in_registers([](auto x, auto y) { return x <= y; }, a.v, b.v))};
    }
    friend Mask operator>=(Pack a, Pack b) { return b <= a; }

    /// yes where the mask is set, no elsewhere.
    friend Pack select(Mask mask, Pack yes, Pack no)
    {
        return detail::in_registers([](auto m, auto y, auto n) { return m ? y : n; }, mask.bits, yes.v, no.v);
    }
    friend Pack min(Pack a, Pack b)
    {
        return detail::in_registers([](auto x, auto y) { return x < y ? x : y; }, a.v, b.v);
    }
    friend Pack max(Pack a, Pack b)
    {
        return detail::in_registers([](auto x, auto y) { return x > y ? x : y; }, a.v, b.v);
    }
    friend Pack abs(Pack a) { return from_bits(to_bits(a) & ~sign_bit()); }
    /// a, negated where b has a minus sign.
    friend Pack flip_by(Pack a, Pack b) { return from_bits(to_bits(a) ^ (to_bits(b) & sign_bit())); }
    friend Pack sqrt(Pack a)
    {
#ifdef __AVX__  // where the compiler does not see that the loop is one instruction; the bits are the same
        if constexpr (sizeof(Vector) == 32 && sizeof(T) == 4) return Vector(_mm256_sqrt_ps(a.v));
        if constexpr (sizeof(Vector) >= 32 && sizeof(T) == 8) {
            const auto root = [](auto x) { return decltype(x)(_mm256_sqrt_pd(x)); };
            if constexpr (sizeof(Vector) == 64) return detail::join(root(detail::lower(a.v)), root(detail::upper(a.v)));
            else return root(a.v);
        }
#endif
        Pack r;
        for (int i = 0; i < N; ++i) r.v[i] = std::sqrt(a.v[i]);
        return r;
    }
    friend bool any(Mask mask)
    {
#ifdef __AVX__
        if constexpr (sizeof(Vector) == 32) {
            const auto bits = std::bit_cast<__m256i>(mask.bits);
            return _mm256_testz_si256(bits, bits) == 0;
        }
#endif
        const auto words = std::bit_cast<std::array<long long, N * sizeof(T) / 8>>(mask.bits);
        long long set = 0;
        for (const long long word : words) set |= word;
        return set != 0;
    }
    /// One bit a lane, the lowest for lane 0.
    friend unsigned bits_of(Mask mask)
    {
#ifdef __AVX__
        if constexpr (sizeof(Vector) == 32 && sizeof(T) == 4)
            return static_cast<unsigned>(_mm256_movemask_ps(std::bit_cast<__m256>(mask.bits)));
        if constexpr (sizeof(Vector) == 64 && sizeof(T) == 8) {
            const auto half = [](auto m) {
                return static_cast<unsigned>(_mm256_movemask_pd(std::bit_cast<__m256d>(m)));
            };
            return half(detail::lower(mask.bits)) | half(detail::upper(mask.bits)) << 4;
        }
#endif
        unsigned bits = 0;
        for (int i = 0; i < N; ++i) bits |= mask.bits[i] != 0 ? 1U << i : 0U;
        return bits;
    }
    /// Sum over the lanes in a fixed order: ((0+4)+(2+6)) + ((1+5)+(3+7)).
    friend T sum(Pack a)
    {
        const auto half = __builtin_shufflevector(a.v, a.v, 0, 1, 2, 3) + __builtin_shufflevector(a.v, a.v, 4, 5, 6, 7);
        const auto quarter = __builtin_shufflevector(half, half, 0, 1) + __builtin_shufflevector(half, half, 2, 3);
        return quarter[0] + quarter[1];
    }
    /// sum(a[0]), ..., sum(a[7]), with the same bits.
    friend Pack sums(const Pack (&a)[N])
        requires(N == 8)
    {
        Vector half[4], quarter[2];  // of a[k] and a[k + 4]; of a[2k], a[2k + 1], a[2k + 4] and a[2k + 5]
        for (int k = 0; k < 4; ++k) {
            half[k] = __builtin_shufflevector(a[k].v, a[k + 4].v, 0, 1, 2, 3, 8, 9, 10, 11) +
                      __builtin_shufflevector(a[k].v, a[k + 4].v, 4, 5, 6, 7, 12, 13, 14, 15);
        }
        for (int k = 0; k < 2; ++k) {
            quarter[k] = __builtin_shufflevector(half[2 * k], half[2 * k + 1], 0, 1, 8, 9, 4, 5, 12, 13) +
                         __builtin_shufflevector(half[2 * k], half[2 * k + 1], 2, 3, 10, 11, 6, 7, 14, 15);
        }
        return Vector(__builtin_shufflevector(quarter[0], quarter[1], 0, 2, 8, 10, 4, 6, 12, 14) +
                      __builtin_shufflevector(quarter[0], quarter[1], 1, 3, 9, 11, 5, 7, 13, 15));
    }
    friend T largest(Pack a)
    {
        const auto more = [](const auto& b, const auto& c) { return b > c ? b : c; };
        const auto half =
            more(__builtin_shufflevector(a.v, a.v, 0, 1, 2, 3), __builtin_shufflevector(a.v, a.v, 4, 5, 6, 7));
        const auto quarter = more(__builtin_shufflevector(half, half, 0, 1), __builtin_shufflevector(half, half, 2, 3));
        return std::max(quarter[0], quarter[1]);
    }

  private:
    static Bits to_bits(Pack a) { return std::bit_cast<Bits>(a.v); }
    static Pack from_bits(Bits bits) { return std::bit_cast<Vector>(bits); }
    static Bits sign_bit() { return to_bits(Pack(T(-0.0))); }
};

using Lanes = Pack<Real>;

/// values[index[0]], ..., values[index[7]].
template <class T>
Pack<T> gather(const T* values, const int* index)
{
    Pack<T> r;
    for (int i = 0; i < kLanes; ++i) r.v[i] = values[index[i]];
    return r;
}

template <class T, int N>
struct LaneOf<Pack<T, N>> {
    using Type = T;
};
template <class T, int N>
void set_lane(Vector3<Pack<T, N>>& a, int lane, const Vector3<T>& value)
{
    a.x.set(lane, value.x);
    a.y.set(lane, value.y);
    a.z.set(lane, value.z);
}
template <class T, int N>
Vector3<T> lane(const Vector3<Pack<T, N>>& a, int i)
{
    return {a.x[i], a.y[i], a.z[i]};
}
template <class T, int N>
Matrix3<T> lane(const Matrix3<Pack<T, N>>& a, int i)
{
    return {{lane(a.c[0], i), lane(a.c[1], i), lane(a.c[2], i)}};
}
template <class T>
Vector3<T> sum(const Vector3<Pack<T>>& a)
{
    return {sum(a.x), sum(a.y), sum(a.z)};
}
template <class T>
Matrix3<T> sum(const Matrix3<Pack<T>>& a)
{
    return {{sum(a.c[0]), sum(a.c[1]), sum(a.c[2])}};
}

// Eight vectors stored one after the other, as x y z x y z ...: loads transpose them into lanes, stores transpose them back.
template <class T>
PLIANT_INLINE Vector3<Pack<T>> load_vectors(const Vector3<T>* from)
{
    static_assert(sizeof(Vector3<T>) == 3 * sizeof(T));
    typename Pack<T>::Vector a, b, c;
    std::memcpy(&a, from, sizeof a);
    std::memcpy(&b, reinterpret_cast<const char*>(from) + sizeof a, sizeof b);
    std::memcpy(&c, reinterpret_cast<const char*>(from) + 2 * sizeof a, sizeof c);
    // Shuffles across the register halves first, then within each half: one cheap instruction a line.
    const auto p = __builtin_shufflevector(a, b, 0, 1, 2, 3, 12, 13, 14, 15);  // x0 y0 z0 x1  x4 y4 z4 x5
    const auto q = __builtin_shufflevector(a, c, 4, 5, 6, 7, 8, 9, 10, 11);    // y1 z1 x2 y2  y5 z5 x6 y6
    const auto r = __builtin_shufflevector(b, c, 0, 1, 2, 3, 12, 13, 14, 15);  // z2 x3 y3 z3  z6 x7 y7 z7
    const auto xy = __builtin_shufflevector(q, r, 2, 3, 9, 10, 6, 7, 13, 14);  // x2 y2 x3 y3  ...
    const auto yz = __builtin_shufflevector(p, q, 1, 2, 8, 9, 5, 6, 12, 13);   // y0 z0 y1 z1  ...
    return {Pack<T>(__builtin_shufflevector(p, xy, 0, 3, 8, 10, 4, 7, 12, 14)),
            Pack<T>(__builtin_shufflevector(yz, xy, 0, 2, 9, 11, 4, 6, 13, 15)),
            Pack<T>(__builtin_shufflevector(yz, r, 1, 3, 8, 11, 5, 7, 12, 15))};
}
template <class T>
PLIANT_INLINE void store_vectors(const Vector3<Pack<T>>& v, Vector3<T>* to)
{
    const auto xy = __builtin_shufflevector(v.x.v, v.y.v, 0, 2, 8, 10, 4, 6, 12, 14);  // x0 x2 y0 y2  ...
    const auto yz = __builtin_shufflevector(v.y.v, v.z.v, 1, 3, 9, 11, 5, 7, 13, 15);  // y1 y3 z1 z3  ...
    const auto zx = __builtin_shufflevector(v.z.v, v.x.v, 0, 2, 9, 11, 4, 6, 13, 15);  // z0 z2 x1 x3  ...
    const auto p = __builtin_shufflevector(xy, zx, 0, 2, 8, 10, 4, 6, 12, 14);         // x0 y0 z0 x1  ...
    const auto q = __builtin_shufflevector(yz, xy, 0, 2, 9, 11, 4, 6, 13, 15);         // y1 z1 x2 y2  ...
    const auto r = __builtin_shufflevector(zx, yz, 1, 3, 9, 11, 5, 7, 13, 15);         // z2 x3 y3 z3  ...
    const typename Pack<T>::Vector a = __builtin_shufflevector(p, q, 0, 1, 2, 3, 8, 9, 10, 11);
    const typename Pack<T>::Vector b = __builtin_shufflevector(r, p, 0, 1, 2, 3, 12, 13, 14, 15);
    const typename Pack<T>::Vector c = __builtin_shufflevector(q, r, 4, 5, 6, 7, 12, 13, 14, 15);
    std::memcpy(static_cast<void*>(to), &a, sizeof a);
    std::memcpy(reinterpret_cast<char*>(to) + sizeof a, &b, sizeof b);
    std::memcpy(reinterpret_cast<char*>(to) + 2 * sizeof a, &c, sizeof c);
}
/// Eight numbers from consecutive places.
template <class T>
PLIANT_INLINE Pack<T> load(const T* from)
{
    Pack<T> r;
    std::memcpy(&r.v, from, sizeof r.v);
    return r;
}

/// The same vector in all lanes.
inline Vector3<Lanes> spread(const Vec3& a) { return {a.x, a.y, a.z}; }
inline Matrix3<Lanes> spread(const Mat3& a) { return {{spread(a.c[0]), spread(a.c[1]), spread(a.c[2])}}; }

}  // namespace pliant
