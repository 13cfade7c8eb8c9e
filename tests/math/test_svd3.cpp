#include "pliant/math/svd3.h"

#include "pliant/math/polar.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

template <class T>
class Svd3 : public testing::Test {
  public:
    static constexpr double kEps = double(std::numeric_limits<T>::epsilon());
    std::mt19937 random{11};

    Mat3d any_matrix()
    {
        std::normal_distribution<double> normal;
        Mat3d m;
        for (int i = 0; i < 9; ++i) m(i % 3, i / 3) = normal(random);
        return m;
    }
    /// A matrix with given singular values, as near as T can hold it.
    Matrix3<T> with_values(const Vec3d& s)
    {
        const SignedSvd<double> a = signed_svd(any_matrix());
        return (a.u * Mat3d::diagonal(s) * a.v.transposed()).cast<T>();
    }
    void check(const Matrix3<T>& b)
    {
        const SignedSvd<T> d = signed_svd(b);
        const Mat3d u = d.u.template cast<double>(), v = d.v.template cast<double>();
        const Vec3d s = d.s.template cast<double>();
        const double size = std::max(double(d.s.x), 1e-300);
        for (const Mat3d& q : {u, v}) {
            const Mat3d unit = q.transposed() * q - Mat3d::identity();
            for (int i = 0; i < 9; ++i) EXPECT_LE(std::abs(unit(i % 3, i / 3)), 16 * kEps);
            EXPECT_GT(q.determinant(), 0);
        }
        const Mat3d error = (1 / size) * (u * Mat3d::diagonal(s) * v.transposed() - b.template cast<double>());
        for (int i = 0; i < 9; ++i) EXPECT_LE(std::abs(error(i % 3, i / 3)), 16 * kEps);
        EXPECT_GE(s.x, s.y);
        EXPECT_GE(s.y, std::abs(s.z));
    }
};

using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Svd3, Scalars);

TYPED_TEST(Svd3, DecomposesEveryKindOfMatrix)
{
    using T = TypeParam;
    const std::vector<Vec3d> kinds{{3, 2, 1},       {1, 1, 1},    {1, 1, 0},    {1, 0, 0},    {1, 1e-4, -1e-4},
                                   {1, 1e-3, 1e-6}, {2, 2, -1.5}, {1, 1, -1.0}, {1, 1e-6, 0}, {1, 0.999, 0.998}};
    for (const Vec3d& s : kinds) {
        for (const double size : {1e-12, 1.0, 1e10}) {  // B of clouds of 1e-6 m, 1 m and 1e5 m
            for (int i = 0; i < 300; ++i) this->check(this->with_values(size * s));
        }
    }
    for (int i = 0; i < 20000; ++i) this->check(this->any_matrix().template cast<T>());
    this->check(Matrix3<T>{});
    this->check(Matrix3<T>::identity());
    this->check(Matrix3<T>::diagonal({0, 0, T(-2)}));
}

TYPED_TEST(Svd3, FindsTheSingularValues)
{
    const Vec3d s{1, 0.03, -0.002};
    for (int i = 0; i < 1000; ++i) {
        const auto d = signed_svd(this->with_values(s));
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(double(d.s[k]), s[k], 16 * this->kEps);
    }
}

TYPED_TEST(Svd3, PolarRotationIsProperAlsoForReflections)
{
    for (int i = 0; i < 1000; ++i) {
        const Mat3d a = this->any_matrix();
        const auto r = polar_rotation(a.template cast<TypeParam>());
        EXPECT_NEAR(double(r.determinant()), 1.0, 64 * this->kEps);
    }
}

TYPED_TEST(Svd3, EightLanesGiveTheBitsOfOne)
{
    using T = TypeParam;
    for (int trial = 0; trial < 200; ++trial) {
        Matrix3<Pack<T>> packed = Matrix3<Pack<T>>::identity();
        std::vector<Matrix3<T>> single;
        for (int l = 0; l < kLanes; ++l) {
            single.push_back(l == 3 ? Matrix3<T>{} : this->any_matrix().template cast<T>());
            for (int i = 0; i < 9; ++i) packed(i % 3, i / 3).set(l, single[l](i % 3, i / 3));
        }
        const SignedSvd<Pack<T>> d = signed_svd(packed);
        for (int l = 0; l < kLanes; ++l) {
            const SignedSvd<T> one = signed_svd(single[l]);
            for (int i = 0; i < 9; ++i) {
                EXPECT_EQ(one.u(i % 3, i / 3), d.u(i % 3, i / 3)[l]);
                EXPECT_EQ(one.v(i % 3, i / 3), d.v(i % 3, i / 3)[l]);
            }
            for (int k = 0; k < 3; ++k) EXPECT_EQ(one.s[k], d.s[k][l]);
        }
    }
}

}  // namespace
}  // namespace pliant
