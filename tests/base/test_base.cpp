#include "pliant/base/fields.h"
#include "pliant/base/hash.h"
#include "pliant/base/parallel.h"
#include "pliant/state/ids.h"
#include "pliant/state/particles.h"

#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

namespace pliant {
namespace {

class ParallelFor : public testing::TestWithParam<int> {
    void TearDown() override { set_threads(0); }
};

TEST_P(ParallelFor, CoversEveryIndexOnceAlsoNested)
{
    set_threads(GetParam());
    for (const int count : {0, 1, 7, 64, 1000}) {
        for (const int grain : {1, 16, 5000}) {
            std::vector<std::atomic<int>> seen(static_cast<std::size_t>(count));
            parallel_for(count, grain, [&](int begin, int end) {
                parallel_for(end - begin, 3, [&](int from, int to) {
                    for (int i = from; i < to; ++i) ++seen[begin + i];
                });
            });
            for (const auto& n : seen) EXPECT_EQ(n, 1);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelFor, testing::Values(1, 2, 7));

TEST(Hash64, SeesEveryBit)
{
    std::vector<float> values(100, 0.0F);
    const auto hash = [&] {
        Hash64 h;
        h.add(std::span<const float>(values));
        return h.value();
    };
    const std::uint64_t base = hash();
    EXPECT_EQ(base, hash());
    values[99] = -0.0F;
    EXPECT_NE(base, hash());
    values[99] = 0.0F;
    std::swap(values[0] = 1.0F, values[1]);
    const std::uint64_t swapped = hash();
    std::swap(values[0], values[1]);
    EXPECT_NE(swapped, hash());
}

TEST(IdTable, KnowsAStaleIdAfterItsSlotIsUsedAgain)
{
    IdTable<int> table;
    const auto a = table.add(), b = table.add(), c = table.add();
    table.remove(b);
    EXPECT_EQ(table.index(a), 0);
    EXPECT_EQ(table.index(b), -1);
    EXPECT_EQ(table.index(c), 1);
    const auto d = table.add();
    EXPECT_EQ(table.index(d), 2);
    EXPECT_EQ(table.index(b), -1);
    EXPECT_EQ(table.id_at(2), d);
    EXPECT_EQ(table.index({}), -1);
}

TEST(Particles, EraseKeepsTheOthersInOrder)
{
    Particles p;
    p.append(6);
    for (int i = 0; i < 6; ++i) p.x[i].x = static_cast<Real>(i);
    p.erase({1, 3});
    ASSERT_EQ(p.size(), 3);
    EXPECT_EQ(p.x[0].x, 0);
    EXPECT_EQ(p.x[1].x, 4);
    EXPECT_EQ(p.x[2].x, 5);
}

}  // namespace
}  // namespace pliant
