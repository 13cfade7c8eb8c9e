#include "pliant/math/lanes.h"

#include "pliant/math/svd_batch.h"

#include <gtest/gtest.h>

#include <array>
#include <random>

namespace pliant {
namespace {

template <class T>
class LanesOf : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(LanesOf, Scalars);

TYPED_TEST(LanesOf, DoesInEveryLaneWhatAPlainNumberDoes)
{
    using T = TypeParam;
    std::mt19937 random(2);
    std::uniform_real_distribution<T> u(-2, 2);
    for (int trial = 0; trial < 100; ++trial) {
        Pack<T> a, b;
        for (int l = 0; l < kLanes; ++l) {
            a.set(l, u(random));
            b.set(l, l == 5 ? T(0) : u(random));
        }
        for (int l = 0; l < kLanes; ++l) {
            EXPECT_EQ((a + b)[l], a[l] + b[l]);
            EXPECT_EQ((a - b)[l], a[l] - b[l]);
            EXPECT_EQ((a * b)[l], a[l] * b[l]);
            EXPECT_EQ((b / a)[l], b[l] / a[l]);
            EXPECT_EQ((-a)[l], -a[l]);
            EXPECT_EQ(min(a, b)[l], std::min(a[l], b[l]));
            EXPECT_EQ(max(a, b)[l], std::max(a[l], b[l]));
            EXPECT_EQ(abs(a)[l], std::abs(a[l]));
            EXPECT_EQ(sqrt(abs(a))[l], std::sqrt(std::abs(a[l])));
            EXPECT_EQ(flip_by(a, b)[l], std::signbit(b[l]) ? -a[l] : a[l]);
            EXPECT_EQ(select(a < b, a, Pack<T>(7))[l], a[l] < b[l] ? a[l] : T(7));
            EXPECT_EQ(select((a >= b) & !(a > Pack<T>(1)), a, b)[l], a[l] >= b[l] && !(a[l] > 1) ? a[l] : b[l]);
        }
        EXPECT_NEAR(sum(a), a[0] + a[1] + a[2] + a[3] + a[4] + a[5] + a[6] + a[7], 1e-5);
    }
}

TYPED_TEST(LanesOf, AnySeesASingleLane)
{
    using T = TypeParam;
    for (int l = 0; l < kLanes; ++l) {
        Pack<T> a(0);
        EXPECT_FALSE(any(a > Pack<T>(0)));
        a.set(l, 1);
        EXPECT_TRUE(any(a > Pack<T>(0)));
        EXPECT_EQ(largest(a), 1);
        EXPECT_EQ(sum(a), 1);
    }
}

TYPED_TEST(LanesOf, GathersAndTakesVectorsApart)
{
    using T = TypeParam;
    std::array<T, 20> values{};
    for (int i = 0; i < 20; ++i) values[i] = T(i);
    const std::array<int, kLanes> index{3, 19, 0, 0, 7, 11, 2, 5};
    const Pack<T> g = gather(values.data(), index.data());
    for (int l = 0; l < kLanes; ++l) EXPECT_EQ(g[l], T(index[l]));
    EXPECT_EQ(load(&values[4])[7], 11);

    std::array<Vector3<T>, 10> points{};
    for (int i = 0; i < 10; ++i) points[i] = {T(i), T(100 + i), T(200 + i)};
    const Vector3<Pack<T>> v = load_vectors(&points[1]);
    for (int l = 0; l < kLanes; ++l) EXPECT_EQ(lane(v, l), points[1 + l]);
    std::array<Vector3<T>, 10> copy{};
    store_vectors(v, &copy[1]);
    for (int l = 0; l < kLanes; ++l) EXPECT_EQ(copy[1 + l], points[1 + l]);
    EXPECT_EQ(copy[0], Vector3<T>{});
    EXPECT_EQ(copy[9], Vector3<T>{});
}

TYPED_TEST(LanesOf, EightSumsHaveTheBitsOfOne)
{
    using T = TypeParam;
    std::mt19937 random(7);
    std::normal_distribution<T> normal;
    Pack<T> rows[kLanes];
    for (int i = 0; i < kLanes * kLanes; ++i) rows[i / kLanes].set(i % kLanes, normal(random));
    const Pack<T> totals = sums(rows);
    for (int l = 0; l < kLanes; ++l) EXPECT_EQ(totals[l], sum(rows[l]));
}

TEST(SvdBatch, GivesTheBitsOfOneAtATime)
{
    std::mt19937 random(4);
    std::normal_distribution<Real> normal;
    std::vector<Matrix3<Lanes>> m(5);  // an odd number: the last goes alone
    for (auto& a : m)
        for (int i = 0; i < 9 * kLanes; ++i) a(i % 3, i / 3 % 3).set(i / 9, normal(random));
    std::vector<SignedSvd<Lanes>> together(m.size());
    signed_svds(m, together);
    for (std::size_t k = 0; k < m.size(); ++k) {
        const SignedSvd<Lanes> alone = signed_svd(m[k]);
        for (int l = 0; l < kLanes; ++l) {
            EXPECT_EQ(lane(alone.s, l), lane(together[k].s, l));
            for (int j = 0; j < 3; ++j) {
                EXPECT_EQ(lane(alone.u.c[j], l), lane(together[k].u.c[j], l));
                EXPECT_EQ(lane(alone.v.c[j], l), lane(together[k].v.c[j], l));
            }
        }
    }
}

}  // namespace
}  // namespace pliant
