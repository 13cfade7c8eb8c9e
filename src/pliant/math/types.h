#pragma once
// Vectors and matrices of three. They are templates over the scalar, because every kernel is: the
// tests run it with `double`, the engine with `Real`, the fast path with `Lanes` (eight at a time).
// Vectors are columns and matrices act from the left.

#include <cmath>

namespace pliant {

#ifdef PLIANT_DOUBLE
using Real = double;
#else
using Real = float;
#endif

template <class S>
struct Vector3 {
    S x{}, y{}, z{};

    S& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
    const S& operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }

    Vector3& operator+=(const Vector3& b)
    {
        x += b.x;
        y += b.y;
        z += b.z;
        return *this;
    }
    Vector3& operator-=(const Vector3& b)
    {
        x -= b.x;
        y -= b.y;
        z -= b.z;
        return *this;
    }
    Vector3& operator*=(const S& s)
    {
        x *= s;
        y *= s;
        z *= s;
        return *this;
    }

    friend Vector3 operator+(const Vector3& a, const Vector3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Vector3 operator-(const Vector3& a, const Vector3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Vector3 operator-(const Vector3& a) { return {-a.x, -a.y, -a.z}; }
    friend Vector3 operator*(const S& s, const Vector3& a) { return {s * a.x, s * a.y, s * a.z}; }
    friend Vector3 operator*(const Vector3& a, const S& s) { return {a.x * s, a.y * s, a.z * s}; }
    friend Vector3 operator/(const Vector3& a, const S& s) { return {a.x / s, a.y / s, a.z / s}; }
    friend bool operator==(const Vector3& a, const Vector3& b) = default;

    S dot(const Vector3& b) const { return x * b.x + y * b.y + z * b.z; }
    Vector3 cross(const Vector3& b) const { return {y * b.z - z * b.y, z * b.x - x * b.z, x * b.y - y * b.x}; }
    S squared_norm() const { return dot(*this); }
    S norm() const
    {
        using std::sqrt;
        return sqrt(dot(*this));
    }
    Vector3 normalized() const { return *this / norm(); }

    template <class T>
    Vector3<T> cast() const
    {
        return {static_cast<T>(x), static_cast<T>(y), static_cast<T>(z)};
    }
};

/// Stored by columns: `m.c[j][i]` is row i of column j, and `m(i, j)` says the same.
template <class S>
struct Matrix3 {
    Vector3<S> c[3];

    static Matrix3 identity() { return {{{S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}}}; }
    static Matrix3 diagonal(const Vector3<S>& d) { return {{{d.x, S(0), S(0)}, {S(0), d.y, S(0)}, {S(0), S(0), d.z}}}; }
    /// [a]x, with [a]x b = a x b.
    static Matrix3 skew(const Vector3<S>& a) { return {{{S(0), a.z, -a.y}, {-a.z, S(0), a.x}, {a.y, -a.x, S(0)}}}; }
    /// a b^T
    static Matrix3 outer(const Vector3<S>& a, const Vector3<S>& b) { return {{a * b.x, a * b.y, a * b.z}}; }

    S& operator()(int i, int j) { return c[j][i]; }
    const S& operator()(int i, int j) const { return c[j][i]; }

    Matrix3& operator+=(const Matrix3& b)
    {
        for (int j = 0; j < 3; ++j) c[j] += b.c[j];
        return *this;
    }
    Matrix3& operator-=(const Matrix3& b)
    {
        for (int j = 0; j < 3; ++j) c[j] -= b.c[j];
        return *this;
    }

    friend Matrix3 operator+(Matrix3 a, const Matrix3& b) { return a += b; }
    friend Matrix3 operator-(Matrix3 a, const Matrix3& b) { return a -= b; }
    friend Matrix3 operator*(const S& s, const Matrix3& a) { return {{s * a.c[0], s * a.c[1], s * a.c[2]}}; }
    friend Vector3<S> operator*(const Matrix3& a, const Vector3<S>& b)
    {
        return a.c[0] * b.x + a.c[1] * b.y + a.c[2] * b.z;
    }
    friend Matrix3 operator*(const Matrix3& a, const Matrix3& b) { return {{a * b.c[0], a * b.c[1], a * b.c[2]}}; }

    Matrix3 transposed() const
    {
        return {{{c[0].x, c[1].x, c[2].x}, {c[0].y, c[1].y, c[2].y}, {c[0].z, c[1].z, c[2].z}}};
    }
    S trace() const { return c[0].x + c[1].y + c[2].z; }
    S determinant() const { return c[0].dot(c[1].cross(c[2])); }
    /// The cofactor matrix: inverse() = cofactor()^T / determinant().
    Matrix3 cofactor() const { return {{c[1].cross(c[2]), c[2].cross(c[0]), c[0].cross(c[1])}}; }
    Matrix3 inverse() const { return (S(1) / determinant()) * cofactor().transposed(); }

    template <class T>
    Matrix3<T> cast() const
    {
        return {{c[0].template cast<T>(), c[1].template cast<T>(), c[2].template cast<T>()}};
    }
};

using Vec3 = Vector3<Real>;
using Mat3 = Matrix3<Real>;
using Vec3d = Vector3<double>;
using Mat3d = Matrix3<double>;

}  // namespace pliant
